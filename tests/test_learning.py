"""The head that learns: what it hears, how it's told positions, its tasks, its training."""

from dataclasses import replace

import numpy as np
import pytest

from posenc.attention import dot_product_attention
from posenc.blocks import from_rotations, offset_part, rotations
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.learning import (
    TASKS,
    UNASKED,
    accuracy,
    first_token,
    gradient,
    head,
    initial_parameters,
    most_recent,
    three_back,
    tokens_back,
    train,
)
from posenc.shifts import shift_matrix
from posenc.ways import HEARD, KINDS, WAYS, Alibi, Learned, Rotary, Sinusoidal, Way

MORE_WAYS = {
    "rotary, slower, far keys hidden": Rotary(angular_frequencies(32) / 4, farthest=3),
    "alibi, slope 0.1": Alibi(0.1),
    "letters in queries only": Sinusoidal(keys_hear="nothing"),
    "letters in keys only": Learned(queries_hear="nothing"),
    "differences and mean letter": Rotary(queries_hear="differences", keys_hear="mean letter"),
}
ALL_WAYS = WAYS | MORE_WAYS
each_way = pytest.mark.parametrize("way", ALL_WAYS.values(), ids=ALL_WAYS)


def some_tokens(texts=2):
    return np.random.default_rng([7, 0]).integers(KINDS, size=(texts, 10))


# --- the tasks ---


def searched(task, tokens, place):
    """Return the answer at a place of one text, by looking for it."""
    if task is most_recent:
        return next((token for token in reversed(tokens[: place + 1]) if token), UNASKED)
    asked = 0 if task is first_token else place - {three_back: 3}.get(task, 1)
    return tokens[asked] if asked >= 0 else UNASKED


@pytest.mark.parametrize("task", [three_back, tokens_back(1), most_recent, first_token])
@pytest.mark.parametrize("length", [1, 3, 50])
def test_answers_are_those_that_a_search_finds(task, length):
    tokens, answers = task(np.random.default_rng(1), 20, length)
    assert tokens.shape == answers.shape == (20, length)
    for text, row in zip(tokens.tolist(), answers.tolist()):
        assert row == [searched(task, text, place) for place in range(length)]


# --- the head and its ways ---


@each_way
def test_weights_sum_to_one_and_hide_later_letters(way):
    parameters, tokens = initial_parameters(way), some_tokens()
    done = head(parameters, tokens, way)
    assert np.allclose(done.weights.sum(axis=-1), 1)
    assert not np.triu(done.weights, 1).any()
    tokens[:, 6:] = (tokens[:, 6:] + 1) % KINDS
    same = np.isclose(head(parameters, tokens, way).logits, done.logits, atol=1e-12).all(axis=-1)
    assert same[:, :6].all()
    assert not same[:, 6:].any()


@pytest.mark.parametrize("name", ["none", "sinusoidal", "learned"])
def test_added_ways_attend_as_the_course_does(name):
    parameters, tokens = initial_parameters(WAYS[name], seed=3), some_tokens(1)
    added = {"none": 0, "sinusoidal": sinusoidal(10, 32, start=5)}
    x = parameters["embedding"][tokens[0]] + added.get(name, parameters.get("table", [])[5:15])
    mixture, weights = dot_product_attention(
        x @ parameters["query"], x @ parameters["key"], x, mask=np.tri(10, dtype=bool)
    )
    done = head(parameters, tokens, WAYS[name], 5)
    assert np.allclose(done.weights[0], weights)
    assert np.allclose(done.logits[0], mixture @ parameters["mixed"] + x @ parameters["own"])


def test_rotary_scores_depend_on_the_offset_alone():
    way, tokens = Rotary(angular_frequencies(32) / 4), some_tokens()
    parameters = initial_parameters(way)
    scores = head(parameters, tokens, way).scores
    np.testing.assert_allclose(head(parameters, tokens, way, 1000).scores, scores, atol=1e-9)
    x = parameters["embedding"][tokens[0]]
    shift = shift_matrix(way.frequencies, -3)  # query 7 sees key 4 three back
    expected = x[7] @ parameters["query"] @ shift @ parameters["key"].T @ x[4] / np.sqrt(32)
    assert np.isclose(scores[0, 7, 4], expected)


def test_alibi_subtracts_its_slope_times_the_offset():
    parameters, tokens = initial_parameters(Way()), some_tokens()
    plain, biased = (head(parameters, tokens, way).scores[0] for way in (Way(), Alibi(0.1)))
    query, key = np.tril_indices(10)
    assert np.allclose(biased[query, key], plain[query, key] - 0.1 * (query - key))


def test_far_keys_hidden_leave_the_near_scores_as_they_are():
    way, parameters = WAYS["rotary"], initial_parameters(Way())
    scores = head(parameters, some_tokens(), way).scores
    near = head(parameters, some_tokens(), replace(way, farthest=2)).scores
    seen = np.tri(10) * np.tri(10, k=2).T > 0
    assert np.array_equal(near, np.where(seen, scores, -np.inf))


@pytest.mark.parametrize("deaf", ["queries", "keys"])
def test_what_hears_nothing_is_made_of_positions_alone(deaf):
    way = Sinusoidal(**{f"{deaf}_hear": "nothing"})
    parameters = initial_parameters(way)
    done = head(parameters, some_tokens(), way, 5)
    pe = sinusoidal(10, 32, start=5)
    hearing = parameters["embedding"][some_tokens()] + pe
    rows = {"queries": hearing, "keys": hearing, deaf: pe}
    assert np.allclose(done.queries, rows["queries"] @ parameters["query"])
    assert np.allclose(done.keys, rows["keys"] @ parameters["key"])
    assert np.allclose(done.rows, hearing)


def test_letters_are_their_mean_and_their_differences():
    E = initial_parameters(Way())["embedding"]
    assert np.allclose(HEARD["mean letter"] @ E, E.mean(axis=0))
    assert np.allclose(HEARD["differences"] @ E, E - E.mean(axis=0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: initial_parameters("sine"), "way must be a Way such as .*, got 'sine'"),
        (lambda: train(three_back, "rotary", parameters={"embedding": 0}), "way .* got 'rotary'"),
        (lambda: Way(keys_hear="words"), "keys_hear must be one of letters, .*, got 'words'"),
        (
            lambda: head(initial_parameters(Learned()), some_tokens(), Learned(), 503),
            "positions must lie from 0 to 511, .*, got 503 to 512",
        ),
    ],
)
def test_errors_name_the_argument_and_the_value(call, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}$"):
        call()


# --- the loss and the training ---


@each_way
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_derivatives_agree_with_finite_differences(way, task):
    rng, parameters = np.random.default_rng(4), initial_parameters(way, seed=5)
    texts, step = task(rng, 3, 9), 1e-5
    _, derivatives = gradient(parameters, *texts, way, 6)
    assert derivatives.keys() == parameters.keys()
    for name, derivative in derivatives.items():
        along = rng.normal(size=derivative.shape)
        ends = [
            gradient(parameters | {name: parameters[name] + sign * step * along}, *texts, way, 6)[0]
            for sign in (1, -1)
        ]
        # Errors: the third derivative times step², and rounding of the losses by 1e-16 / step.
        expected = (ends[0] - ends[1]) / (2 * step)
        assert np.sum(derivative * along) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("size", [1, 1000])  # exponentials of 1000 are beyond float64
def test_the_loss_is_the_mean_cross_entropy_where_asked(size):
    parameters = initial_parameters(Way())
    parameters["own"] *= size
    tokens, answers = three_back(np.random.default_rng(6), 3, 7)
    logits = head(parameters, tokens, Way()).logits
    expected = np.mean(
        [
            np.logaddexp.reduce(logits[text, place]) - logits[text, place, answers[text, place]]
            for text, place in np.ndindex(3, 7)
            if place >= 3
        ]
    )
    assert np.isclose(gradient(parameters, tokens, answers, Way())[0], expected)


def test_training_repeats_from_a_seed_and_is_watched_throughout():
    seen, way = {}, WAYS["sinusoidal"]
    parameters, losses = train(
        three_back, way, steps=4, length=6, watch=lambda step, now: seen.update({step: now.copy()})
    )
    assert losses == train(three_back, way, steps=4, length=6)[1]
    assert losses != train(three_back, way, steps=4, length=6, seed=1)[1]
    assert list(seen) == [0, 1, 2, 3, 4]
    assert np.array_equal(seen[0]["query"], initial_parameters(way)["query"])
    assert np.array_equal(seen[4]["query"], parameters["query"])
    # Adam's first step is of its own size in every number.
    step = np.abs(seen[1]["query"] - seen[0]["query"])
    assert np.median(step) == pytest.approx(0.01, rel=1e-3)


def test_training_goes_on_from_a_given_head_and_spares_it():
    way, texts = Learned(), three_back(np.random.default_rng(8), 32, 8)
    given = initial_parameters(way)
    before = {name: values.copy() for name, values in given.items()}
    parameters, losses = train(lambda *_: texts, way, seed=9, steps=5, parameters=given)
    assert losses[0] == gradient(given, *texts, way)[0]
    assert gradient(parameters, *texts, way)[0] < losses[0]
    for name in given:
        assert np.array_equal(given[name], before[name])
        assert not np.array_equal(parameters[name], before[name])


@pytest.mark.parametrize("length", [1, 2, 9])
def test_accuracy_counts_the_second_half(length):
    def the_letter_itself_in_the_second_half(rng, texts, length):
        tokens = rng.integers(KINDS, size=(texts, length))
        return tokens, (tokens + (np.arange(length) < length // 2)) % KINDS

    # A head that says what it sees.
    parameters = {name: np.zeros_like(values) for name, values in initial_parameters(Way()).items()}
    parameters["embedding"], parameters["own"] = np.eye(KINDS, 32), np.eye(32, KINDS)
    task = the_letter_itself_in_the_second_half
    assert accuracy(parameters, task, Way(), length=length) == 1
    assert accuracy(parameters, first_token, Way(), texts=400) < 0.2


# --- the matrix between query and key ---


def test_a_shift_is_its_rotations_and_a_reflection_has_none():
    frequencies = angular_frequencies(12)
    M = shift_matrix(frequencies, 3)
    np.testing.assert_allclose(rotations(M), np.exp(3j * frequencies), atol=1e-15)
    np.testing.assert_allclose(from_rotations(rotations(M)), M, atol=1e-15)
    assert not rotations(M * np.tile([1, -1], 6)).any()


def test_the_offset_part_hears_offsets_and_is_the_nearest_such():
    W = np.random.default_rng(3).normal(size=(16, 16))
    part, pe = offset_part(W), sinusoidal(40, 16)
    scores = pe @ part @ pe.T
    assert max(np.ptp(np.diagonal(scores, back)) for back in range(-30, 31)) < 1e-12
    assert abs(np.sum(part * (W - part))) < 1e-12 < np.sum((W - part) ** 2)
