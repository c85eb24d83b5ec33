"""Positional encodings: tables, shifts, distances, attention, turning and words.

The helper package of the course *Positional Encoding, from the Clock to the Rotation*. Its
functions are found here and in their modules; those of attention in `posenc.attention` alone, since
one of them has that name too.
"""

from posenc import attention as attention
from posenc.distances import distance_at, distance_matrix, dot_product_at, dot_product_matrix
from posenc.embeddings import Embeddings, load_glove
from posenc.encodings import (
    angular_frequencies,
    binary,
    clock,
    sinusoidal,
    sinusoidal_by_definition,
)
from posenc.rotary import apply_rotary, rotary_attention
from posenc.shifts import (
    packed_factors,
    rotation,
    shift_by_loop,
    shift_by_matrix,
    shift_by_packing,
    shift_by_phase,
    shift_by_swapping,
    shift_matrix,
    swap_factors,
)

__all__ = [
    "Embeddings",
    "angular_frequencies",
    "apply_rotary",
    "binary",
    "clock",
    "distance_at",
    "distance_matrix",
    "dot_product_at",
    "dot_product_matrix",
    "load_glove",
    "packed_factors",
    "rotary_attention",
    "rotation",
    "shift_by_loop",
    "shift_by_matrix",
    "shift_by_packing",
    "shift_by_phase",
    "shift_by_swapping",
    "shift_matrix",
    "sinusoidal",
    "sinusoidal_by_definition",
    "swap_factors",
]
