"""The head that learns: its gradient, what it may see, how it is told positions, its tasks."""

import numpy as np
import pytest
import train_heads

from posenc import learning
from posenc.attention import dot_product_attention
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.learning import (
    KINDS,
    TASKS,
    UNASKED,
    WAYS,
    first_token,
    head,
    initial_parameters,
    load_results,
    log_softmax,
    loss,
    most_recent,
    share_right,
    three_back,
    train,
    turned,
)
from posenc.shifts import shift_by_loop, shift_matrix

each_way = pytest.mark.parametrize("way", WAYS)
RESULTS = load_results()


def some_tokens(length=10, texts=2, seed=0):
    return np.random.default_rng([7, seed]).integers(KINDS, size=(texts, length))


# --- the tasks ---


def answer(task, tokens, place):
    """Return the answer at a place of one text, by looking for it."""
    if task is three_back:
        return tokens[place - 3] if place >= 3 else None
    if task is first_token:
        return tokens[0]
    return next((token for token in reversed(tokens[: place + 1]) if token), None)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
@pytest.mark.parametrize("length", [1, 3, 20])
def test_the_answers_are_those_that_a_search_finds(task, length):
    tokens, answers = task(np.random.default_rng(1), 40, length)
    assert tokens.shape == answers.shape == (40, length)
    for text, row in zip(tokens.tolist(), answers.tolist()):
        expected = [answer(task, text, place) for place in range(length)]
        assert row == [UNASKED if it is None else it for it in expected]


def test_tokens_are_of_all_kinds_and_four_in_five_are_blank_where_blanks_matter():
    for task in (three_back, first_token):
        tokens, _ = task(np.random.default_rng(2), 100, 100)
        assert np.abs(np.bincount(tokens.ravel()) / 10_000 - 1 / KINDS).max() < 0.02
    tokens, _ = most_recent(np.random.default_rng(2), 100, 100)
    shares = np.bincount(tokens.ravel()) / 10_000
    assert len(shares) == KINDS
    assert abs(shares[0] - 0.8) < 0.02
    assert shares[1:].min() > 0.02


# --- the head ---


@each_way
def test_weights_sum_to_one_and_hide_later_tokens(way):
    parameters, tokens = initial_parameters(way), some_tokens()
    outputs, weights = head(parameters, tokens, way)
    assert outputs.shape == (2, 10, KINDS)
    assert np.allclose(weights.sum(axis=-1), 1)
    assert not np.triu(weights, 1).any()
    other = tokens.copy()
    other[:, 6:] = (other[:, 6:] + 1) % KINDS
    assert np.allclose(head(parameters, other, way)[0][:, :6], outputs[:, :6], atol=1e-12)
    assert not np.allclose(head(parameters, other, way)[0][:, 6:], outputs[:, 6:])


@pytest.mark.parametrize("way", ["none", "sinusoidal", "learned"])
def test_it_attends_as_the_course_does(way):
    parameters, (tokens,) = initial_parameters(way, seed=3), some_tokens(texts=1)
    added = {"none": 0, "sinusoidal": sinusoidal(10, 32, start=5)}
    x = parameters["embedding"][tokens] + added.get(way, parameters.get("table", [])[5:15])
    mixed, expected = dot_product_attention(
        x @ parameters["query"], x @ parameters["key"], x, mask=np.tri(10, dtype=bool)
    )
    outputs, weights = head(parameters, tokens[None], way, start=5)
    assert np.allclose(weights[0], expected)
    assert np.allclose(outputs[0], mixed @ parameters["mixed"] + x @ parameters["own"])


def test_rows_are_turned_by_the_matrix_of_their_position():
    rows, frequencies = np.random.default_rng(4).normal(size=(5, 16)), angular_frequencies(16)
    expected = [shift_matrix(frequencies, t) @ row for t, row in zip(range(7, 12), rows)]
    assert np.allclose(turned(rows, np.arange(7, 12)), expected)
    assert np.allclose(turned(rows, np.full(5, 2)), shift_by_loop(rows, frequencies, 2))


def test_a_rotary_head_may_be_tried_with_other_frequencies():
    parameters, tokens = initial_parameters("rotary"), some_tokens()
    usual = angular_frequencies(32)
    assert np.array_equal(
        head(parameters, tokens, "rotary", frequencies=usual)[0],
        head(parameters, tokens, "rotary")[0],
    )
    slower = head(parameters, tokens, "rotary", 8, frequencies=usual / 4)[1]
    x = parameters["embedding"][tokens]
    queries, keys = (
        [[shift_matrix(usual, t / 4) @ row for t, row in enumerate(text)] for text in rows]
        for rows in (x @ parameters["query"], x @ parameters["key"])
    )
    scores = np.array(queries) @ np.swapaxes(keys, 1, 2) / np.sqrt(32)
    expected = np.exp(log_softmax(np.where(np.tri(10), scores, -np.inf)))
    assert np.allclose(slower, expected)
    assert not np.allclose(slower, head(parameters, tokens, "rotary")[1])


def test_the_share_right_is_that_of_the_frequencies_that_are_tried():
    parameters = initial_parameters("rotary")
    usual = angular_frequencies(32)
    tried = [
        share_right(parameters, three_back, "rotary", frequencies=w) for w in (usual, usual / 9)
    ]
    assert tried[0] == share_right(parameters, three_back, "rotary") != tried[1]


@pytest.mark.parametrize("start", [1, 100, 100_000])
@each_way
def test_all_but_what_is_added_depend_on_offsets_alone(way, start):
    start = min(start, 500) if way == "learned" else start  # its table has 512 rows
    parameters, tokens = initial_parameters(way), some_tokens()
    apart = head(parameters, tokens, way)[1] - head(parameters, tokens, way, start)[1]
    assert (np.abs(apart).max() < 1e-9) == (way not in ("sinusoidal", "learned"))


def test_alibi_subtracts_half_the_distance():
    parameters, tokens = initial_parameters("alibi"), some_tokens()
    weights = (head(parameters, tokens, way)[1] for way in ("none", "alibi"))
    plain, sloped = (np.log(np.where(it > 0, it, 1)) for it in weights)
    for back in range(1, 10):
        lost = (
            np.diagonal(plain - sloped, -back, 1, 2)
            - np.diagonal(plain - sloped, 0, 1, 2)[:, back:]
        )
        assert np.allclose(lost, back / 2)


def test_without_positions_the_order_before_does_not_count():
    parameters, tokens = initial_parameters("none"), some_tokens()
    shuffled = tokens[:, [3, 1, 4, 0, 2, *range(5, 10)]]
    for way, alike in (("none", True), ("sinusoidal", False), ("rotary", False), ("alibi", False)):
        last = (head(parameters, it, way)[0][:, -1] for it in (tokens, shuffled))
        assert np.allclose(*last) == alike


def test_an_unknown_way_is_refused():
    with pytest.raises(ValueError, match=r"^way must be one of none, .*alibi, got 'sine'$"):
        initial_parameters("sine")


# --- the loss and the training ---


def test_the_loss_is_the_mean_surprise_at_what_is_asked():
    parameters = initial_parameters("sinusoidal")
    tokens, answers = three_back(np.random.default_rng(6), 3, 7)
    outputs, _ = head(parameters, tokens, "sinusoidal")
    surprises = []
    for text in range(3):
        for place in range(3, 7):
            shares = np.exp(outputs[text, place]) / np.exp(outputs[text, place]).sum()
            surprises.append(-np.log(shares[answers[text, place]]))
    assert np.isclose(loss(parameters, tokens, answers, "sinusoidal"), np.mean(surprises))


def test_the_logarithms_of_the_softmax_stand_large_scores():
    assert np.allclose(
        log_softmax(np.array([[1e4, 0.0], [0.0, 0.0]])), [[0, -1e4], 2 * [-np.log(2)]]
    )


@each_way
def test_the_gradient_is_that_of_finite_differences(way):
    from autograd import grad

    parameters = initial_parameters(way, seed=1, width=8)
    tokens, answers = three_back(np.random.default_rng(8), 2, 6)
    gradient = grad(loss)(parameters, tokens, answers, way, 3)
    rng, step = np.random.default_rng(9), 1e-6
    for name, values in parameters.items():
        direction = rng.normal(size=values.shape)
        losses = [
            loss(parameters | {name: values + sign * step * direction}, tokens, answers, way, 3)
            for sign in (1, -1)
        ]
        slope = (losses[0] - losses[1]) / (2 * step)
        assert np.isclose(slope, np.sum(gradient[name] * direction), rtol=1e-5, atol=1e-8), name
        assert np.any(gradient[name])


def test_training_is_the_same_from_the_same_seed_and_watched_from_first_to_last():
    seen = {}
    size = {"steps": 4, "width": 8, "length": 6}
    parameters, losses = train(
        three_back, "sinusoidal", **size, watch=lambda step, p: seen.update({step: p["query"]})
    )
    again, same = train(three_back, "sinusoidal", **size)
    other, _ = train(three_back, "sinusoidal", **size, seed=1)
    assert losses == same
    assert np.array_equal(parameters["query"], again["query"])
    assert not np.allclose(parameters["query"], other["query"])
    assert list(seen) == [0, 1, 2, 3, 4]
    assert np.array_equal(seen[0], initial_parameters("sinusoidal", width=8)["query"])
    assert np.array_equal(seen[4], parameters["query"])
    # Adam's first step is of its own size in every number.
    assert np.allclose(np.abs(seen[1] - seen[0]), 0.01, rtol=1e-3)


def test_texts_begin_where_they_may(monkeypatch):
    starts = []
    inner = learning.head

    def noting(parameters, tokens, way, start, frequencies):
        starts.append(start)
        return inner(parameters, tokens, way, start, frequencies)

    monkeypatch.setattr(learning, "head", noting)
    train(three_back, "none", steps=60, length=4, width=4, last_start=3)
    assert set(starts) == {0, 1, 2, 3}


def test_the_share_counts_the_second_half():
    def what_stands_there_in_the_second_half(rng, texts, length):
        tokens = rng.integers(KINDS, size=(texts, length))
        return tokens, (tokens + (np.arange(length) < length // 2)) % KINDS

    # A head that says what it sees.
    parameters = {name: np.zeros_like(it) for name, it in initial_parameters("none").items()}
    parameters["embedding"], parameters["own"] = np.eye(KINDS, 32), np.eye(32, KINDS)
    for length in (1, 2, 9):
        task = what_stands_there_in_the_second_half
        assert share_right(parameters, task, "none", length=length) == 1
    assert share_right(parameters, first_token, "none", texts=400) < 0.2


def test_training_goes_on_from_a_head_with_the_frequencies_that_are_given():
    texts = three_back(np.random.default_rng(8), 32, 8)
    same = lambda rng, count, length: texts  # noqa: E731
    frequencies = angular_frequencies(16) / 4
    given, _ = train(same, "rotary", steps=5, width=16)
    before = {name: array.copy() for name, array in given.items()}
    how = {"steps": 3, "parameters": given, "frequencies": frequencies}
    parameters, losses = train(same, "rotary", seed=9, **how)
    assert all(np.array_equal(given[name], before[name]) for name in given)
    assert np.isclose(losses[0], loss(given, *texts, "rotary", 0, frequencies))
    assert not np.isclose(losses[0], loss(given, *texts, "rotary"))
    assert loss(parameters, *texts, "rotary", 0, frequencies) < losses[0]


# --- the committed results ---


def entry(task, way, width=32, length=32):
    (found,) = (
        row
        for row in RESULTS["shares"]
        if (row["task"], row["way"], row["width"], row["length"]) == (task, way, width, length)
    )
    return np.array(found["right"])


def test_all_that_is_shown_was_measured_from_five_seeds():
    for size in train_heads.SIZES:
        for task in TASKS:
            for way in WAYS:
                shares = entry(task, way, *size)
                assert shares.shape == (train_heads.SEEDS, 4)
                assert shares.min() >= 0
                assert shares.max() <= 1
    seeds = [(row["last start"], row["seed"]) for row in RESULTS["opened"]]
    assert seeds == [(last, seed) for last in (0, 400) for seed in range(train_heads.SEEDS)]
    others = [(row["back"], row["seed"]) for row in RESULTS["others"]]
    assert others == [(back, seed) for back in (2, 4, 5) for seed in range(train_heads.SEEDS)]
    assert [row["seed"] for row in RESULTS["first"]] == list(range(train_heads.SEEDS))
    assert [row["task"] for row in RESULTS["windows"]] == list(TASKS)
    assert all(np.shape(row["right"]) == (train_heads.SEEDS, 4) for row in RESULTS["windows"])
    continued = [(row["task"], row["rule"]) for row in RESULTS["continued"]]
    assert continued == [
        (task, rule) for task in ("three back", "first") for rule in train_heads.RULES
    ]
    for row in RESULTS["continued"]:
        assert np.shape(row["right"]) == (len(train_heads.CONTINUED[row["task"]]), 3)
    assert set(RESULTS["versions"]) == {"autograd", "numpy"}


def test_heads_that_were_measured_twice_agree():
    opened = [row["right"][:4] for row in RESULTS["opened"] if row["last start"] == 0]
    assert np.abs(opened - entry("three back", "sinusoidal")).max() < 0.01
    opened = [row["right"][:4] for row in RESULTS["opened"] if row["last start"] == 400]
    assert np.abs(np.array(opened) - RESULTS["windows"][0]["right"]).max() < 0.01
    shares = np.array([row["right"][1] for row in RESULTS["first"]])
    assert np.abs(shares - entry("first", "sinusoidal")[:, 3]).max() < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(("task", "way"), [("three back", "sinusoidal"), ("most recent", "alibi")])
def test_an_entry_measured_again_is_the_same(task, way):
    """Rounding may differ between machines; it grows little in 300 steps."""
    again = train_heads.measure_shares(task, way, 32, 32, seed=2)
    assert np.abs(again - entry(task, way)[2]).max() < 0.01


@pytest.mark.slow
def test_an_opened_head_is_the_same_again():
    again, kept = train_heads.open_head(400, 1), RESULTS["opened"][6]
    assert again.keys() == kept.keys()
    for name, value in kept.items():
        assert np.allclose(again[name], value, atol=0.02), name


@pytest.mark.slow
def test_heads_for_other_offsets_and_for_the_first_token_are_the_same_again():
    again, kept = train_heads.look_back(5, 2), RESULTS["others"][12]
    assert again.keys() == kept.keys()
    for name, value in kept.items():
        assert np.allclose(again[name], value, atol=0.02), name
    again, kept = train_heads.find_the_first(4), RESULTS["first"][4]
    assert again.keys() == kept.keys()
    for name, value in kept.items():
        assert np.allclose(again[name], value, atol=0.02), name


@pytest.mark.slow
def test_a_head_that_was_trained_on_is_the_same_again():
    rules = list(train_heads.RULES)
    kept = RESULTS["continued"][len(rules) + rules.index("by parts, c = 4")]["right"][2]
    again = train_heads.train_on("first", 2, "by parts, c = 4")
    assert np.abs(np.subtract(again, kept)).max() < 0.02


def test_the_offset_part_is_the_nearest_matrix_of_the_family():
    W = np.random.default_rng(5).normal(size=(8, 8))
    part, M = train_heads.offset_part(W), shift_matrix(angular_frequencies(8), 3)
    assert np.allclose(part @ M, M @ part)
    assert np.allclose(train_heads.offset_part(3 * M), 3 * M)
    for k in range(4):
        for block in (np.eye(2), [[0, 1], [-1, 0]]):
            within = np.kron(np.diag(np.eye(4)[k]), block)
            assert np.isclose(np.sum((W - part) * within), 0)


def test_scores_of_ones_own_are_those_of_the_head_if_they_are_made_as_its_own_are():
    parameters, _ = train(three_back, "sinusoidal", steps=60)
    by = lambda e, p, W: train_heads.product(e + p, W)  # noqa: E731
    for length, start in ((32, 0), (20, 7)):
        expected = share_right(parameters, three_back, "sinusoidal", length=length, start=start)
        found = train_heads.share_by_parts(parameters, length, start, by)
        assert 0.2 < found == expected


def test_the_parts_hear_what_their_names_say():
    e, p = np.random.default_rng(6).normal(size=(2, 1, 5, 8))
    M = 2 * shift_matrix(angular_frequencies(8), 3)
    other = np.random.default_rng(7).normal(size=(8, 8))
    other -= train_heads.offset_part(other)
    parts = {name: by(e, p[0], M + other)[0] for name, by in train_heads.PARTS.items()}
    both, (places,) = (e + p)[0], p
    assert np.allclose(parts["offset part"], both @ M @ both.T)
    assert np.allclose(parts["positions alone"], places @ (M + other) @ places.T)
    assert np.allclose(parts["positions alone by offset part"], places @ M @ places.T)
    assert np.allclose(
        parts["positions by offset part"],
        both @ (M + other) @ both.T - places @ other @ places.T,
    )


def test_the_program_writes_what_it_measures_for_smaller_sizes(tmp_path, monkeypatch):
    import json
    from concurrent.futures import ThreadPoolExecutor

    monkeypatch.setattr(train_heads, "ProcessPoolExecutor", ThreadPoolExecutor)
    monkeypatch.setattr(train_heads, "open_head", lambda last, seed: {"seed": seed})
    monkeypatch.setattr(train_heads, "damage", lambda: [[1.0]])
    monkeypatch.setattr(train_heads, "measure_shares", lambda *kind: list(kind[2:]))
    monkeypatch.setattr(train_heads, "look_back", lambda back, seed: {"back": back, "seed": seed})
    monkeypatch.setattr(train_heads, "find_the_first", lambda seed: {"seed": seed})
    monkeypatch.setattr(train_heads, "train_on", lambda task, seed, rule: [seed])
    train_heads.main(tmp_path / "heads.json", seeds=2, sizes=((4, 6),), ways=("none",))
    written = json.loads((tmp_path / "heads.json").read_text(encoding="utf-8"))
    assert written.keys() == RESULTS.keys()
    assert [row["task"] for row in written["shares"]] == list(TASKS)
    assert all(row["right"] == [[4, 6, 0], [4, 6, 1]] for row in written["shares"])
    assert [row["task"] for row in written["windows"]] == list(TASKS)
    assert all(row["right"] == [[4, 6, 0, 400], [4, 6, 1, 400]] for row in written["windows"])
    assert written["opened"] == 2 * [{"seed": 0}, {"seed": 1}]
    assert written["others"][:3] == [
        {"back": back, "seed": seed} for back, seed in ((2, 0), (2, 1), (4, 0))
    ]
    assert written["first"] == [{"seed": 0}, {"seed": 1}]
    assert written["continued"][-1] == {
        "task": "first",
        "rule": "by parts, c = 4",
        "right": [[0], [1], [2]],
    }
    monkeypatch.setattr(train_heads, "train_on", lambda task, seed, rule: [seed + 1])
    train_heads.continue_only(tmp_path / "heads.json")
    again = json.loads((tmp_path / "heads.json").read_text(encoding="utf-8"))
    assert again["continued"][-1]["right"] == [[1], [2], [3]]
    assert again | {"continued": written["continued"]} == written


@pytest.mark.slow
def test_the_damaged_head_is_damaged_in_one_turn():
    W = np.array(train_heads.damage())
    assert np.abs(W - RESULTS["damaged"]).max() < 0.11  # the last digit that is kept
    healthy = train(three_back, "sinusoidal", last_start=train_heads.WINDOWS)[0]
    before, after = train_heads.turns(train_heads.matrix(healthy)), train_heads.turns(W)
    assert np.allclose(np.abs(before), np.abs(after), atol=0.1)
    apart = np.abs(before - after) > 0.1
    assert np.flatnonzero(apart).tolist() == [train_heads.DAMAGED]


def test_the_share_of_the_family_is_all_for_a_rotation_and_one_in_d_for_random_matrices():
    assert np.isclose(train_heads.share_in_family(5 * shift_matrix(angular_frequencies(8), 2.5)), 1)
    random = np.random.default_rng(3).normal(size=(500, 16, 16))
    shares = [train_heads.share_in_family(W) for W in random]
    assert abs(np.mean(shares) - 1 / 16) < 0.005
