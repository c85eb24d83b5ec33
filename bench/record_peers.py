"""Record what other people's programs compute, as small arrays: `make peers`, half a minute.

The programs are called as they are. What they return goes, in the type in which they return it, to
`tests/peers`, one file for each package, beside a page of versions and checksums: the tests compare
the course's functions with it. Six tables go into the package, for notebook 12 to show unnamed.
"""

import hashlib
from functools import partial
from importlib.metadata import version
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from contenders import DISTILBERT, TIMM, WHISPER, resolve
from diffusers.models import embeddings as diffusion
from positional_encodings.torch_encodings import PositionalEncoding1D, PositionalEncoding2D
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
RANDOM = torch.from_numpy(np.random.default_rng(0).normal(size=(2, 1, 2, TEXT, HEAD)))
QUERIES, KEYS = RANDOM  # (batch, heads, positions, width)
YARN = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 4096}
LLAMA_3 = {"rope_theta": 500_000.0}
ROTARY = {  # how they are configured, where it is not as in Llama 2
    "default": {},
    "llama3_default": LLAMA_3,
    "linear": {"rope_type": "linear", "factor": 8.0},
    # Asked for 8 times its length, it stretches by 8 · factor − (factor − 1): here 8, and 57.
    "dynamic_factor_1": {"rope_type": "dynamic", "factor": 1.0},
    "dynamic_factor_8": {"rope_type": "dynamic", "factor": 8.0},
    "yarn": YARN,
    "yarn_not_truncated": YARN | {"truncate": False},
    "llama3": LLAMA_3
    | {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192}
    | {"low_freq_factor": 1.0, "high_freq_factor": 4.0},
}
# Lets the programs that ask for `torch.float` compute in double precision.
doubles = partial(mock.patch.object, torch, "float", torch.float64)


def turned():
    """Return what Llama and GPT-J do with queries and keys from some position on."""
    make = partial(llama.LlamaRotaryEmbedding, llama.LlamaConfig(head_dim=HEAD))
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


def slowed():
    """Return the frequencies of every kind of rotary embedding, and the factors of its tables."""
    default = llama.LlamaRotaryEmbedding.compute_default_rope_parameters
    kinds, found = llama.ROPE_INIT_FUNCTIONS | {"default": default}, {}
    for name, parameters in ROTARY.items():
        rope = {"rope_type": "default", "rope_theta": 10_000.0} | parameters
        model = llama.LlamaConfig(max_position_embeddings=8 * 4096, rope_parameters=rope)
        compute = partial(kinds[rope["rope_type"]], model, seq_len=8 * 8 * 4096)
        found[f"frequencies_{name}"], factor = compute()
        with doubles():
            found[f"frequencies_{name}_double"], _ = compute()
        found[f"factor_{name}"] = np.float64(factor)
    return found


def our_module():
    """Test the module that notebook 12 shows, and return what it adds."""
    module, last = Positions(WIDTH, longest=LENGTH), LENGTH - TEXT
    ones, zeros = torch.ones(2, TEXT, WIDTH), torch.zeros(2, TEXT, WIDTH)
    assert "table" in dict(module.named_buffers())
    assert not module.state_dict()  # neither a parameter nor persistent
    assert (module(ones, start=1) == 0).any()
    module.eval()
    expected = WIDTH**0.5 + sinusoidal(TEXT, WIDTH, start=last)
    assert np.allclose(module(ones, start=last), expected, rtol=0, atol=1e-5)
    for start in (last + 1, LENGTH - 1, LENGTH):
        with np.testing.assert_raises_regex(ValueError, f"ends at position {LENGTH - 1}$"):
            module(ones, start=start)
    half = module(zeros.bfloat16(), start=5)
    assert half.dtype == torch.bfloat16
    return {"added": module(zeros, start=5), "added_in_bfloat16": half.float()}


m2m_100 = M2M100SinusoidalPositionalEmbedding(LENGTH - 2, WIDTH, padding_idx=1)
detr = partial(DetrSinePositionEmbedding, WIDTH // 2)
grid = torch.Size((1, 3, 4, 6)), torch.device("cpu"), torch.float64
sincos = partial(resolve(TIMM), [4, 6], WIDTH)
embed = partial(diffusion.get_timestep_embedding, embedding_dim=WIDTH)
rotary = RotaryEmbedding(HEAD).double()
scaled = x_transformers.ScaledSinusoidalEmbedding(WIDTH)
x_rotary = x_transformers.RotaryEmbedding(HEAD).double()
angles, _ = x_rotary(STEPS[5 : 5 + TEXT])
numbers = np.random.default_rng(0).normal(size=200) * 10.0 ** np.linspace(-20, 20, 200)
numbers = torch.from_numpy(np.r_[numbers, 250:310, 4990:5050]).float()
RECORDS = {  # by package and array
    "transformers": {
        "m2m100_table": m2m_100.weights,  # row 1 is for padding
        "m2m100_rows": m2m_100(torch.tensor([[7, 8, 9, 1, 1], [5, 6, 7, 8, 9]])),  # 1 is padding
        "whisper_table": resolve(WHISPER)(LENGTH, WIDTH),
        "distilbert_table": resolve(DISTILBERT)(LENGTH, WIDTH, torch.empty(LENGTH, WIDTH)),
        **turned(),
        **slowed(),
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
        "scaled_table": scaled(torch.empty(1, LENGTH)).detach(),
        "queries": QUERIES,
        "frequencies": x_rotary.inv_freq,  # float32, then widened
        "queries_from_5": x_transformers.apply_rotary_pos_emb(QUERIES, angles),
    },
    "positional-encodings": {
        "table": PositionalEncoding1D(WIDTH)(torch.empty(1, LENGTH, WIDTH))[0],
        "grid": PositionalEncoding2D(WIDTH)(torch.empty(1, 4, 6, WIDTH))[0],
    },
    "torch": our_module() | {"numbers": numbers, "numbers_in_bfloat16": numbers.bfloat16().float()},
}
PAGE = """# What other people's programs compute

Written by `make peers`, with {versions}. `bench/record_peers.py` says what each array is.

`torch.npz` comes from the course's own module, `src/posenc/data/torch_positions.py`, of
SHA-256 `{module}`, which was tested on the way.

| file | SHA-256 |
|---|---|
"""


def main():
    """Write the files, and the page about them."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", *RECORDS))
    module = hashlib.sha256((DATA / "torch_positions.py").read_bytes()).hexdigest()
    page = PAGE.format(versions=versions, module=module)
    for package, records in RECORDS.items():
        path = FOLDER / f"{package}.npz"
        np.savez(path, **records)
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
        page += f"| `{path.name}` | `{checksum}` |\n"
    (FOLDER / "README.md").write_text(page, encoding="utf-8")
    np.savez(
        DATA / "tables.npz",  # the page's three and the exercise's three
        A=RECORDS["transformers"]["m2m100_table"],
        B=RECORDS["diffusers"]["steps_flipped"],
        C=RECORDS["transformers"]["distilbert_table"],
        D=RECORDS["x-transformers"]["scaled_table"],
        E=RECORDS["diffusers"]["steps_from_1"],
        F=RECORDS["timm"]["grid"],
    )


if __name__ == "__main__":
    main()
