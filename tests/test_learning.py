"""The head that learns: what it may see, how it is told positions, its tasks, its training.

`test_train_heads.py` looks at the program that trains many, and at what it has measured.
"""

import numpy as np
import pytest

from posenc.attention import dot_product_attention, softmax
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.learning import (
    KINDS,
    TASKS,
    UNASKED,
    WAYS,
    Alibi,
    Rotary,
    first_token,
    from_rotations,
    gradient,
    head,
    initial_parameters,
    most_recent,
    rotations,
    share_right,
    three_back,
    tokens_back,
    train,
)
from posenc.shifts import shift_matrix

OWN = Rotary(angular_frequencies(32) / 4), Alibi(0.1)
EACH_WAY = pytest.mark.parametrize("way", [*WAYS, "deaf", *OWN], ids=str)


def some_tokens():
    return np.random.default_rng([7, 0]).integers(KINDS, size=(2, 10))


# --- the tasks ---

BACK = {three_back: 3, tokens_back(1): 1}


def answer(task, tokens, place):
    """Return the answer at a place of one text, by looking for it."""
    if task in BACK:
        back = BACK[task]
        return tokens[place - back] if place >= back else UNASKED
    if task is first_token:
        return tokens[0]
    return next((token for token in reversed(tokens[: place + 1]) if token), UNASKED)


@pytest.mark.parametrize("task", [*BACK, most_recent, first_token])
@pytest.mark.parametrize("length", [1, 3, 100])
def test_the_answers_are_those_that_a_search_finds_and_tokens_are_of_all_kinds(task, length):
    tokens, answers = task(np.random.default_rng(1), 100, length)
    assert tokens.shape == answers.shape == (100, length)
    for text, row in zip(tokens.tolist(), answers.tolist()):
        assert row == [answer(task, text, place) for place in range(length)]
    blank = 0.8 if task is most_recent else 1 / KINDS
    expected = [blank] + [(1 - blank) / (KINDS - 1)] * (KINDS - 1)
    # four standard deviations of a share
    np.testing.assert_allclose(
        np.bincount(tokens.ravel()) / tokens.size, expected, atol=1.6 / tokens.size**0.5
    )


# --- the head ---


@EACH_WAY
def test_weights_sum_to_one_and_hide_later_tokens(way):
    parameters, tokens = initial_parameters(way), some_tokens()
    outputs, weights = head(parameters, tokens, way)
    assert np.allclose(weights.sum(axis=-1), 1)
    assert not np.triu(weights, 1).any()
    tokens[:, 6:] = (tokens[:, 6:] + 1) % KINDS
    same = np.isclose(head(parameters, tokens, way)[0], outputs, atol=1e-12).all(axis=-1)
    assert same[:, :6].all()
    assert not same[:, 6:].any()


@pytest.mark.parametrize("way", ["none", "sinusoidal", "learned"])
def test_it_attends_as_the_course_does(way):
    parameters, tokens = initial_parameters(way, seed=3), some_tokens()[0]
    added = {"none": 0, "sinusoidal": sinusoidal(10, 32, start=5)}
    x = parameters["embedding"][tokens] + added.get(way, parameters.get("table", [])[5:15])
    mixed, expected = dot_product_attention(
        x @ parameters["query"], x @ parameters["key"], x, mask=np.tri(10, dtype=bool)
    )
    outputs, weights = head(parameters, tokens[None], way, 5)
    assert np.allclose(weights[0], expected)
    assert np.allclose(outputs[0], mixed @ parameters["mixed"] + x @ parameters["own"])


def test_a_deaf_head_looks_at_the_same_places_whatever_the_letters():
    parameters = initial_parameters("deaf", seed=3)
    outputs, weights = head(parameters, some_tokens(), "deaf", 5)
    assert np.array_equal(weights[0], weights[1])
    assert not np.isclose(outputs[0], outputs[1]).all(axis=-1).any()
    pe = sinusoidal(10, 32, start=5)
    scores = pe @ parameters["query"] @ parameters["key"].T @ pe.T / np.sqrt(32)
    assert np.allclose(weights[0], softmax(np.where(np.tri(10), scores, -np.inf)))


@pytest.mark.parametrize("slowness", [1, 4])
def test_a_rotary_head_turns_by_its_frequencies(slowness):
    parameters, tokens = initial_parameters("rotary"), some_tokens()
    frequencies = angular_frequencies(32) / slowness
    way = "rotary" if slowness == 1 else Rotary(frequencies)
    weights = head(parameters, tokens, way, 8)[1]
    x = parameters["embedding"][tokens]
    queries, keys = (
        np.array(
            [[shift_matrix(frequencies, t) @ row for t, row in enumerate(text)] for text in it]
        )
        for it in (x @ parameters["query"], x @ parameters["key"])
    )
    scores = queries @ np.swapaxes(keys, 1, 2) / np.sqrt(32)
    assert np.allclose(weights, softmax(np.where(np.tri(10), scores, -np.inf)))


@pytest.mark.parametrize(("way", "slope"), [("alibi", 0.5), (Alibi(0.1), 0.1)])
def test_alibi_subtracts_its_slope_times_the_distance(way, slope):
    parameters, tokens = initial_parameters("alibi"), some_tokens()
    places = np.arange(10)
    scores = np.log(head(parameters, tokens, "none")[1] + np.triu(np.ones((10, 10)), 1))
    sloped = np.where(np.tri(10), scores - slope * np.abs(places[:, None] - places), -np.inf)
    assert np.allclose(head(parameters, tokens, way)[1], softmax(sloped))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: initial_parameters("sine"),
            "way must be Rotary, Alibi or one of none, .*alibi, deaf, got 'sine'",
        ),
        (lambda: head(initial_parameters("none"), some_tokens(), "rotery"), "way .*'rotery'"),
        (lambda: train(three_back, "rotery", parameters={}), "way must be .*, got 'rotery'"),
        (lambda: share_right({}, three_back, "rotery"), "way must be .*, got 'rotery'"),
        (lambda: share_right({}, "three back", "none"), "task must be .*, got 'three back'"),
        (lambda: train(None, "none"), "task must be .*, got None"),
    ],
)
def test_what_is_no_way_and_no_task_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


# --- the loss and the training ---


@pytest.mark.parametrize("size", [1, 1000])  # exponentials of 1000 are beyond float64
def test_the_loss_is_the_mean_surprise_at_what_is_asked(size):
    parameters = initial_parameters("sinusoidal")
    parameters["own"] *= size
    tokens, answers = three_back(np.random.default_rng(6), 3, 7)
    votes = head(parameters, tokens, "sinusoidal", 2)[0]
    surprises = [
        np.logaddexp.reduce(votes[text, place]) - votes[text, place, answers[text, place]]
        for text, place in np.ndindex(3, 7)
        if place >= 3
    ]
    found, _ = gradient(parameters, tokens, answers, "sinusoidal", 2)
    assert np.isclose(found, np.mean(surprises))


@EACH_WAY
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_the_slope_is_that_of_two_losses_a_step_apart(way, task):
    rng, parameters = np.random.default_rng(4), initial_parameters(way, seed=5)
    texts, step = task(rng, 3, 9), 1e-5
    _, slopes = gradient(parameters, *texts, way, 6)
    assert slopes.keys() == parameters.keys()
    for name, slope in slopes.items():
        along = rng.normal(size=slope.shape)
        ends = [
            gradient(parameters | {name: parameters[name] + sign * step * along}, *texts, way, 6)[0]
            for sign in (1, -1)
        ]
        # Errors: the third derivative times step², and rounding of the losses by 1e-16 / step.
        assert np.sum(slope * along) == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)


def test_training_is_the_same_from_the_same_seed_and_watched_from_first_to_last():
    seen, what = {}, (three_back, "sinusoidal")
    watch = lambda step, parameters: seen.update({step: parameters["query"]})  # noqa: E731
    parameters, losses = train(*what, steps=4, length=6, watch=watch)
    assert losses == train(*what, steps=4, length=6)[1]
    assert losses != train(*what, steps=4, length=6, seed=1)[1]
    assert list(seen) == [0, 1, 2, 3, 4]
    assert np.array_equal(seen[0], initial_parameters("sinusoidal")["query"])
    assert np.array_equal(seen[4], parameters["query"])
    # Adam's first step is of its own size in every number.
    assert np.median(np.abs(seen[1] - seen[0])) == pytest.approx(0.01, rel=1e-3)


@EACH_WAY
def test_training_goes_on_from_the_head_that_is_given_and_every_parameter_learns(way):
    texts = three_back(np.random.default_rng(8), 32, 8)
    given = initial_parameters(way)
    before = {name: array.copy() for name, array in given.items()}
    parameters, losses = train(lambda *_: texts, way, seed=9, steps=5, parameters=given)
    assert losses[0] == gradient(given, *texts, way)[0]
    assert gradient(parameters, *texts, way)[0] < losses[0]
    for name in given:
        assert np.array_equal(given[name], before[name])
        assert not np.array_equal(parameters[name], before[name])


@pytest.mark.parametrize("length", [1, 2, 9])
def test_the_share_counts_the_second_half(length):
    def what_stands_there_in_the_second_half(rng, texts, length):
        tokens = rng.integers(KINDS, size=(texts, length))
        return tokens, (tokens + (np.arange(length) < length // 2)) % KINDS

    # A head that says what it sees.
    parameters = {name: np.zeros_like(it) for name, it in initial_parameters("none").items()}
    parameters["embedding"], parameters["own"] = np.eye(KINDS, 32), np.eye(32, KINDS)
    task = what_stands_there_in_the_second_half
    assert share_right(parameters, task, "none", length=length) == 1
    assert share_right(parameters, first_token, "none", texts=400) < 0.2


# --- the matrix between query and key ---


def test_a_shift_is_its_rotations_and_a_reflection_has_none():
    frequencies = angular_frequencies(12)
    M = shift_matrix(frequencies, 3)
    np.testing.assert_allclose(rotations(M), np.exp(3j * frequencies), atol=1e-15)
    np.testing.assert_allclose(from_rotations(rotations(M)), M, atol=1e-15)
    assert not rotations(M * np.tile([1, -1], 6)).any()


def test_what_is_left_hears_the_offset_alone_and_what_is_taken_is_orthogonal_to_it():
    W = np.random.default_rng(3).normal(size=(16, 16))
    part, pe = from_rotations(rotations(W)), sinusoidal(40, 16)
    scores = pe @ part @ pe.T
    assert max(np.ptp(np.diagonal(scores, back)) for back in range(-30, 31)) < 1e-12
    assert abs(np.sum(part * (W - part))) < 1e-12 < np.sum((W - part) ** 2)
