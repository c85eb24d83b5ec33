"""The exercises of notebook 9."""

import math
from fractions import Fraction

import numpy as np
import pytest

from posenc import checks
from posenc.distances import dot_product_at
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.rotary import apply_rotary
from posenc.shifts import rotation, shift_by_swapping, shift_matrix

from .exercise_laws import feedback_of, hold, is_right, is_wrong


def test_caught_up():
    scores = [
        apply_rotary([[0, 1]], [np.pi / 12], start=s) @ apply_rotary([[1, 0]], [np.pi / 12]).T
        for s in range(24)
    ]
    hold(
        checks.caught_up,
        right=[6, 6.0, np.argmax(scores), np.array(6), (math.pi / 2) / (math.pi / 12)],
        wrong=[
            (18, "is ahead before the turn"),
            (12, "at a right angle again"),
            (0, "stand at a right angle"),
            (3, "not in 12"),
            (90, "in degrees"),
            (math.pi / 2, "in radians"),
            (1.5707963, "in radians"),
            (-6, "stand ahead of the query"),
            (30, "twenty-fourth"),
            (7, "twenty-fourth"),
            (np.squeeze(scores), "shape (24,)"),
            ("six", "the text 'six'"),
        ],
    )


def by_loop(query, key, frequencies, distances):
    scores = []
    for r in distances:
        score = 0.0
        for k in range(len(query) // 2):
            angle = frequencies[k] * r if k < len(frequencies) else 0.0
            q0, q1, x0, x1 = *query[2 * k : 2 * k + 2], *key[2 * k : 2 * k + 2]
            score += (q0 * x0 + q1 * x1) * math.cos(angle) + (q1 * x0 - q0 * x1) * math.sin(angle)
        scores.append(score)
    return scores


def padded(query, frequencies):
    return np.pad(frequencies, (0, len(query) // 2 - len(frequencies)))


def by_package(query, key, frequencies, distances):
    rows = np.tile(query, (len(distances), 1))
    return apply_rotary(rows, padded(query, frequencies), positions=distances) @ key


def by_matrix(query, key, frequencies, distances):
    speeds = padded(query, frequencies)
    return np.array([query @ shift_matrix(speeds, -r) @ key for r in distances])


def by_hands(query, key, frequencies, distances):
    """Compute lengths and angles, as on the page."""
    speeds = padded(query, frequencies)
    lengths = np.hypot(query[0::2], query[1::2]) * np.hypot(key[0::2], key[1::2])
    lead = np.arctan2(key[0::2], key[1::2]) - np.arctan2(query[0::2], query[1::2])
    return np.array([np.sum(lengths * np.cos(speeds * r - lead)) for r in distances])


def in_two_parts(query, key, frequencies, distances):
    turning = 2 * len(frequencies)
    still = query[turning:] @ key[turning:]
    scores = by_package(query[:turning], key[:turning], frequencies, distances)
    return [score + still for score in scores]


def moved(query, key, frequencies, distances):
    """Turn both, far from position 0."""
    speeds = padded(query, frequencies)
    key = apply_rotary([key], speeds, start=50)
    return [(apply_rotary([query], speeds, start=50 + r) @ key.T).item() for r in distances]


def halves(x):
    return np.stack(np.split(x, 2), axis=-1).ravel()


def only_cosines(query, key, frequencies, distances):
    alike = query[0::2] * key[0::2] + query[1::2] * key[1::2]
    return np.cos(np.outer(distances, padded(query, frequencies))) @ alike


def sum_of_places(query, key, frequencies, distances):
    """Forget the conjugate."""
    speeds = padded(query, frequencies)
    products = (query[0::2] + 1j * query[1::2]) * (key[0::2] + 1j * key[1::2])
    return (np.exp(-1j * np.outer(distances, speeds)) @ products).real


def lengths_of(query, key):
    return np.hypot(query[0::2], query[1::2]) * np.hypot(key[0::2], key[1::2])


def angles_forgotten(query, key, frequencies, distances):
    speeds = padded(query, frequencies)
    return np.cos(np.outer(distances, speeds)) @ lengths_of(query, key)


def both_turned(query, key, frequencies, distances):
    """Turn query and key by the same distance, which cancels."""
    return np.full(len(distances), query @ key)


def returned_too_soon(query, key, frequencies, distances):
    scores = []
    for r in distances:
        scores.append(by_hands(query, key, frequencies, [r])[0])
        return scores


def test_score_curve():
    hold(
        checks.score_curve,
        right=[by_loop, by_package, by_matrix, by_hands, in_two_parts, moved],
        wrong=[
            (lambda q, x, w, r: by_hands(q, x, w, -r), "the other way"),
            (lambda q, x, w, r: by_hands(x, q, w, r), "the other way"),
            (lambda q, x, w, r: by_loop(q[::-1], x[::-1], w[::-1], r), "where (3.62"),
            (sum_of_places, "wants a conjugate"),
            (only_cosines, "tells before from after"),
            (angles_forgotten, "every δ is 0"),
            (lambda q, x, w, r: np.full(len(r), lengths_of(q, x).sum()), "Nothing turns"),
            (lambda q, x, w, r: np.abs(by_hands(q, x, w, r)), "lost their sign"),
            (
                lambda q, x, w, r: by_hands(q[: 2 * len(w)], x[: 2 * len(w)], w, r),
                "have the same part at every distance",
            ),
            (lambda q, x, w, r: by_hands(halves(q), halves(x), w, r), "column k + d/2"),
            (lambda q, x, w, r: by_hands(q, x, w, r) / np.sqrt(len(q)), "divide by √d"),
            (lambda q, x, w, r: by_hands(q, x, np.ones(len(w)), r), "at the speed 1"),
            (lambda q, x, w, r: by_hands(q, x, angular_frequencies(len(q)), r), "base 10 000"),
            (both_turned, "where"),
            (lambda q, x, w, r: by_package(q, x, w, r[:1]), "should be"),
            (lambda q, x, w, r: by_matrix(q, x, w, r)[:, None], "should be"),
            (lambda q, x, w, r: by_package(q, x, w, range(len(r))), "0, 1, 2 and so on"),
            (returned_too_soon, "`return` stands inside a loop"),
            (lambda q, x, w, r: np.round(by_matrix(q, x, w, r), 2), "rounded to 2 decimals"),
        ],
    )


def test_the_absolute_value_of_the_sum_is_known():
    def sizes(query, key, frequencies, distances):
        products = (query[0::2] + 1j * query[1::2]) * (key[0::2] - 1j * key[1::2])
        return abs(np.exp(-1j * np.outer(distances, padded(query, frequencies))) @ products)

    assert "with its sign" in is_wrong(checks.score_curve, sizes)


def rows_by_loop(vectors, frequencies, positions):
    turned = []
    for row, position in zip(vectors, positions):
        turned.append([])
        for k, frequency in enumerate(frequencies):
            turned[-1] += list(rotation(frequency, position) @ row[2 * k : 2 * k + 2])
    return turned


def rows_by_swapping(vectors, frequencies, positions):
    rows = zip(vectors, positions)
    return np.vstack([shift_by_swapping(row[None], frequencies, t) for row, t in rows])


def rows_by_package(vectors, frequencies, positions):
    return apply_rotary(vectors, frequencies, positions=positions)


def with_a_copy(vectors, frequencies, positions):
    """Mend the given function by one word."""
    angles = np.outer(positions, frequencies)
    cosines, sines = np.cos(angles), np.sin(angles)
    turned = np.array(vectors, dtype=float)
    old = turned[:, 0::2].copy()
    turned[:, 0::2] *= cosines
    turned[:, 0::2] += sines * turned[:, 1::2]
    turned[:, 1::2] *= cosines
    turned[:, 1::2] -= sines * old
    return turned


def given(vectors, frequencies, positions):
    angles = np.outer(positions, frequencies)
    cosines, sines = np.cos(angles), np.sin(angles)
    turned = np.array(vectors, dtype=float)
    turned[:, 0::2] *= cosines
    turned[:, 0::2] += sines * turned[:, 1::2]
    turned[:, 1::2] *= cosines
    turned[:, 1::2] -= sines * turned[:, 0::2]
    return turned


def other_first(vectors, frequencies, positions):
    angles = np.outer(positions, frequencies)
    cosines, sines = np.cos(angles), np.sin(angles)
    turned = np.array(vectors, dtype=float)
    turned[:, 1::2] *= cosines
    turned[:, 1::2] -= sines * turned[:, 0::2]
    turned[:, 0::2] *= cosines
    turned[:, 0::2] += sines * turned[:, 1::2]
    return turned


def of_integers(vectors, frequencies, positions):
    turned = np.zeros(vectors.shape, dtype=int)
    turned[...] = rows_by_package(vectors, frequencies, positions)
    return turned


def in_place(vectors, frequencies, positions):
    vectors[...] = rows_by_package(vectors, frequencies, positions)
    return vectors


def in_halves(vectors, frequencies, positions):
    first, second = np.split(vectors, 2, axis=1)
    angles = np.outer(positions, frequencies)
    cosines, sines = np.cos(angles), np.sin(angles)
    return np.hstack([cosines * first + sines * second, cosines * second - sines * first])


def encodings(positions, frequencies):
    angles = np.outer(positions, frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def backwards(vectors, frequencies, positions):
    return rows_by_package(vectors, frequencies, -np.asarray(positions))


def test_repaired_turn():
    hold(
        checks.repaired_turn,
        right=[rows_by_loop, rows_by_swapping, rows_by_package, with_a_copy],
        wrong=[
            (given, "It is still the function that was given"),
            (other_first, "the sines are made of cosines"),
            (backwards, "turns backwards"),
            (lambda v, w, p: apply_rotary(v, w), "each row by its number"),
            (lambda v, w, p: apply_rotary(v, w, start=p[0]), "differ"),
            (lambda v, w, p: rows_by_package(v, np.ones(len(w)), p), "position times its freq"),
            (in_halves, "column k + d/2"),
            (lambda v, w, p: v + encodings(p, w), "nothing is added"),
            (lambda v, w, p: v * encodings(p, w), "mixes the two numbers"),
            (lambda v, w, p: v * np.repeat(np.cos(np.outer(p, w)), 2, axis=1), "cosines alone"),
            (lambda v, w, p: v, "as they were given"),
            (lambda v, w, p: rows_by_package(v, angular_frequencies(v.shape[1]), p), "10 000"),
            (lambda v, w, p: 2 * rows_by_package(v, w, p), "changes the length of no row"),
            (of_integers, "integers"),
            (in_place, "changes its input `vectors`"),
            (lambda v, w, p: rows_by_package(v, w, p).T, "Rows and columns are exchanged"),
            (lambda v, w, p: rows_by_package(v, w, p)[:, 0::2], "should be"),
        ],
    )


def test_how_long_it_is_made_is_asked_for_besides():
    assert "Still wanted: `made_long`" in feedback_of(checks.repaired_turn, rows_by_loop).message
    for long in (math.sqrt(2), 1.41, 1.414, np.float32(2) ** 0.5, Fraction(99, 70)):
        is_right(checks.repaired_turn, rows_by_loop, long)
    made = given(np.array([[0.0, 1.0]]), [np.pi / 2], [1])
    is_right(checks.repaired_turn, rows_by_loop, np.linalg.norm(made))
    for wrong, words in (
        (1, "So long would a turn leave it"),
        (2, "the square of the length"),
        (0, "not lost"),
        (1.5, "Follow (0, 1)"),
        (1.38, "Follow (0, 1)"),
    ):
        assert words in is_wrong(checks.repaired_turn, rows_by_loop, wrong)
    assert "still the function" in is_wrong(checks.repaired_turn, given, math.sqrt(2))


def constants(query, *keys):
    """Return an answer that looks at places, each with its weight."""

    def answer(frequencies, near, far):
        of = {"near": near, "far": far, "zero": 0}
        encoded = {name: encodings([place], frequencies)[0] for name, place in of.items()}
        return np.array([encoded[query], sum(weight * encoded[name] for name, weight in keys)])

    return answer


both = constants("zero", ("near", 1), ("far", 1))


def fast_pairs(frequencies, near, far):
    return both(frequencies, near, far) * np.repeat(frequencies > 0.05, 2)


def from_elsewhere(frequencies, near, far):
    """Begin with other hands, and turn them back."""
    query = np.random.default_rng(0).normal(size=2 * len(frequencies))
    query = np.ravel(query.reshape(-1, 2) / np.hypot(*query.reshape(-1, 2).T)[:, None])
    keys = [shift_matrix(frequencies, place) @ query for place in (near, far)]
    return query, keys[0] + keys[1]


def split_query(frequencies, near, far):
    """Let the query hold the two places, and the key none."""
    query, key = encodings([-near, 0], frequencies)
    return [query + encodings([-far], frequencies)[0], key]


def nearly_equal(frequencies, near, far):
    return both(frequencies, near, far) @ np.eye(2 * len(frequencies)) * [[1e-3], [40]]


def test_two_places():
    hold(
        checks.two_places,
        right=[
            both,
            fast_pairs,
            from_elsewhere,
            split_query,
            nearly_equal,
            lambda w, near, far: both(w, near, far).tolist(),
            lambda w, near, far: tuple(both(w, near, far)),
        ],
        wrong=[
            (constants("zero", ("near", 1)), "the near place alone"),
            (constants("zero", ("far", 1)), "the far place alone"),
            (lambda w, near, far: both(w, near, far)[::-1], "exchanged, so the head looks ahead"),
            (lambda w, near, far: both(w, -near, -far), "of −near and −far"),
            (lambda w, near, far: 2 * both(w, -near, -far), "It looks ahead"),
            (lambda w, near, far: encodings([0, near + far], w), "looks near + far back"),
            (lambda w, near, far: encodings([0, (near + far) / 2], w), "between the two"),
            (lambda w, near, far: encodings([near, far], w), "their difference"),
            (constants("zero", ("zero", 1)), "the token itself"),
            (
                lambda w, near, far: both(w, near, far) * (np.arange(2 * len(w)) < 2),
                "repeats after 6.28",
            ),
            (
                lambda w, near, far: np.hstack([both(w, near, far)[:, i::2] for i in (0, 1)]),
                "columns 2k and 2k + 1",
            ),
            (
                lambda w, near, far: both(angular_frequencies(2 * len(w)), near, far),
                "not always 10 000",
            ),
            (constants("zero", ("near", 1), ("far", 0.9)), "largest scores stand at"),
            (lambda w, near, far: both(w, near + 1, far + 1), "not 12 and 120"),
            (lambda w, near, far: -both(w, near, far) * [[1], [-1]], "largest scores stand at"),
            (lambda w, near, far: np.zeros((2, 2 * len(w))), "A vector of zeros"),
            (lambda w, near, far: both(w, near, far)[:1], "should be"),
            (lambda w, near, far: both(w, near, far)[:, :-2], "should be"),
        ],
    )


def test_one_place_louder_than_the_other_is_told():
    def louder(frequencies, near, far):
        answer = constants("zero", ("near", 1.02), ("far", 1))(frequencies, near, far)
        return answer * np.repeat(frequencies > 0.05, 2)

    assert "more than a hundredth" in is_wrong(checks.two_places, louder)
    assert "12 is larger" in is_wrong(checks.two_places, louder)

    def other(frequencies, near, far):
        answer = constants("zero", ("near", 1), ("far", 1.02))(frequencies, near, far)
        return answer * np.repeat(frequencies > 0.05, 2)

    assert "120 is larger" in is_wrong(checks.two_places, other)


def test_a_query_and_a_key_that_share_no_pair_look_nowhere():
    def apart(frequencies, near, far):
        return np.eye(2 * len(frequencies))[[0, 2]]

    assert "the same at every distance" in is_wrong(checks.two_places, apart)


@pytest.mark.parametrize("case", checks.two_places.tried, ids=lambda case: case.label)
def test_the_lead_of_the_solution_is_far_above_rounding(case):
    frequencies, near, far = case.arguments
    query, key = both(frequencies, near, far)
    rows = apply_rotary(np.tile(query, (201, 1)), frequencies)
    scores = rows @ key
    ranked = np.argsort(-scores)
    assert set(ranked[:2]) == {near, far}
    assert scores[ranked[1]] - scores[ranked[2]] > 0.005 * scores[near]
    assert np.isclose(scores[near], scores[far])
    assert np.allclose(rows, sinusoidal(201, 2 * len(frequencies), base=base_of(frequencies)))


@pytest.mark.parametrize("near", [0, 5, 60])
def test_a_sum_of_two_keys_is_refused_where_its_peaks_are_moved(near):
    frequencies = angular_frequencies(64)
    said = checks.two_places.judge(both(frequencies, near, near + 20), frequencies, near, near + 20)
    assert f"stand at the distances {near + 1} and {near + 19}, not" in said


@pytest.mark.parametrize("width", [320, 386, 512, 1024])
@pytest.mark.parametrize("base", [500, 2_000, 10_000])
def test_a_sum_of_two_keys_is_enough_at_all_places_that_the_exercise_allows(width, base):
    profile = dot_product_at(np.arange(201), angular_frequencies(width, base=base))
    for apart in range(20, 201):
        nears = np.arange(201 - apart)
        scores = sum(profile[abs(np.arange(201) - nears[:, None] - far)] for far in (0, apart))
        peaks = scores[nears, nears]
        scores[nears, nears] = scores[nears, nears + apart] = -np.inf
        assert (scores.max(axis=1) < peaks).all()


def base_of(frequencies):
    return frequencies[1] ** -len(frequencies)
