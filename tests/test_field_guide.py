"""The field guide's record has one form."""

import json
import math
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
RECORD = json.loads((ROOT / "src/posenc/data/families.json").read_text(encoding="utf-8"))
ROWS = {row["name"]: row for row in RECORD["rows"]}
KINDS = {"turned", "no rotation", "biased", "relative buckets", "added sinusoids", "added learned"}


def test_a_row_has_its_kind_its_file_and_its_version():
    assert len(ROWS) == len(RECORD["rows"]) >= 220
    assert sum(row["file"].startswith("transformers/") for row in ROWS.values()) >= 200
    assert {row["kind"] for row in ROWS.values()} == KINDS | {"convolution", "none"}
    for row in ROWS.values():
        assert row["version"] == RECORD["versions"][0][row["file"].split("/")[0]]
        assert row["kind"] in row or row["kind"] in ("none", "convolution")
    assert not ROWS.keys() & {it["name"] for it in RECORD["not asked"]}


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


def test_rows_that_were_wrong_or_missing_are_right():
    turn = ROWS["qwen2_5_omni_dit"]["turned"][0]
    assert (turn["layout"], turn["heads"]) == ("pairs", 1)
    assert ROWS["videomae"]["kind"] == "added sinusoids"
    assert "angles are tiled" in ROWS["vjepa2"]["no rotation"][0]["refused"]
    apart = {name: ROWS[name]["turned"][0] for name in ("gpt_neox", "gemma4_text", "deepseek_v3")}
    places = {name: (turn["partner"], turn["from"]) for name, turn in apart.items()}
    assert places == {"gpt_neox": (12, 0), "gemma4_text": (256, 0), "deepseek_v3": (1, 128)}
