"""The field guide's record has one form."""

import json
import math
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
RECORD = json.loads((ROOT / "src/posenc/data/families.json").read_text(encoding="utf-8"))
ROWS = {row["name"]: row for row in RECORD["rows"]}


def test_speeds_fall_on_each_axis_and_say_the_base():
    for name, row in ROWS.items():
        for turn in row.get("turned", ()):
            speeds, axes = np.array(turn["speeds"]), np.array([*turn.get("axes", ())])
            if len(axes) and np.ptp(np.diff(np.log(speeds))) > 1e-3:
                speeds = speeds[axes == axes[0]]
            assert (np.diff(speeds) < 0).all(), name
            assert 2 * len(turn["speeds"]) == turn["turned"] <= turn["head"], name
            ratio = (speeds[0] / speeds[1]) ** turn["P"]
            assert math.isclose(ratio, turn["base"], rel_tol=2e-3), name
