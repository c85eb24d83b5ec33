"""The program that trains many heads, and the record that it wrote."""

import numpy as np
import pytest
import train_heads

from posenc.learning import accuracy
from posenc.trained import load_heads, load_results

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


def test_unknown_heads_are_named():
    with pytest.raises(ValueError, match=r"^task and way must be one of .*, got first / deaf$"):
        load_heads("first", "deaf")
