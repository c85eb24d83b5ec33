"""The program that trains many heads, and what it has measured."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import train_heads

from posenc.learning import TASKS, load_results, three_back, train

RESULTS = load_results()


def entry(task, way, width=32, length=32):
    wanted = {"task": task, "way": way, "width": width, "length": length}
    (found,) = (row["right"] for row in RESULTS["shares"] if row.items() >= wanted.items())
    return np.array(found)


AS_ALIBI, RULE = ("most recent", "alibi"), "by parts, c = 4"
CONTINUED = RESULTS["continued"][-1]["right"]


def test_heads_that_were_measured_twice_agree():
    opened = np.array([row["right"][:4] for row in RESULTS["opened"]])
    assert np.abs(opened[:5] - entry("three back", "sinusoidal")).max() < 0.01
    assert np.abs(opened[5:] - RESULTS["windows"][0]["right"]).max() < 0.01
    shares = np.array([row["right"][1] for row in RESULTS["first"]])
    assert np.abs(shares - entry("first", "sinusoidal")[:, 3]).max() < 0.01


AGAIN = {
    "shares": (lambda: train_heads.measure_shares(2, *AS_ALIBI), entry(*AS_ALIBI)[2]),
    "opened": (lambda: train_heads.open_head(400, 1), RESULTS["opened"][6]),
    "others": (lambda: train_heads.look_back(5, 2), RESULTS["others"][12]),
    "first": (lambda: train_heads.find_the_first(4), RESULTS["first"][4]),
    "continued": (lambda: train_heads.train_on(2, "first", RULE), CONTINUED[2]),
    "damaged": (train_heads.damage, RESULTS["damaged"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", AGAIN)
def test_what_is_measured_again_is_the_same(name):
    measure, kept = AGAIN[name]
    again = measure()
    if not isinstance(kept, dict):
        again, kept = {"": again}, {"": kept}
    assert again.keys() == kept.keys()
    # Rounding may differ between machines, and grows little in 300 steps; the matrix keeps tenths.
    atol = 0.11 if name == "damaged" else 0.02
    assert all(np.allclose(again[part], value, atol=atol) for part, value in kept.items())


@pytest.mark.slow
def test_the_damaged_head_is_damaged_in_one_turn():
    healthy = train(three_back, "sinusoidal", last_start=train_heads.WINDOWS)[0]
    before = train_heads.complex_blocks(train_heads.matrix(healthy))
    after = train_heads.complex_blocks(np.array(RESULTS["damaged"]))
    assert np.allclose(np.abs(before), np.abs(after), atol=0.1)
    apart = np.abs(before - after) > 0.1
    assert np.flatnonzero(apart).tolist() == [RESULTS["damaged pair"]]


def test_the_program_writes_one_line_for_each_head(tmp_path, monkeypatch):
    monkeypatch.setattr(train_heads, "ProcessPoolExecutor", ThreadPoolExecutor)
    for name in ("open_head", "look_back", "find_the_first"):
        monkeypatch.setattr(train_heads, name, lambda *call, name=name: {name: call})
    for name in ("measure_shares", "train_on"):
        monkeypatch.setattr(train_heads, name, lambda seed, **how: [seed, *how.values()])
    monkeypatch.setattr(train_heads, "damage", lambda: [[1.0]])
    target = tmp_path / "heads.json"
    train_heads.main(target, seeds=range(2), sizes=((4, 6),), ways=("none",))
    text = target.read_text(encoding="utf-8")
    written = json.loads(text)
    assert written.keys() == RESULTS.keys()
    for shares, windows, task in zip(written["shares"], written["windows"], TASKS, strict=True):
        assert shares.pop("right") == [[seed, task, "none", 4, 6] for seed in (0, 1)]
        assert shares == {"task": task, "way": "none", "width": 4, "length": 6}
        assert windows == {"task": task, "right": [[seed, 400, task] for seed in (0, 1)]}
    assert [row["open_head"] for row in written["opened"]] == [[0, 0], [0, 1], [400, 0], [400, 1]]
    assert [row["look_back"] for row in written["others"]][:3] == [[2, 0], [2, 1], [4, 0]]
    assert written["first"] == [{"find_the_first": [0]}, {"find_the_first": [1]}]
    assert written["continued"][-1]["right"] == [[seed, "first", RULE] for seed in (0, 1, 2)]
    rows = sum(len(part) for part in written.values() if isinstance(part, list))
    assert len(text.splitlines()) == rows + 2 * 7 + 4
