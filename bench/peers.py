"""What other packages bring: tables of positions, rotations, distances, and a training step.

Each computes as its package does: tables in float32 (DistilBERT in float64, rounded at the end),
rotations in the type of the table that they are given. Nothing is imported before it is measured,
so a package that is not there takes only itself out of the measurement: `MISSING` says why.
"""

import functools
import importlib
import importlib.util
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import NamedTuple

import numpy as np

MISSING = {}  # why, by the peer's name
VERSIONS = {name: version(name) for name in ("numpy", "mpmath")}  # and of each peer's package


@functools.cache
def _load(name):
    """Import a module, with PyTorch in one thread."""
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    return importlib.import_module(name)


def _load_alone(name):
    """Import a module, and leave the packages around it empty."""
    parts = name.split(".")
    for package in (".".join(parts[:depth]) for depth in range(1, len(parts))):
        if package not in sys.modules:
            spec = importlib.util.find_spec(package)
            sys.modules[package] = importlib.util.module_from_spec(spec)
    return _load(name)


def _m2m100(length, width):
    module = _load("transformers.models.m2m_100.modeling_m2m_100")
    return lambda: module.M2M100SinusoidalPositionalEmbedding.get_embedding(length, width)


def _whisper(length, width):
    module = _load("transformers.models.whisper.modeling_whisper")
    return lambda: module.sinusoids(length, width)


def _distilbert(length, width):
    module, empty = (
        _load("transformers.models.distilbert.modeling_distilbert"),
        _load("torch").empty,
    )
    return lambda: module.create_sinusoidal_embeddings(length, width, empty(length, width))


def _timm(length, width):
    # The whole of timm wants torchvision, which has no build for PyTorch's CPU build.
    module = _load_alone("timm.layers.pos_embed_sincos")
    return lambda: module.build_sincos2d_pos_embed([length, 1], width)


def _x_transformers(length, width):
    module, tokens = _load("x_transformers.x_transformers"), _load("torch").empty(1, length)
    embedding = module.ScaledSinusoidalEmbedding(width).requires_grad_(False)
    return lambda: embedding(tokens)


def _positional_encodings(length, width):
    module, torch = _load("positional_encodings.torch_encodings"), _load("torch")
    encoding, table = module.PositionalEncoding1D(width), torch.empty(1, length, width)

    def encode():
        encoding.cached_penc = None  # otherwise the second call returns the first one's table
        return encoding(table)[0]

    return encode


def _rotary_embedding_torch(table, frequencies, offset):
    module, tensor = _load("rotary_embedding_torch"), _load("torch").from_numpy
    table, angles = tensor(table), tensor(np.repeat(-offset * frequencies, 2))[None]
    return lambda: module.apply_rotary_emb(angles, table, freqs_seq_dim=0)


def _x_transformers_rotation(table, frequencies, offset):
    module, tensor = _load("x_transformers.x_transformers"), _load("torch").from_numpy
    table, angles = tensor(table)[None], tensor(np.repeat(-offset * frequencies, 2))[None, None]
    return lambda: module.apply_rotary_pos_emb(table, angles)


def _cdist(table):
    distance = importlib.import_module("scipy.spatial.distance")
    return lambda: distance.cdist(table, table)


def _training_step(length, width):
    torch, tokens = _load("torch"), _load("torch").randn(1, length, width)
    layer = torch.nn.TransformerEncoderLayer(width, 16, 4 * width, dropout=0, batch_first=True)
    optimizer = torch.optim.Adam(layer.parameters())

    def step():
        optimizer.zero_grad()
        layer(tokens).square().mean().backward()
        optimizer.step()

    return step


def _halves(table):
    return np.split(table, 2, axis=1)


def pairs(table):
    """Return the sines and cosines of a table whose columns 2k and 2k+1 are a pair."""
    return table[:, 0::2], table[:, 1::2]


def _quarters(table):
    return np.split(table, 4, axis=1)[::2]  # the other columns encode the second axis


class Table(NamedTuple):
    """A package's table of positions, and which numbers it ought to hold."""

    package: str
    make: Callable  # returns a function without arguments
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
LOOPS = {"transformers, DistilBERT"}  # in Python: minutes where others take half a second
ROTATIONS = {
    "rotary-embedding-torch": ("rotary-embedding-torch", _rotary_embedding_torch),
    "x-transformers": ("x-transformers", _x_transformers_rotation),
}
DISTANCES = {"SciPy, cdist": ("scipy", _cdist)}
STEPS = {"PyTorch, a training step": ("torch", _training_step)}


def working(peers, *arguments):
    """Return the functions, by name, of the peers that can be called with the arguments."""
    found = {}
    for name, (package, make, *_) in peers.items():
        try:
            VERSIONS[package] = version(package)
            function = make(*arguments)
            function()
            found[name] = function
        except Exception as reason:
            MISSING[name] = f"{type(reason).__name__}: {reason}".splitlines()[0][:160]
    return found
