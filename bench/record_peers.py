"""Record what other people's programs compute, as small arrays: `make peers`, half a minute.

The programs are called as they are, in the environment of the measurement (README.md beside this
file). What they return goes, in the type in which they return it, into one file for each package in
`tests/peers`, where the tests compare the course's functions with it; and six tables go into the
package, where notebook 12 shows them without saying whose they are. `tests/peers/README.md`, which
is written too, says what each array is, which versions wrote it, and each file's checksum.

Usage: .venv-bench/bin/python bench/record_peers.py [FOLDER OF THE TESTS [FILE OF THE PACKAGE]]
"""

import contextlib
import hashlib
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import peers
import torch

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "peers"
TABLES = ROOT / "src" / "posenc" / "data" / "tables.npz"
LENGTH, WIDTH = 40, 32  # of the tables
HEAD, TEXT = 16, 6  # width of a head, and tokens in a text
LLAMA_2 = {"rope_theta": 10_000.0}, 4096
LLAMA_3 = {"rope_theta": 500_000.0}, 8192
STRETCH = 8
SCALED = {  # rope parameters beyond the base, the length in training, and the length asked for
    "default": ({}, LLAMA_2, None),
    "llama3 default": ({}, LLAMA_3, None),
    "linear": ({"factor": float(STRETCH)}, LLAMA_2, None),
    # The stretch is factor · asked/trained − (factor − 1): here 8, and 57.
    "dynamic, factor 1": ({"factor": 1.0, "rope_type": "dynamic"}, LLAMA_2, STRETCH * 4096),
    "dynamic, factor 8": ({"factor": 8.0, "rope_type": "dynamic"}, LLAMA_2, STRETCH * 4096),
    "yarn": ({"factor": float(STRETCH)}, LLAMA_2, None),
    "yarn, not truncated": (
        {"factor": float(STRETCH), "rope_type": "yarn", "truncate": False},
        LLAMA_2,
        None,
    ),
    "llama3": (
        {"factor": float(STRETCH), "low_freq_factor": 1.0, "high_freq_factor": 4.0},
        LLAMA_3,
        None,
    ),
    "longrope": (
        {
            "factor": float(STRETCH),
            "short_factor": [1.0] * 64,
            "long_factor": [1.0 + k / 8 for k in range(64)],
        },
        LLAMA_2,
        STRETCH * 4096,
    ),
}


@contextlib.contextmanager
def doubles():
    """Let the programs that ask for `torch.float` compute in double precision."""
    single, torch.float = torch.float, torch.float64
    try:
        yield
    finally:
        torch.float = single


def random_vectors(*shape):
    """Return the same numbers, in double precision, at each call."""
    return torch.from_numpy(np.random.default_rng(0).normal(size=shape))


def llama_configuration(parameters, model, width):
    """Return a configuration for heads of the width."""
    module = peers._load("transformers.models.llama.configuration_llama")
    base, length = model
    rope = {"rope_type": "default"} | base | parameters
    stretched = rope["rope_type"] in ("yarn", "longrope", "llama3")
    if stretched:
        rope["original_max_position_embeddings"] = length
    return module.LlamaConfig(
        hidden_size=width,
        num_attention_heads=1,
        head_dim=width,
        max_position_embeddings=STRETCH * length if stretched else length,
        rope_parameters=rope,
    )


def llama_frequencies(name):
    """Return the frequencies of one kind of rotary embedding, and what multiplies its tables."""
    parameters, model, asked = SCALED[name]
    kind = parameters.get("rope_type", "default" if "default" in name else name)
    configuration = llama_configuration({"rope_type": kind} | parameters, model, 128)
    if kind == "default":
        llama = peers._load("transformers.models.llama.modeling_llama")
        return llama.LlamaRotaryEmbedding.compute_default_rope_parameters(configuration)
    functions = peers._load("transformers.modeling_rope_utils").ROPE_INIT_FUNCTIONS
    return functions[kind](configuration, torch.device("cpu"), seq_len=asked)


def scaled_frequencies():
    """Record the frequencies of every kind, as the program computes them and in doubles."""
    for name in SCALED:
        label = name.replace(", ", "_").replace(" ", "_")
        frequencies, factor = llama_frequencies(name)
        yield f"frequencies_{label}", frequencies, f"inverse frequencies, rope type {name}"
        with doubles():
            wide, _ = llama_frequencies(name)
        if wide.dtype == torch.float64:  # longrope insists on float32
            yield f"frequencies_{label}_double", wide, "the same, computed in float64"
        yield f"factor_{label}", np.float64(factor), f"factor of cosine and sine, {name}"


def transformers():
    """Record tables, and what a rotary embedding does with queries and keys."""
    peers._load("transformers")
    m2m = peers._load("transformers.models.m2m_100.modeling_m2m_100")
    embedding = m2m.M2M100SinusoidalPositionalEmbedding(LENGTH - 2, WIDTH, padding_idx=1)
    yield "m2m100_table", embedding.weights, "M2M100's table; row 1 is for padding"
    ids = torch.tensor([[7, 8, 9, 1, 1], [5, 6, 7, 8, 9]])
    yield "m2m100_ids", ids, "two texts of tokens, of which the first ends in padding (1)"
    yield "m2m100_rows", embedding(ids), "the rows that M2M100 gives to these tokens"
    whisper = peers._load("transformers.models.whisper.modeling_whisper")
    yield "whisper_table", whisper.sinusoids(LENGTH, WIDTH), "Whisper's table"
    distilbert = peers._load("transformers.models.distilbert.modeling_distilbert")
    table = torch.empty(LENGTH, WIDTH)
    distilbert.create_sinusoidal_embeddings(LENGTH, WIDTH, table)
    yield "distilbert_table", table, "DistilBERT's table, computed in float64 and then rounded"

    llama = peers._load("transformers.models.llama.modeling_llama")
    configuration = llama_configuration({}, LLAMA_2, HEAD)
    positions = torch.arange(LENGTH)[None]
    empty = torch.empty(0)
    cosines, sines = llama.LlamaRotaryEmbedding(configuration)(empty, positions)
    yield "llama_cosines", cosines[0], "cosine that Llama's heads are turned with, by position"
    yield "llama_sines", sines[0], "and the sine"
    with doubles():
        wide = llama.LlamaRotaryEmbedding(configuration)
        cosines, sines = wide(empty.double(), positions)
    yield "llama_cosines_double", cosines[0], "the cosine, computed in float64"
    yield "llama_sines_double", sines[0], "and the sine"
    q, k = random_vectors(2, 1, 2, TEXT, HEAD)
    yield "queries", q, "random queries (batch, heads, positions, width)"
    yield "keys", k, "random keys"
    for start in (0, 5):
        part = slice(start, start + TEXT)
        turned = llama.apply_rotary_pos_emb(q, k, cosines[:, part], sines[:, part])
        for name, vectors in zip(("queries", "keys"), turned):
            yield f"llama_{name}_from_{start}", vectors, f"Llama's {name}, first position {start}"
    gptj = peers._load("transformers.models.gptj.modeling_gptj")
    table = gptj.create_sinusoidal_positions(LENGTH, HEAD)
    yield "gptj_table", table, "GPT-J's sines and cosines"
    sine, cosine = table.double()[None, 5 : 5 + TEXT].split(HEAD // 2, dim=-1)
    turned = gptj.apply_rotary_pos_emb(q.transpose(1, 2), sine, cosine).transpose(1, 2)
    yield "gptj_queries_from_5", turned, "GPT-J's queries, first position 5, by its float32 table"
    yield from scaled_frequencies()

    mae = peers._load("transformers.models.vit_mae.modeling_vit_mae")
    table = mae.build_2d_sinusoidal_position_embedding(4, 6, WIDTH, dtype=torch.float64)
    yield "mae_grid", table, "ViT-MAE's table of 4 rows and 6 columns"
    detr = peers._load("transformers.models.detr.modeling_detr").DetrSinePositionEmbedding
    shape, device = torch.Size((1, 3, 4, 6)), torch.device("cpu")
    for name, normal in (("detr_grid", False), ("detr_grid_normalized", True)):
        grid = detr(WIDTH // 2, normalize=normal)(shape, device, torch.float64)
        words = "DETR's grid (width, rows, columns) of 4 rows and 6 columns"
        yield name, grid[0], words + (", normalized" if normal else "")


def timm():
    """Record tables of grids."""
    build = peers._load_alone("timm.layers.pos_embed_sincos").build_sincos2d_pos_embed
    yield "grid", build([4, 6], WIDTH), "table of 4 rows and 6 columns"
    yield "grid_reversed", build([4, 6], WIDTH, reverse_coord=True), "with reverse_coord"
    yield (
        "grid_interleaved",
        build([4, 6], WIDTH, interleave_sin_cos=True),
        "with interleave_sin_cos",
    )


def diffusers():
    """Record the embedding of diffusion steps, and tables of grids."""
    module = peers._load("diffusers.models.embeddings")
    steps = torch.arange(LENGTH)
    yield "steps", module.get_timestep_embedding(steps, WIDTH), "steps 0 to 39, as DDPM's"
    flipped = module.get_timestep_embedding(
        steps, WIDTH, flip_sin_to_cos=True, downscale_freq_shift=0
    )
    yield "steps_flipped", flipped, "flip_sin_to_cos, downscale_freq_shift=0, as DiT and Flux"
    unit = module.get_timestep_embedding(torch.linspace(0, 1, 11), WIDTH, True, 0)
    yield "moments", unit, "the same of 0, 0.1, …, 1"
    line = module.get_1d_sincos_pos_embed_from_grid(WIDTH, steps.double())
    yield "line", line, "get_1d_sincos_pos_embed_from_grid of 0 to 39, float64"
    grid = module.get_2d_sincos_pos_embed(WIDTH, (4, 4), base_size=4)
    yield "grid", grid, "get_2d_sincos_pos_embed of 4 rows and 4 columns"


def rotary_embedding_torch():
    """Record turned queries."""
    module = peers._load("rotary_embedding_torch")
    q = random_vectors(2, 1, 2, TEXT, HEAD)[0]
    yield "queries", q, "random queries (batch, heads, positions, width)"
    turn = module.RotaryEmbedding(HEAD).double()
    for start in (0, 5):
        turned = turn.rotate_queries_or_keys(q, offset=start).detach()
        yield f"queries_from_{start}", turned, f"turned, first position {start}"
    yield "frequencies", turn.freqs.detach(), "its frequencies: float32, then widened"


def x_transformers():
    """Record a table, turned queries, and ALiBi."""
    module = peers._load("x_transformers.x_transformers")
    embedding = module.ScaledSinusoidalEmbedding(WIDTH).requires_grad_(False)
    yield "scaled_table", embedding(torch.empty(1, LENGTH)), "ScaledSinusoidalEmbedding's table"
    q = random_vectors(2, 1, 2, TEXT, HEAD)[0]
    rotary = module.RotaryEmbedding(HEAD).double()
    angles, _ = rotary(torch.arange(5, 5 + TEXT))
    yield "queries", q, "random queries (batch, heads, positions, width)"
    yield "frequencies", rotary.inv_freq, "its frequencies: float32, then widened"
    turned = module.apply_rotary_pos_emb(q, angles)
    yield "queries_from_5", turned, "turned, first position 5"
    for heads in (4, 8, 12):
        alibi = module.AlibiPositionalBias(heads)
        yield f"alibi_slopes_{heads}", alibi.slopes[:, 0, 0], f"ALiBi's slopes of {heads} heads"
    yield "alibi_bias_12", alibi(TEXT, TEXT), "what ALiBi adds to 6 × 6 scores of 12 heads"


def positional_encodings():
    """Record a table and a grid."""
    module = peers._load("positional_encodings.torch_encodings")
    line = module.PositionalEncoding1D(WIDTH)(torch.empty(1, LENGTH, WIDTH))
    yield "table", line[0], "PositionalEncoding1D's table"
    grid = module.PositionalEncoding2D(WIDTH)(torch.empty(1, 4, 6, WIDTH))
    yield "grid", grid[0], "PositionalEncoding2D (rows, columns, width) of 4 rows and 6 columns"


PROGRAMS = {
    "transformers": transformers,
    "timm": timm,
    "diffusers": diffusers,
    "rotary-embedding-torch": rotary_embedding_torch,
    "x-transformers": x_transformers,
    "positional-encodings": positional_encodings,
}
UNLABELLED = {  # the page's three and the exercise's three, by program and array
    "A": ("transformers", "m2m100_table"),
    "B": ("diffusers", "steps_flipped"),
    "C": ("transformers", "distilbert_table"),
    "D": ("x-transformers", "scaled_table"),
    "E": ("diffusers", "steps"),
    "F": ("timm", "grid"),
}


def record():
    """Return for each package the arrays, and what they are."""
    found = {}
    for package, arrays in PROGRAMS.items():
        found[package] = {name: (np.asarray(array), words) for name, array, words in arrays()}
    return found


def describe(found, folder):
    """Return the page that says what was recorded."""
    versions = {name: version(name) for name in ("torch", "numpy", *PROGRAMS)}
    lines = [
        "# What other people's programs compute",
        "",
        "Written by `make peers`, with "
        + ", ".join(f"{name} {number}" for name, number in versions.items())
        + ".",
    ]
    for package, arrays in found.items():
        path = folder / f"{package}.npz"
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        lines += ["", f"## `{path.name}`", "", f"SHA-256 `{digest}`", ""]
        lines += ["| array | shape | type | what it is |", "|---|---|---|---|"]
        for name, (array, words) in arrays.items():
            shape = " × ".join(map(str, array.shape)) or "a number"
            lines.append(f"| `{name}` | {shape} | {array.dtype} | {words} |")
    return "\n".join(lines) + "\n"


def main(folder=FOLDER, tables=TABLES):
    """Write the files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    found = record()
    for package, arrays in found.items():
        np.savez(folder / f"{package}.npz", **{name: array for name, (array, _) in arrays.items()})
    np.savez(tables, **{letter: found[p][name][0] for letter, (p, name) in UNLABELLED.items()})
    (folder / "README.md").write_text(describe(found, folder), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
