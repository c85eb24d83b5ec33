"""Products and distances of positions against the table and against 40 digits."""

import mpmath
import numpy as np
import pytest
from cost import peak_memory, transcendental_values
from hypothesis import given
from hypothesis import strategies as st
from oracles import exact_distance, exact_frequencies, exact_product, table_by_loop

from posenc import (
    angular_frequencies,
    distance_at,
    distance_matrix,
    dot_product_at,
    dot_product_matrix,
    sinusoidal_by_definition,
)

MATRICES = pytest.mark.parametrize("matrix", [dot_product_matrix, distance_matrix])
AT = pytest.mark.parametrize("at", [dot_product_at, distance_at])

positions = st.floats(-1000, 1000)
widths = st.integers(1, 10).map(lambda pairs: 2 * pairs)


@given(widths, positions, positions)
def test_products_depend_on_the_offset_only(width, start, offset):
    frequencies = angular_frequencies(width)
    here = sinusoidal_by_definition(1, width, start=start)[0]
    there = sinusoidal_by_definition(1, width, start=start + offset)[0]
    # up to 10 pairs, each angle up to 2000 and rounded by up to 1.1e-13 a few times
    assert dot_product_at(offset, frequencies) == pytest.approx(here @ there, abs=5e-12)
    expected = np.linalg.norm(here - there)
    assert distance_at(offset, frequencies) == pytest.approx(expected, abs=5e-12)


@AT
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 1, 4)])
def test_offsets_of_any_shape(at, shape):
    frequencies = angular_frequencies(6)
    offsets = np.random.default_rng(4).normal(size=shape)
    values = at(offsets, frequencies)
    assert np.shape(values) == shape
    each = [at(float(offset), frequencies) for offset in offsets.flat]
    np.testing.assert_allclose(np.ravel(values), each, rtol=1e-14)


@AT
@given(st.floats(-1e5, 1e5))
def test_after_is_as_before(at, offset):
    frequencies = angular_frequencies(16)
    assert at(offset, frequencies) == at(-offset, frequencies)


def test_offset_zero():
    frequencies = angular_frequencies(512)
    assert dot_product_at(0, frequencies) == 256
    assert distance_at(0, frequencies) == 0


@pytest.mark.parametrize("offset", [1e-150, 1e-20, 1e-12, -1e-9, 1e-6, 1e-3, 1.0])
def test_tiny_offsets_keep_their_digits(offset):
    frequencies = angular_frequencies(16)
    with mpmath.workdps(350):  # the cosine of 1e-150 differs from 1 after 300 digits
        exact = float(exact_distance(offset, frequencies))
    assert distance_at(offset, frequencies) == pytest.approx(exact, rel=1e-14, abs=0)


def test_neighbor_distance_of_the_notebook():
    assert distance_at(1, angular_frequencies(500)) == pytest.approx(3.672, abs=5e-4)


def test_first_rise_of_the_product():
    for width, rise in [(64, 5), (128, 11), (256, 24), (512, 43)]:
        profile = dot_product_at(np.arange(100), angular_frequencies(width))
        assert np.flatnonzero(np.diff(profile) > 0)[0] == rise  # the first valley


def test_encoding_does_not_repeat_after_the_longest_wavelength():
    assert distance_at(62_832, angular_frequencies(512)) == pytest.approx(23.4, abs=0.05)


# --- matrices ---


@MATRICES
@pytest.mark.parametrize("length", [0, 1, 2, 3, 65])
def test_matrix_is_that_of_the_table(matrix, length):
    width = 20
    table = table_by_loop(length, width)
    if matrix is dot_product_matrix:
        expected = table @ table.T
    else:
        expected = np.linalg.norm(table[:, None] - table[None, :], axis=-1)
    result = matrix(length, angular_frequencies(width))
    assert result.shape == (length, length)
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-13)  # angles up to 65


@MATRICES
@pytest.mark.parametrize("view", [False, True])
def test_matrix_is_symmetric_toeplitz(matrix, view):
    result = matrix(100, angular_frequencies(64), view=view)
    np.testing.assert_array_equal(result, result.T)
    np.testing.assert_array_equal(result[1:, 1:], result[:-1, :-1])
    at = distance_at if matrix is distance_matrix else dot_product_at
    np.testing.assert_allclose(
        result[0], at(np.arange(100), angular_frequencies(64)), rtol=0, atol=1e-13
    )


@pytest.mark.parametrize("view", [False, True])
def test_diagonal_is_exact(view):
    frequencies = angular_frequencies(64)
    assert (np.diag(distance_matrix(100, frequencies, view=view)) == 0).all()
    assert (np.diag(dot_product_matrix(100, frequencies, view=view)) == 32).all()


def test_matrix_keeps_the_digits_of_slow_pairs():
    result = distance_matrix(4, [1e-9])  # a chord is as long as its angle up to 1e-18
    np.testing.assert_allclose(result[0], [0, 1e-9, 2e-9, 3e-9], rtol=1e-14)


@given(st.lists(st.floats(-4, 4), min_size=1, max_size=10), st.integers(0, 40))
def test_distances_of_any_frequencies_are_the_closed_form(frequencies, length):
    # Where the encodings nearly meet again, 1 - cos would keep half of the digits only.
    expected = distance_at(np.arange(length), frequencies)
    result = distance_matrix(length, frequencies, view=True)
    # angles up to 160 are rounded by 1.4e-14, and a square of at least 1/50 halves few digits
    np.testing.assert_allclose(result[:1], expected[None][:length], rtol=0, atol=2e-12)


@pytest.mark.parametrize("turns", [1, 3])
def test_distance_of_positions_that_meet_again(turns):
    frequency = 2 * np.pi * turns / 7
    assert distance_matrix(8, [frequency])[0, 7] == pytest.approx(0, abs=1e-14)


@MATRICES
@pytest.mark.parametrize("length", [1000, 4096])
def test_large_matrix_against_forty_digits(matrix, length):
    frequencies = angular_frequencies(512)
    view = matrix(length, frequencies, view=True)
    exactly = exact_product if matrix is dot_product_matrix else exact_distance
    for offset in [1, 2, 100, length // 2 + 3, length - 1]:
        with mpmath.workdps(40):
            exact = float(exactly(offset, exact_frequencies(512)))
        # Angles up to 4096 are rounded by 4.5e-13; 256 such terms add up at random.
        assert abs(view[0, offset] - exact) <= 1e-12
    diagonal = 256 if matrix is dot_product_matrix else 0
    assert (np.diag(view) == diagonal).all()


@MATRICES
@pytest.mark.parametrize("length", [100, 1000, 10_000])
def test_a_matrix_needs_few_sines(matrix, length, monkeypatch):
    frequencies = angular_frequencies(64)
    found = transcendental_values(monkeypatch, matrix, length, frequencies, view=True)
    # the doublings of two tables of about sqrt(n) rows each, and the sines of offset 0
    assert found <= 32 * (np.ceil(np.log2(length)) + 2)


@MATRICES
@pytest.mark.parametrize("slowness", [1, 1e-9])
def test_a_wide_matrix_needs_no_wide_tables(matrix, slowness):
    length, width = 10_000, 512
    frequencies = slowness * angular_frequencies(width)
    _, peak = peak_memory(matrix, length, frequencies, view=True)
    # two tables of at most 2 sqrt(n) rows, and a few times n numbers; n x d would be 41 MB
    assert peak < 8 * (2 * 2 * 100 * width + 8 * length)


@MATRICES
def test_view_is_read_only_and_small(matrix):
    frequencies = angular_frequencies(4)
    view, peak = peak_memory(matrix, 5000, frequencies, view=True)
    with pytest.raises(ValueError, match=r"^assignment destination is read-only$"):
        view[0, 0] = 1
    assert view.nbytes == 5000 * 5000 * 8
    assert peak < 8 * 5000 * 8  # a few numbers a position


@MATRICES
def test_copy_is_writable_and_alone(matrix):
    result, peak = peak_memory(matrix, 1000, angular_frequencies(64))
    assert peak < 1.1 * result.nbytes
    before = result[1, 0]
    result[0, 1] = 99
    assert result[1, 0] == before


# --- bad input ---


@AT
@pytest.mark.parametrize(
    ("offsets", "frequencies", "error", "message"),
    [
        (np.nan, [1.0], ValueError, "offsets must be finite, got nan"),
        ([1, np.inf], [1.0], ValueError, "offsets must be finite, got inf"),
        ("1", [1.0], TypeError, "offsets must be real numbers, got '1'"),
        (1, [np.nan], ValueError, "frequencies must be finite, got nan"),
        (
            1,
            1.0,
            ValueError,
            "frequencies must have shape (d/2,) with at least one pair, got shape ()",
        ),
        (
            [0, -1e200],
            [1.0, 1e200],
            ValueError,
            "frequency times offset must be an angle that float64 can hold, "
            "got 1e+200 times 1e+200",
        ),
    ],
)
def test_bad_arguments(at, offsets, frequencies, error, message):
    with pytest.raises(error) as raised:
        at(offsets, frequencies)
    assert str(raised.value) == message


@MATRICES
@pytest.mark.parametrize(
    ("length", "frequencies", "error", "message"),
    [
        (-1, [1.0], ValueError, "length must be a non-negative integer, got -1"),
        (2.5, [1.0], TypeError, "length must be a non-negative integer, got 2.5"),
        (2, [np.inf], ValueError, "frequencies must be finite, got inf"),
        (
            2,
            [],
            ValueError,
            "frequencies must have shape (d/2,) with at least one pair, got shape (0,)",
        ),
    ],
)
def test_bad_arguments_of_a_matrix(matrix, length, frequencies, error, message):
    with pytest.raises(error) as raised:
        matrix(length, frequencies)
    assert str(raised.value) == message


@MATRICES
def test_a_matrix_of_angles_beyond_float64_is_refused(matrix):
    with pytest.raises(ValueError, match=r"^frequency times offset must be .* 1e\+308 times 5$"):
        matrix(5, [1e308])
    assert np.isfinite(matrix(5, [1e307])).all()


@MATRICES
@pytest.mark.parametrize("view", ["no", 0, None, np.ones(2, bool)])
def test_view_is_true_or_false(matrix, view):
    with pytest.raises(TypeError, match=r"^view must be True or False, got "):
        matrix(2, [1.0], view=view)
    assert matrix(2, [1.0], view=np.True_).flags.writeable is False
