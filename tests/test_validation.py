"""What no function may misread in silence, asked of every function that takes numbers."""

from fractions import Fraction

import numpy as np
import pytest

from posenc import (
    Embeddings,
    angular_frequencies,
    apply_rotary,
    clock,
    distance_at,
    distance_matrix,
    dot_product_at,
    dot_product_matrix,
    packed_factors,
    rotary_attention,
    rotation,
    shift_by_loop,
    shift_by_matrix,
    shift_by_packing,
    shift_by_phase,
    shift_by_swapping,
    shift_matrix,
    sinusoidal,
    sinusoidal_by_definition,
    swap_factors,
)
from posenc.attention import dot_product_attention, self_attention, softmax
from posenc.figures import color_limits, heat_map, heat_map_with_zoom
from posenc.grids import fourier_features, sinusoidal_2d
from posenc.long_context import alibi_bias, by_parts, interpolate, ntk_base, turns, yarn_sharpness
from posenc.shifts import continue_by_doubling, phase_factors

LABELS = {"x_label": "x", "y_label": "y", "color_label": "value"}
VECTORS = [[1.0, 2.0], [3.0, 4.0]]

# The argument, the function of it, and a value that is right.
SCALARS = [
    ("base", lambda base: angular_frequencies(4, base=base), 2.5),
    *(
        ("start", lambda start, encode=encode: encode(3, 4, start=start), 2.5)
        for encode in (sinusoidal, sinusoidal_by_definition)
    ),
    ("start", lambda start: apply_rotary([[1.0, 2.0]], [1.0], start=start), 2.5),
    ("base", lambda base: sinusoidal_2d(2, 2, 4, base=base), 2.5),
    ("frequency", lambda frequency: rotation(frequency, 1), 2.5),
    ("offset", lambda offset: rotation(1, offset), 2.5),
    *(
        ("offset", lambda offset, factors=factors: factors([1.0], offset), 2.5)
        for factors in (shift_matrix, packed_factors, swap_factors, phase_factors)
    ),
    ("stretch", lambda stretch: interpolate([1.0], stretch), 2.5),
    ("stretch", lambda stretch: by_parts([1.0], 9, stretch, 1, 4), 2.5),
    ("stretch", lambda stretch: ntk_base(100, 4, stretch), 2.5),
    ("stretch", yarn_sharpness, 2.5),
    ("base", lambda base: ntk_base(base, 4, 2), 2.5),
    ("low", lambda low: by_parts([1.0], 9, 2, low, 4), 2.5),
    ("high", lambda high: by_parts([1.0], 9, 2, 1, high), 2.5),
    ("slope", lambda slope: alibi_bias(3, slope), 2.5),
]
ARRAYS = [
    ("seconds", clock, [1.0, 2.0]),
    *(
        ("frequencies", lambda frequencies, factors=factors: factors(frequencies, 1), [1.0, 2.0])
        for factors in (shift_matrix, packed_factors, swap_factors, phase_factors)
    ),
    *(
        entry
        for shift in (
            shift_by_loop,
            shift_by_matrix,
            shift_by_packing,
            shift_by_swapping,
            shift_by_phase,
        )
        for entry in (
            ("encoding", lambda encoding, shift=shift: shift(encoding, [1.0], 1), VECTORS),
            ("frequencies", lambda w, shift=shift: shift(np.ones((1, 4)), w, 1), [1.0, 2.0]),
        )
    ),
    ("first_row", lambda row: continue_by_doubling(row, [1.0], 3), [0.0, 1.0]),
    ("frequencies", lambda w: continue_by_doubling([0, 1, 0, 1], w, 3), [1.0, 2.0]),
    *(
        entry
        for at in (dot_product_at, distance_at)
        for entry in (
            ("offsets", lambda offsets, at=at: at(offsets, [1.0]), VECTORS),
            ("frequencies", lambda frequencies, at=at: at(1, frequencies), [1.0, 2.0]),
        )
    ),
    *(
        ("frequencies", lambda frequencies, matrix=matrix: matrix(3, frequencies), [1.0, 2.0])
        for matrix in (dot_product_matrix, distance_matrix)
    ),
    ("x", lambda x: apply_rotary(x, [1.0]), VECTORS),
    ("frequencies", lambda frequencies: apply_rotary(np.ones((1, 4)), frequencies), [1.0, 2.0]),
    ("positions", lambda positions: apply_rotary(VECTORS, [1.0], positions=positions), [1.0, 2.0]),
    ("queries", lambda queries: rotary_attention(queries, VECTORS, VECTORS, [1.0]), VECTORS),
    ("keys", lambda keys: rotary_attention(VECTORS, keys, VECTORS, [1.0]), VECTORS),
    ("values", lambda values: rotary_attention(VECTORS, VECTORS, values, [1.0]), VECTORS),
    ("positions", lambda positions: fourier_features(positions, VECTORS), VECTORS),
    ("frequencies", lambda frequencies: fourier_features(VECTORS, frequencies), VECTORS),
    ("frequencies", lambda frequencies: turns(frequencies, 9), [1.0, 2.0]),
    ("frequencies", lambda frequencies: interpolate(frequencies, 2), [1.0, 2.0]),
    ("frequencies", lambda frequencies: by_parts(frequencies, 9, 2, 1, 4), [1.0, 2.0]),
    ("scores", softmax, VECTORS),
    ("queries", lambda queries: dot_product_attention(queries, VECTORS, VECTORS), VECTORS),
    ("keys", lambda keys: dot_product_attention(VECTORS, keys, VECTORS), VECTORS),
    ("values", lambda values: dot_product_attention(VECTORS, VECTORS, values), VECTORS),
    ("x", self_attention, VECTORS),
    ("vectors", lambda vectors: Embeddings(["a", "b"], vectors), VECTORS),
    ("matrix", color_limits, VECTORS),
    ("matrix", lambda matrix: heat_map(matrix, **LABELS), VECTORS),
    ("matrix", lambda matrix: heat_map_with_zoom(matrix, **LABELS), VECTORS),
]
EACH = pytest.mark.parametrize(("name", "function", "right"), SCALARS + ARRAYS)
EACH_ARRAY = pytest.mark.parametrize(("name", "function", "right"), ARRAYS)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def nested(value, depth):
    for _ in range(depth):
        value = [value]
    return value


@EACH
def test_masked_entries_are_refused(name, function, right):
    masked = np.ma.array(right, mask=np.zeros(np.shape(right), bool))
    function(masked)  # nothing is masked yet
    masked[(-1,) * masked.ndim] = np.ma.masked
    with pytest.raises(ValueError, match=rf"^{name} must have no masked entries, got "):
        function(masked)
    if masked.ndim:
        with pytest.raises(ValueError, match=rf"^{name} must have no masked entries, got \["):
            function(list(masked))


def test_a_masked_mask_is_refused():
    mask = np.ma.array(np.ones((2, 2), bool), mask=np.eye(2))
    with pytest.raises(ValueError, match=r"^mask must have no masked entries, got an array"):
        self_attention(VECTORS, mask=mask)


@EACH_ARRAY
@pytest.mark.parametrize("as_given", [np.ndarray.tolist, np.asarray], ids=["list", "objects"])
@pytest.mark.parametrize("boolean", [True, np.False_])
def test_a_boolean_among_numbers_is_refused(name, function, right, as_given, boolean):
    mixed = np.array(right, dtype=object)
    mixed.flat[-1] = boolean
    with pytest.raises(TypeError, match=rf"^{name} must be real numbers, got a"):
        function(as_given(mixed))


@EACH
@pytest.mark.parametrize("boolean", [True, np.True_])
def test_booleans_alone_are_refused(name, function, right, boolean):
    number = "a real number" if np.isscalar(right) else "real numbers"
    with pytest.raises(TypeError, match=rf"^{name} must be {number}, got "):
        function(np.full(np.shape(right), boolean))


def test_a_column_of_booleans_is_refused():
    with pytest.raises(TypeError, match=r"^scores must be real numbers, got a boolean in "):
        softmax([np.array([1.0, 2.0]), np.array([True, False])])


@EACH_ARRAY
def test_rows_of_different_lengths_are_refused_and_named(name, function, right):
    message = (
        rf"^{name} must be .* real numbers, got rows of different lengths: \[\[1\], \[2, 3\]\]$"
    )
    with pytest.raises(ValueError, match=message):
        function([[1], [2, 3]])


@EACH
def test_lists_nested_too_deep_are_refused_for_what_they_are(name, function, right):
    with pytest.raises(ValueError, match=rf"^{name} must be a regular array of real n") as raised:
        function(nested(right, 70))
    assert "different lengths" not in str(raised.value)
    assert "dimension" in str(raised.value)


def test_a_list_that_holds_itself_is_refused():
    endless = [1.0]
    endless[0] = endless
    with pytest.raises(ValueError, match=r"^scores must be a regular array of real numbers, got "):
        softmax(endless)


@EACH
@pytest.mark.parametrize("fault", [None, "a", 1j, object()])
def test_what_is_no_real_number_is_refused(name, function, right, fault):
    value = fault if np.isscalar(right) else np.array(right, dtype=object)
    if value is not fault:
        value.flat[-1] = fault
    with pytest.raises(TypeError, match=rf"^{name} must be (a real number|real numbers), got "):
        function(value if np.isscalar(right) else value.tolist())


@EACH
@pytest.mark.parametrize("fault", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(name, function, right, fault):
    value = np.array(right, dtype=float)
    value[(-1,) * value.ndim] = fault
    message = "must not hold NaN or plus infinity" if name == "scores" else "must be finite"
    with pytest.raises(ValueError, match=rf"^{name} {message}, got {fault}"):
        function(value)


@EACH
def test_fractions_count_as_numbers(name, function, right):
    fractions = np.vectorize(Fraction, otypes=[object])(right)
    function(fractions.tolist())


@EACH
def test_an_integer_beyond_float64_is_refused(name, function, right):
    value = np.array(right, dtype=object)
    value[(-1,) * value.ndim] = 10**400
    with pytest.raises(ValueError, match=f"^{name} must be finite as float64, got 10+[.]{{3}}0+$"):
        function(value.tolist())
