"""What is compared: for each subject, functions of the package, of NumPy and of other packages.

A contender takes a length and a width and returns a function without arguments, which is timed. It
computes as its package does: tables in float32 (DistilBERT in float64, rounded at the end),
rotations in the type of their table. Other packages are imported only when a contender is called,
since the course's tests have none of them.
"""

import functools
import importlib.util
import pkgutil
import sys
from functools import partial
from importlib.metadata import version

import numpy as np
from accuracy import SHIFT

from posenc import shifts
from posenc.distances import distance_matrix
from posenc.encodings import angular_frequencies, encode, sinusoidal

WHISPER = "transformers.models.whisper.modeling_whisper:sinusoids"
DISTILBERT = "transformers.models.distilbert.modeling_distilbert:create_sinusoidal_embeddings"
TIMM = "timm.layers.pos_embed_sincos:build_sincos2d_pos_embed"
SCALED = "x_transformers.x_transformers:ScaledSinusoidalEmbedding"
ROTARY = "rotary_embedding_torch:apply_rotary_emb"
X_ROTARY = "x_transformers.x_transformers:apply_rotary_pos_emb"
CDIST = "scipy.spatial.distance:cdist"
VERSIONS = {name: version(name) for name in ("numpy", "mpmath")}  # `resolve` adds the others


def resolve(name):
    """Return what a package calls `module:name`.

    The packages around a module of timm or of vit-pytorch stay empty, since they would import
    torchvision, which isn't installed.
    """
    package = name.replace(":", ".").partition(".")[0]
    VERSIONS[package.replace("_", "-")] = version(package)
    for around in {"timm": ("timm", "timm.layers"), "vit_pytorch": ("vit_pytorch",)}.get(
        package, ()
    ):
        module = importlib.util.module_from_spec(importlib.util.find_spec(around))
        sys.modules.setdefault(around, module)
    return pkgutil.resolve_name(name)


def empty(*shape):
    """Return a tensor of PyTorch whose values don't matter."""
    return resolve("torch:empty")(*shape)


TABLES = {
    "NumPy, writing alone": lambda n, d: partial(np.full, (n, d), 1.0),
    "posenc, sinusoidal": lambda n, d: partial(sinusoidal, n, d),
    "posenc, sinusoidal, rounded": lambda n, d: lambda: sinusoidal(n, d).astype(np.float32),
    "NumPy, the formula": lambda n, d: lambda: encode(np.arange(n), angular_frequencies(d)),
    "transformers, Whisper": lambda n, d: partial(resolve(WHISPER), n, d),
    "transformers, DistilBERT": lambda n, d: partial(resolve(DISTILBERT), n, d, empty(n, d)),
    "timm": lambda n, d: partial(resolve(TIMM), [n, 1], d),
    "x-transformers": lambda n, d: partial(resolve(SCALED)(d).requires_grad_(False), empty(1, n)),
}


@functools.lru_cache(maxsize=1)
def inputs(length, width):
    """Return a table, its frequencies, and by how many positions it is to be shifted."""
    return sinusoidal(length, width), angular_frequencies(width), SHIFT


def tensors(length, width):
    """Return the table, and the angles by which its columns are to be turned."""
    table, frequencies, offset = inputs(length, width)
    arrays = table[None], np.repeat(-offset * frequencies, 2)[None, None]
    return [resolve("torch:from_numpy")(array) for array in arrays]


SHIFTS = {
    "NumPy, copying alone": lambda n, d: inputs(n, d)[0].copy,
    "posenc, shift_by_phase": lambda n, d: partial(shifts.shift_by_phase, *inputs(n, d)),
    "posenc, shift_by_swapping": lambda n, d: partial(shifts.shift_by_swapping, *inputs(n, d)),
    "posenc, shift_by_packing": lambda n, d: partial(shifts.shift_by_packing, *inputs(n, d)),
    "posenc, shift_by_matrix": lambda n, d: partial(shifts.shift_by_matrix, *inputs(n, d)),
    "posenc, shift_by_loop": lambda n, d: partial(shifts.shift_by_loop, *inputs(n, d)),
    "rotary-embedding-torch": lambda n, d: partial(resolve(ROTARY), *reversed(tensors(n, d))),
    "x-transformers": lambda n, d: partial(resolve(X_ROTARY), *tensors(n, d)),
}


def by_gram(table):
    """Return the distances from the products, cut off at zero."""
    squares = np.einsum("ij,ij->i", table, table)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * (table @ table.T), 0))


def by_broadcasting(table):
    """Return the distances from an array of the differences of all rows."""
    return np.linalg.norm(table[:, None] - table, axis=-1)


DISTANCES = {
    "NumPy, writing alone": lambda n, d: partial(np.full, (n, n), 1.0),
    "posenc, distance_matrix": lambda n, d: partial(distance_matrix, n, angular_frequencies(d)),
    "NumPy, Gram product": lambda n, d: partial(by_gram, inputs(n, d)[0]),
    "NumPy, broadcasting": lambda n, d: partial(by_broadcasting, inputs(n, d)[0]),
    "SciPy, cdist": lambda n, d: partial(resolve(CDIST), inputs(n, d)[0], inputs(n, d)[0]),
}
LARGEST = {  # how many numbers a table may have; all others take any
    "transformers, DistilBERT": 10**7,  # it loops in Python: minutes where others take a second
    "NumPy, broadcasting": 1000 * 512,  # the differences would fill gigabytes
}
