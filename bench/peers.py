"""The peers themselves, as their packages bring them: tables of positions and rotations.

Each peer computes as its package does: tables in float32 (DistilBERT in float64, rounded at the
end), rotations in the type of the table that they are given. Nothing is imported before it is
measured, so that a package that is not there takes only itself out of the measurement:
`PEERS_MISSING` says which, and why.
"""

import functools
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np

PEERS_MISSING = {}
"""Why a peer is missing, by its name."""


@functools.cache
def _torch():
    import torch

    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    return torch


@functools.cache
def _load(name, *, alone=False):
    """Import a module that uses PyTorch; `alone` leaves out what its packages import besides."""
    _torch()
    if not alone:
        return importlib.import_module(name)
    root, *inner = name.split(".")
    folder = Path(importlib.util.find_spec(root).origin).parent
    for depth in range(len(inner)):
        package = types.ModuleType(".".join([root, *inner[:depth]]))
        package.__path__ = [str(folder.joinpath(*inner[:depth]))]
        sys.modules[package.__name__] = package
    module = importlib.import_module(name)
    for known in [known for known in sys.modules if known.split(".")[0] == root]:
        del sys.modules[known]  # the empty packages are nobody else's
    return module


def _m2m100(length, width):
    module = _load("transformers.models.m2m_100.modeling_m2m_100")
    embedding = module.M2M100SinusoidalPositionalEmbedding
    return lambda: embedding.get_embedding(length, width)


def _whisper(length, width):
    module = _load("transformers.models.whisper.modeling_whisper")
    return lambda: module.sinusoids(length, width)


def _distilbert(length, width):
    module = _load("transformers.models.distilbert.modeling_distilbert")
    empty = _torch().empty
    return lambda: module.create_sinusoidal_embeddings(length, width, empty(length, width))


def _timm(length, width):
    # The whole of timm wants torchvision, which has no build for PyTorch's CPU build.
    module = _load("timm.layers.pos_embed_sincos", alone=True)
    return lambda: module.build_sincos2d_pos_embed([length, 1], width)


def _x_transformers(length, width):
    module = _load("x_transformers.x_transformers")
    embedding = module.ScaledSinusoidalEmbedding(width)
    tokens = _torch().empty(1, length)
    return lambda: embedding(tokens)


def _positional_encodings(length, width):
    module = _load("positional_encodings.torch_encodings")
    encoding, table = module.PositionalEncoding1D(width), _torch().empty(1, length, width)

    def encode():
        encoding.cached_penc = None  # otherwise the second call returns the first one's table
        return encoding(table)[0]

    return encode


def _rotary_embedding_torch(table, frequencies, offset):
    module, table = _load("rotary_embedding_torch"), _torch().from_numpy(table)
    angles = _torch().from_numpy(np.repeat(-offset * frequencies, 2))[None]
    return lambda: module.apply_rotary_emb(angles, table, freqs_seq_dim=0)


def _x_transformers_rotation(table, frequencies, offset):
    module, table = _load("x_transformers.x_transformers"), _torch().from_numpy(table)
    angles = _torch().from_numpy(np.repeat(-offset * frequencies, 2))[None, None]
    return lambda: module.apply_rotary_pos_emb(table[None], angles)


def _halves(table):
    return np.split(table, 2, axis=1)


def pairs(table):
    """Return the sines and cosines of a table whose columns 2k and 2k+1 are a pair."""
    return table[:, 0::2], table[:, 1::2]


def _quarters(table):
    quarter = table.shape[1] // 4  # the other half of the columns encodes the second axis
    return table[:, :quarter], table[:, 2 * quarter : 3 * quarter]


class Table(NamedTuple):
    """A peer's table of positions: where it comes from, and which numbers it ought to hold."""

    package: str
    make: Callable
    columns: Callable  # returns the sines and the cosines
    pairs: Callable  # of the width; pair k has the frequency 10000 ** (-k / pairs)
    scale: Callable = lambda width: 1.0


TABLES = {
    "transformers, M2M-100": Table("transformers", _m2m100, _halves, lambda d: d // 2 - 1),
    "transformers, Whisper": Table("transformers", _whisper, _halves, lambda d: d // 2 - 1),
    "transformers, DistilBERT": Table("transformers", _distilbert, pairs, lambda d: d // 2),
    "timm": Table("timm", _timm, _quarters, lambda d: d // 4),
    "x-transformers": Table(
        "x-transformers", _x_transformers, _halves, lambda d: d // 2, lambda d: d**-0.5
    ),
    "positional-encodings": Table(
        "positional-encodings", _positional_encodings, pairs, lambda d: d // 2
    ),
}
ROTATIONS = {
    "rotary-embedding-torch": ("rotary-embedding-torch", _rotary_embedding_torch),
    "x-transformers, rotary": ("x-transformers", _x_transformers_rotation),
}


def _working(peers, *arguments):
    for name, (_, make, *_) in peers.items():
        try:
            function = make(*arguments)
            function()
            yield name, function
        except Exception as reason:
            text = str(reason).splitlines()[0] if str(reason) else ""
            PEERS_MISSING[name] = f"{type(reason).__name__}: {text}"[:160]


def tables(length, width, *, without=()):
    """Return a function that makes the table, for each peer that works."""
    wanted = {name: peer for name, peer in TABLES.items() if name not in without}
    return dict(_working(wanted, length, width))


def rotations(table, frequencies, offset):
    """Return a function that shifts a float64 table, for each peer that works."""
    return dict(_working(ROTATIONS, table, frequencies, offset))


def versions():
    """Return the version of each package that is compared; None for those that are missing."""
    packages = {package for package, *_ in (TABLES | ROTATIONS).values()}
    found = {}
    for name in sorted(packages | {"torch", "numpy", "scipy", "pandas", "mpmath", "pyperf"}):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found
