"""The peers themselves, as their packages bring them: tables of positions and rotations.

Each peer computes in float32, as its package does. `PEERS_MISSING` says which cannot be measured.
"""

import importlib
import importlib.util
import sys
import types
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch

torch.set_num_threads(1)
torch.set_grad_enabled(False)

PEERS_MISSING = {}
"""Why a peer is missing, by its name."""


def _load(name, *, alone=False):
    """Import a module; `alone` leaves out what its packages import besides."""
    if alone:
        root, *inner = name.split(".")
        folder = Path(importlib.util.find_spec(root).origin).parent
        for depth in range(len(inner)):
            package = types.ModuleType(".".join([root, *inner[:depth]]))
            package.__path__ = [str(folder.joinpath(*inner[:depth]))]
            sys.modules.setdefault(package.__name__, package)
    return importlib.import_module(name)


def _m2m100(length, width):
    module = _load("transformers.models.m2m_100.modeling_m2m_100")
    embedding = module.M2M100SinusoidalPositionalEmbedding
    return lambda: embedding.get_embedding(length, width)


def _whisper(length, width):
    module = _load("transformers.models.whisper.modeling_whisper")
    return lambda: module.sinusoids(length, width)


def _distilbert(length, width):
    module = _load("transformers.models.distilbert.modeling_distilbert")
    return lambda: module.create_sinusoidal_embeddings(length, width, torch.empty(length, width))


def _timm(length, width):
    # The whole of timm wants torchvision, which has no build for PyTorch's CPU build.
    module = _load("timm.layers.pos_embed_sincos", alone=True)
    return lambda: module.build_sincos2d_pos_embed([length, 1], width)


def _x_transformers(length, width):
    module = _load("x_transformers.x_transformers")
    embedding = module.ScaledSinusoidalEmbedding(width)
    tokens = torch.empty(1, length)
    return lambda: embedding(tokens)


def _positional_encodings(length, width):
    module = _load("positional_encodings.torch_encodings")
    encoding, table = module.PositionalEncoding1D(width), torch.empty(1, length, width)

    def encode():
        encoding.cached_penc = None  # otherwise the second call returns the first one's table
        return encoding(table)[0]

    return encode


def _rotary_embedding_torch(table, frequencies, offset):
    module = _load("rotary_embedding_torch")
    angles = torch.from_numpy(np.repeat(-offset * frequencies, 2))[None]
    return lambda: module.apply_rotary_emb(angles, table, freqs_seq_dim=0)


def _x_transformers_rotation(table, frequencies, offset):
    module = _load("x_transformers.x_transformers")
    angles = torch.from_numpy(np.repeat(-offset * frequencies, 2))[None, None]
    return lambda: module.apply_rotary_pos_emb(table[None], angles)


def _halves(table):
    return np.split(table, 2, axis=1)


def _pairs(table):
    return table[:, 0::2], table[:, 1::2]


def _quarters(table):
    quarter = table.shape[1] // 4  # the other half of the columns encodes the second axis
    return table[:, :quarter], table[:, 2 * quarter : 3 * quarter]


# name: (package, function that makes the table, its sines and cosines, how far the exponent of
# the last pair, k = last, falls short of 1, the factor that the table is multiplied with)
TABLES = {
    "transformers, M2M-100": ("transformers", _m2m100, _halves, "to one", False),
    "transformers, Whisper": ("transformers", _whisper, _halves, "to one", False),
    "transformers, DistilBERT": ("transformers", _distilbert, _pairs, "below one", False),
    "timm": ("timm", _timm, _quarters, "below one", False),
    "x-transformers": ("x-transformers", _x_transformers, _halves, "below one", True),
    "positional-encodings": (
        "positional-encodings",
        _positional_encodings,
        _pairs,
        "below one",
        False,
    ),
}
ROTATIONS = {
    "rotary-embedding-torch": ("rotary-embedding-torch", _rotary_embedding_torch),
    "x-transformers, rotary": ("x-transformers", _x_transformers_rotation),
}


def _working(peers, *arguments):
    for name, (_, prepare, *_) in peers.items():
        try:
            yield name, prepare(*arguments)
        except Exception as reason:
            text = str(reason).splitlines()[0] if str(reason) else ""
            PEERS_MISSING[name] = f"{type(reason).__name__}: {text}"[:160]


def tables(length, width):
    """Return a function that makes the table, for each peer that works."""
    return dict(_working(TABLES, length, width))


def rotations(table, frequencies, offset):
    """Return a function that shifts a float64 table, for each peer that works."""
    return dict(_working(ROTATIONS, torch.from_numpy(table), frequencies, offset))


def versions():
    """Return the version of each package that is compared."""
    packages = {package for package, *_ in (TABLES | ROTATIONS).values()}
    names = sorted(packages | {"torch", "numpy", "scipy", "pandas", "mpmath", "pyperf"})
    return {name: version(name) for name in names}
