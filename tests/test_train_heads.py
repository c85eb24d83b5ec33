"""The program that trains many heads, and the record that it wrote."""

import numpy as np
import pandas as pd
import pytest
import train_heads
from train_heads import EMPTY, Cell

from posenc import trained
from posenc.learning import accuracy
from posenc.trained import load_heads, load_results
from posenc.ways import WAYS

CELLS = {(cell.task, cell.name, cell.rule): cell for cell in train_heads.cells()}
KEPT = [names for names, cell in CELLS.items() if cell.kept]


@pytest.fixture(scope="module")
def table():
    return load_results()


def test_every_cell_has_every_seed_and_the_record_is_small(table):
    names = ["task", "way", "rule"]
    measured = table[table.measure == "accuracy"].groupby(names).seed.unique()
    assert set(measured.index) == set(CELLS)
    assert all(set(seeds) == set(range(24)) for seeds in measured)
    files = [train_heads.DATA / name for name in ("heads.csv.bz2", "heads.npz")]
    assert sum(file.stat().st_size for file in files) < 1_000_000


def test_each_number_of_the_table_stands_in_one_row(table):
    assert list(table) == list(EMPTY)
    assert not table.duplicated(list(EMPTY)[:-1]).any()
    assert table.value.notna().all()


@pytest.mark.parametrize("names", KEPT, ids=" / ".join)
def test_a_kept_head_has_the_recorded_accuracy(names, table):
    cell, seed = CELLS[names], CELLS[names].kept - 1
    recorded = table.query(
        "task == @cell.task and way == @cell.name and seed == @seed "
        "and measure == 'accuracy' and length == 32 and start in (0, 100)"
    )
    parameters, task = load_heads(cell.task, cell.name)[seed], train_heads.TASKS[cell.task]
    for row in recorded.itertuples():
        again = accuracy(parameters, task, cell.way, length=row.length, start=row.start)
        # One answer in a thousand may be a tie that rounding decides.
        assert again == pytest.approx(row.value, abs=0.0011)
    assert len(recorded) == 2


@pytest.mark.parametrize(
    ("task", "way"), [("three back", "windows"), ("first", "rotary"), ("most recent", "learned")]
)
def test_a_head_trained_again_has_the_recorded_losses(task, way, table):
    recorded = table.query("task == @task and way == @way and measure == 'loss'")
    _, losses = train_heads.trained(CELLS[task, way, ""], 0, steps=len(recorded))
    np.testing.assert_allclose(losses, recorded.sort_values("item").value, rtol=0, atol=2e-8)


def test_what_was_measured_twice_agrees(table):
    def numbers(where):
        return table.query(where).sort_values(["task", "length", "seed"]).value.to_numpy()

    rotary = "way == 'rotary' and start == 0 and "
    as_trained = numbers(f"{rotary} measure == 'accuracy by rule' and rule == 'as trained'")
    assert np.array_equal(as_trained, numbers(f"{rotary} measure == 'accuracy' and length != 0"))
    three = "task == 'three back' and way == 'sinusoidal' and length == 32 and start == 100 and "
    whole = "measure == 'accuracy by part' and part == 'whole W' and heard == 'letters'"
    assert np.array_equal(numbers(three + whole), numbers(three + "measure == 'accuracy'"))


@pytest.mark.parametrize("task", ["three back", "first"])
def test_training_on_begins_at_what_the_rule_alone_gives(task, table):
    for rule in train_heads.CONTINUED:
        heads = table[(table.task == task) & (table.rule == rule) & (table.length == 128)]
        begins = heads.query("measure == 'accuracy by step' and item == 0").sort_values("seed")
        alone = heads.query("measure == 'accuracy by rule'").sort_values("seed")
        # The first were not rounded to hundredths.
        np.testing.assert_allclose(begins.value, alone.value, atol=0.03)


def test_unknown_heads_are_named():
    with pytest.raises(ValueError, match=r"^task and way must be one of .*, got first / deaf$"):
        load_heads("first", "deaf")


def test_a_stopped_program_goes_on_and_writes_a_table_that_loads(tmp_path, monkeypatch):
    cell = Cell("three back", "sinusoidal", WAYS["sinusoidal"], options={"steps": 2})
    broken = Cell("three back", "rotary", None)
    how = {"seeds": range(2), "data": tmp_path, "kept": tmp_path / "kept"}
    with pytest.raises(TypeError, match="way must be a Way"):
        train_heads.main(lambda: [cell, broken], **how)
    (done,) = (tmp_path / "kept").iterdir()
    before = done.stat().st_mtime_ns
    with pytest.raises(TypeError, match="way must be a Way"):
        train_heads.main(lambda: [cell, broken], **how)
    assert done.stat().st_mtime_ns == before
    train_heads.main(lambda: [cell], **how)
    assert not (tmp_path / "kept").exists()

    monkeypatch.setattr(trained, "_DATA", tmp_path)
    assert list(load_heads("three back", "sinusoidal")) == [0]
    rows = load_results()
    assert isinstance(rows, pd.DataFrame)
    assert set(rows.measure) == {"accuracy", "accuracy, far keys hidden", "loss"}
    assert set(rows.seed) == {0, 1}
