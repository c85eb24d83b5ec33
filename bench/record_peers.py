"""Record what other people's programs compute, as small arrays: `make peers`, half a minute.

The programs are called as they are, in the environment of the measurement (README.md beside this
file). What they return goes, in the type in which they return it, into one file for each package in
`tests/peers`, where the tests compare the course's functions with it; and six tables go into the
package, where notebook 12 shows them without saying whose they are. `tests/peers/README.md`, which
is written too, says which versions wrote them, and each file's checksum.
"""

import hashlib
from functools import partial
from importlib.metadata import version
from pathlib import Path
from unittest import mock

import contenders
import numpy as np
import torch
from diffusers.models import embeddings as diffusion
from positional_encodings import torch_encodings
from rotary_embedding_torch import RotaryEmbedding
from transformers.models.detr.modeling_detr import DetrSinePositionEmbedding
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.vit_mae.modeling_vit_mae import build_2d_sinusoidal_position_embedding
from x_transformers import x_transformers

from posenc.data.torch_positions import Positions
from posenc.encodings import sinusoidal

ROOT = Path(__file__).resolve().parents[1]
FOLDER, DATA = ROOT / "tests" / "peers", ROOT / "src" / "posenc" / "data"
LENGTH, WIDTH = 40, 32  # of the tables
HEAD, TEXT = 16, 6  # width of a head, and tokens in a text
STEPS = torch.arange(LENGTH)
TOKENS = torch.tensor([[7, 8, 9, 1, 1], [5, 6, 7, 8, 9]])  # of two texts; 1 is padding
RANDOM = torch.from_numpy(np.random.default_rng(0).normal(size=(2, 1, 2, TEXT, HEAD)))
QUERIES, KEYS = RANDOM  # (batch, heads, positions, width)
LLAMA_3 = {"base": 500_000.0, "longest": 8 * 8192}
SCALED = {  # what the configurations of rotary embeddings say, if not what Llama 2 does
    "default": {},
    "llama3_default": LLAMA_3,
    "linear": {"kind": "linear", "factor": 8.0},
    # Asked for 8 times its length, it stretches by 8 · factor − (factor − 1): here 8, and 57.
    "dynamic_factor_1": {"kind": "dynamic", "factor": 1.0},
    "dynamic_factor_8": {"kind": "dynamic", "factor": 8.0},
    "yarn": {"kind": "yarn", "factor": 8.0},
    "yarn_not_truncated": {"kind": "yarn", "factor": 8.0, "truncate": False},
    "llama3": LLAMA_3
    | {"kind": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192}
    | {"low_freq_factor": 1.0, "high_freq_factor": 4.0},
    "longrope": {"kind": "longrope", "factor": 8.0, "short_factor": 64 * [1.0]}
    | {"long_factor": [1 + k / 8 for k in range(64)]},
}
# Lets the programs that ask for `torch.float` compute in double precision.
doubles = partial(mock.patch.object, torch, "float", torch.float64)


def llama_configuration(width, *, kind="default", base=10_000.0, longest=4096, **parameters):
    """Return the configuration of a Llama with heads of the width."""
    rope = {"rope_type": kind, "rope_theta": base} | parameters
    return llama.LlamaConfig(head_dim=width, max_position_embeddings=longest, rope_parameters=rope)


def turned():
    """Return what Llama and GPT-J do with queries and keys from some position on."""
    make = partial(llama.LlamaRotaryEmbedding, llama_configuration(HEAD))
    cosines, sines = make()(torch.empty(0), STEPS[None])
    found = {"llama_cosines": cosines[0], "llama_sines": sines[0]}
    with doubles():
        cosines, sines = make()(torch.empty(0).double(), STEPS[None])
    found |= {"llama_cosines_double": cosines[0], "llama_sines_double": sines[0]}
    found |= {"queries": QUERIES, "keys": KEYS}
    for start in (0, 5):
        rows = slice(start, start + TEXT)
        both = llama.apply_rotary_pos_emb(QUERIES, KEYS, cosines[:, rows], sines[:, rows])
        found |= {f"llama_queries_from_{start}": both[0], f"llama_keys_from_{start}": both[1]}
    table = gptj.create_sinusoidal_positions(LENGTH, HEAD)
    sine, cosine = table.double()[None, 5 : 5 + TEXT].split(HEAD // 2, dim=-1)
    queries = gptj.apply_rotary_pos_emb(QUERIES.transpose(1, 2), sine, cosine).transpose(1, 2)
    return found | {"gptj_table": table, "gptj_queries_from_5": queries}


def scaled():
    """Return the frequencies of every kind of rotary embedding, and the factors of its tables."""
    default = llama.LlamaRotaryEmbedding.compute_default_rope_parameters
    kinds, found = llama.ROPE_INIT_FUNCTIONS | {"default": default}, {}
    for name, parameters in SCALED.items():
        configuration = llama_configuration(128, **parameters)
        compute = kinds[configuration.rope_parameters["rope_type"]]
        compute = partial(compute, configuration, device=torch.device("cpu"), seq_len=8 * 4096)
        found[f"frequencies_{name}"], factor = compute()
        with doubles():
            wide, _ = compute()
        if wide.dtype == torch.float64:  # longrope insists on float32
            found[f"frequencies_{name}_double"] = wide
        found[f"factor_{name}"] = np.float64(factor)
    return found


def our_module():
    """Test the module that notebook 12 shows, and return what it adds, and how PyTorch rounds."""
    random = np.random.default_rng(0)
    module, x = Positions(WIDTH, longest=LENGTH), random.normal(size=(2, TEXT, WIDTH))
    expected = x * np.sqrt(WIDTH) + sinusoidal(TEXT, WIDTH, start=5)
    x, zeros = torch.from_numpy(x).float(), torch.zeros(2, TEXT, WIDTH)
    assert not list(module.parameters())
    assert not module.state_dict()
    assert list(dict(module.named_buffers())) == ["table"]
    dropped = module(x)
    assert (dropped == 0).any()
    assert not torch.equal(dropped, module(x))
    module.eval()
    assert np.allclose(module(x, start=5), expected, rtol=0, atol=1e-5)
    steps = [module(x[:, t : t + 1], start=t) for t in range(TEXT)]
    assert torch.equal(torch.cat(steps, dim=1), module(x))
    for start in (LENGTH - TEXT + 1, LENGTH - 1, LENGTH):
        refused = ""
        try:
            module(x, start=start)
        except ValueError as error:
            refused = str(error)
        assert refused == f"the table ends at position {LENGTH - 1}"
    found = {"added": module(zeros, start=5)}
    half = module.to(torch.bfloat16)(zeros.bfloat16(), start=5)
    assert half.dtype == torch.bfloat16
    sizes = np.random.default_rng(0).normal(size=200) * 10.0 ** np.linspace(-20, 20, 200)
    numbers = torch.from_numpy(np.r_[sizes, 250:310, 4990:5050]).float()
    found |= {"added_in_bfloat16": half.float(), "numbers": numbers}
    return found | {"numbers_in_bfloat16": numbers.bfloat16().float()}


def table(name):
    """Return the table of a contender of the measurement."""
    return contenders.TABLES[name](LENGTH, WIDTH)()


m2m_100 = M2M100SinusoidalPositionalEmbedding(LENGTH - 2, WIDTH, padding_idx=1)
detr = partial(DetrSinePositionEmbedding, WIDTH // 2)
grid = torch.Size((1, 3, 4, 6)), torch.device("cpu"), torch.float64
sincos = partial(contenders.resolve(contenders.TIMM), [4, 6], WIDTH)
embed = partial(diffusion.get_timestep_embedding, embedding_dim=WIDTH)
rotary = RotaryEmbedding(HEAD).double()
x_rotary = x_transformers.RotaryEmbedding(HEAD).double()
angles, _ = x_rotary(STEPS[5 : 5 + TEXT])
alibi = x_transformers.AlibiPositionalBias
RECORDS = {  # by package and array
    "transformers": {
        "m2m100_table": m2m_100.weights,  # row 1 is for padding
        "m2m100_ids": TOKENS,
        "m2m100_rows": m2m_100(TOKENS),
        "whisper_table": table("transformers, Whisper"),
        "distilbert_table": table("transformers, DistilBERT"),
        **turned(),
        **scaled(),
        "mae_grid": build_2d_sinusoidal_position_embedding(4, 6, WIDTH, dtype=torch.float64),
        "detr_grid": detr()(*grid)[0],  # (width, rows, columns)
        "detr_grid_normalized": detr(normalize=True)(*grid)[0],
    },
    "timm": {
        "grid": sincos(),
        "grid_reversed": sincos(reverse_coord=True),
        "grid_interleaved": sincos(interleave_sin_cos=True),
    },
    "diffusers": {
        "steps": embed(STEPS),  # as DDPM's
        "steps_flipped": embed(STEPS, flip_sin_to_cos=True, downscale_freq_shift=0),  # DiT, Flux
        "steps_from_1": embed(1 + STEPS, flip_sin_to_cos=True),
        "moments": embed(torch.linspace(0, 1, 11), flip_sin_to_cos=True, downscale_freq_shift=0),
        "line": diffusion.get_1d_sincos_pos_embed_from_grid(WIDTH, STEPS.double()),
        "grid": diffusion.get_2d_sincos_pos_embed(WIDTH, (4, 4), base_size=4),
    },
    "rotary-embedding-torch": {
        "queries": QUERIES,
        "queries_from_0": rotary.rotate_queries_or_keys(QUERIES).detach(),
        "queries_from_5": rotary.rotate_queries_or_keys(QUERIES, offset=5).detach(),
        "frequencies": rotary.freqs.detach(),  # float32, then widened
    },
    "x-transformers": {
        "scaled_table": table("x-transformers"),
        "queries": QUERIES,
        "frequencies": x_rotary.inv_freq,  # float32, then widened
        "queries_from_5": x_transformers.apply_rotary_pos_emb(QUERIES, angles),
        **{f"alibi_slopes_{heads}": alibi(heads).slopes[:, 0, 0] for heads in (4, 8, 12)},
        "alibi_bias_12": alibi(12)(TEXT, TEXT),
    },
    "positional-encodings": {
        "table": table("positional-encodings"),
        "grid": torch_encodings.PositionalEncoding2D(WIDTH)(torch.empty(1, 4, 6, WIDTH))[0],
    },
    "torch": our_module(),
}
UNLABELLED = {  # the page's three and the exercise's three
    "A": ("transformers", "m2m100_table"),
    "B": ("diffusers", "steps_flipped"),
    "C": ("transformers", "distilbert_table"),
    "D": ("x-transformers", "scaled_table"),
    "E": ("diffusers", "steps_from_1"),
    "F": ("timm", "grid"),
}
PAGE = """# What other people's programs compute

Written by `make peers`, with {versions}. `bench/record_peers.py` says what each array is.

`torch.npz` comes from the course's own module, `src/posenc/data/torch_positions.py`, of
SHA-256 `{module}`, which was tested on the way.

| file | SHA-256 |
|---|---|
"""


def sha256(path):
    """Return the checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main():
    """Write the files, and the page about them."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", *RECORDS))
    page = PAGE.format(versions=versions, module=sha256(DATA / "torch_positions.py"))
    for package, records in RECORDS.items():
        path = FOLDER / f"{package}.npz"
        np.savez(path, **records)
        page += f"| `{path.name}` | `{sha256(path)}` |\n"
    (FOLDER / "README.md").write_text(page, encoding="utf-8")
    tables = {letter: RECORDS[package][name] for letter, (package, name) in UNLABELLED.items()}
    np.savez(DATA / "tables.npz", **tables)


if __name__ == "__main__":
    main()
