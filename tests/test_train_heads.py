"""The program that trains many heads, and what it has measured."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import train_heads

from posenc.learning import LENGTH, initial_parameters, load_results, rotations

RESULTS, CELLS = load_results(), train_heads.cells()
HEADS = sorted(CELLS)
SEEDS = len(RESULTS["seeds"])


def stored(name):
    """Return the parameters of the head of seed 0, and how it was trained."""
    design = CELLS[name].keywords["design"]
    kept = RESULTS[name]["hundredths"].items()
    parameters = {key: np.array(rows) / 100 for key, rows in kept}
    if "table" in parameters:  # beyond the texts of the training it is as at the beginning
        table = initial_parameters("learned")["table"].round(2)
        table[:LENGTH] = parameters["table"]
        parameters["table"] = table
    return parameters, design


def test_each_cell_has_as_many_heads_as_seeds_and_the_file_is_small():
    assert RESULTS.keys() == CELLS.keys() | {"seeds", "damaged"}
    assert SEEDS >= 20
    assert all(len(RESULTS[name]["right"]) == SEEDS for name in CELLS)
    assert train_heads.TARGET.stat().st_size <= 300_000


@pytest.mark.parametrize("name", HEADS)
def test_the_head_that_is_kept_is_right_as_often_as_recorded(name):
    parameters, design = stored(name)
    recorded = RESULTS[name]["right"][0]
    # four times as long takes as long as all others
    places = [place for place in train_heads.PLACES[: len(recorded)] if place != (128, 0)]
    again = train_heads.shares(parameters, design["task"], design["way"], places)
    # One answer in a thousand may be a tie that rounding decides.
    np.testing.assert_allclose(again, np.delete(recorded, 2), atol=0.0011)


@pytest.mark.parametrize("name", ["three back, windows", "first, rotary", "most recent, learned"])
def test_a_head_that_is_trained_again_has_the_same_losses(name):
    design = CELLS[name].keywords["design"] | {"steps": train_heads.FIRST_STEPS}
    _, losses = train_heads.train(0, **design)
    np.testing.assert_allclose(losses, RESULTS[name]["losses"], rtol=0, atol=1e-8)


def test_what_was_measured_twice_agrees():
    for task in train_heads.learning.TASKS:
        rotary = RESULTS[f"{task}, rotary"]
        as_trained = [row["as trained"] for row in rotary["stretched"]]
        assert as_trained == [row[:3] for row in rotary["right"]]
        for rule in train_heads.CONTINUED:
            cell = RESULTS[f"{task}, {rule}, trained on"]
            # The curve's parameters were not rounded.
            ends = np.array([row[-1] for row in cell["curve"]])
            np.testing.assert_allclose(ends, [row[2] for row in cell["right"]], atol=0.03)
            if rule != "from scratch":
                begins = [row[rule][2] for row in rotary["stretched"]]
                np.testing.assert_allclose(
                    [row[0] for row in cell["curve"]], begins, atol=0.03, err_msg=rule
                )
    opened = RESULTS["three back, sinusoidal"]
    assert [row["whole, letters"] for row in opened["silenced"]] == opened["far"]


def test_the_damaged_head_is_damaged_in_one_turn():
    damaged, (kept, _) = RESULTS["damaged"], stored("three back, windows")
    before, after = (rotations(W) for W in (train_heads.matrix(kept), np.array(damaged["W"])))
    assert np.allclose(np.abs(before), np.abs(after), atol=0.15)
    assert np.flatnonzero(np.abs(before - after) > 0.2).tolist() == [damaged["pair"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["2 back", "most recent, by parts, trained on"])
def test_what_is_measured_again_is_the_same(name):
    again, kept = CELLS[name](1), RESULTS[name]
    for measure, value in again.items():
        value, kept_value = (
            [*it.values()] if isinstance(it, dict) else it for it in (value, kept[measure][1])
        )
        # Rounding may differ between machines, and grows little in 300 steps.
        np.testing.assert_allclose(value, kept_value, atol=0.03)


def test_a_program_that_was_stopped_goes_on_where_it_was(tmp_path):
    called, target, kept = [], tmp_path / "heads.json.gz", tmp_path / "kept"

    def cell(name, fails=False):
        def measured(seed):
            if fails:
                raise KeyboardInterrupt
            called.append((name, seed))
            return {"right": [seed]} | ({"losses": [1.5]} if seed == 0 else {})

        return measured

    def run(fails):
        cells = {"a": cell("a"), "b": cell("b", fails)}
        how = {"seeds": range(2), "cells": lambda: cells, "pool": ThreadPoolExecutor}
        train_heads.main(target, kept, **how)

    with pytest.raises(KeyboardInterrupt):
        run(fails=True)
    assert not target.exists()
    assert called == [("a", 0), ("a", 1)]
    run(fails=False)
    assert called == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    assert not kept.exists()
    written = json.loads(gzip.decompress(target.read_bytes()))
    measured = {"right": [[0], [1]], "losses": [1.5]}
    assert written.pop("damaged").keys() == {"pair", "W"}
    assert written == {"a": measured, "b": measured, "seeds": [0, 1]}
