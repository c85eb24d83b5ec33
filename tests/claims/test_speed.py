"""Speed and accuracy: its sentences are borne out by what was measured, and by the mathematics.

A new measurement that no longer bears one out fails here, and names the line to change.
"""

import json

import mpmath
import numpy as np

from posenc.encodings import angular_frequencies, encode, sinusoidal

from . import ROOT, claim

PAGE = "speed"
ROWS = json.loads((ROOT / "bench/results/peers.json").read_text(encoding="utf-8"))["rows"]
LOOP, ROUNDED = "transformers, DistilBERT", "posenc, sinusoidal, rounded"
FLOAT32 = ("transformers, Whisper", "timm", "x-transformers")


def rows(subject, length, width):
    """Return what was measured of a subject at a size, by name."""
    found = [row for row in ROWS if (row["subject"], row["size"]) == (subject, [length, width])]
    return {row["name"]: row for row in found}


def milliseconds(*size):
    """Return medians by name."""
    return {name: 1000 * row["seconds"][1] for name, row in rows(*size).items()}


USUAL, LONG = rows("tables", 4096, 1024), rows("tables", 131_072, 1024)


@claim(
    PAGE, "three of the packages below about 6 milliseconds, ours 2, and DistilBERT, which loops"
)
def how_long_a_table_takes(page):
    took = milliseconds("tables", 4096, 1024)
    assert [round(took[name]) for name in FLOAT32] == [6, 6, 6]
    assert round(took["posenc, sinusoidal"]) == 2
    assert 2500 < took[LOOP] < 3500
    assert f"<td>{float(f'{took[LOOP]:.2g}'):.0f}</td>" in page["lines"]


@claim(PAGE, "On the left, all but DistilBERT take less than a hundred times as long as writing")
def the_left_panel_in_words():
    for measured in (USUAL, LONG):
        assert all(row["ratio"][1] < 100 for name, row in measured.items() if name != LOOP)
    assert USUAL[LOOP]["ratio"][1] > 1000


@claim(PAGE, "are near 0.0002 for the shorter table and near 0.007 for the longer")
def the_right_panel_in_words():
    assert all(1.8e-4 < USUAL[name]["error"] < 2.8e-4 for name in FLOAT32)
    assert all(6e-3 < LONG[name]["error"] < 8.5e-3 for name in FLOAT32)
    for measured in (USUAL, LONG):
        exact = [measured[name]["error"] for name in ("posenc, sinusoidal", "NumPy, the formula")]
        assert max(exact) < 2e-11


@claim(PAGE, "A rounded angle is off in proportion to the position")
def float32_phases_are_off_in_proportion():
    frequencies = angular_frequencies(1024).astype(np.float32)
    off = []
    for start in (4_000, 128_000):
        t = np.arange(start, start + 2_000)
        angles = t.astype(np.float32)[:, None] * frequencies
        off.append(np.abs(np.sin(angles.astype(float)) - encode(t, frequencies)[:, 0::2]).max())
    assert 16 < off[1] / off[0] < 64


@claim(PAGE, "by position 131,071 the table is off by up to 0.008")
def the_largest_error_of_float32():
    assert max(round(LONG[name]["error"], 3) for name in FLOAT32) == 0.008


@claim(PAGE, "its error is $3 \\cdot 10^{-8}$ wherever you look")
def a_number_rounded_once_is_off_by_half_a_unit():
    once = [row["error"] for row in ROWS if row["name"] in (LOOP, ROUNDED)]
    assert min(once) > 0.99 * 2**-25
    assert max(once) < 1.001 * 2**-25


@claim(PAGE, "In no row that we sampled is the error as much as a hundredth of the step")
def no_row_misses_its_place():
    assert max(row.get("of a step", 0) for row in ROWS) < 0.01


@claim(PAGE, "neighboring floats are $1.5 \\cdot 10^{-11}$ apart")
def the_formula_is_off_by_half_a_gap():
    assert f"{np.spacing(2.0**17 - 1):.1e}" == "1.5e-11"
    frequencies = angular_frequencies(64)
    apart = np.abs(encode(np.arange(2**17), frequencies) - sinusoidal(2**17, 64)).max()
    assert 0.9 < apart / (np.spacing(2.0**17 - 1) / 2) < 1.01


@claim(PAGE, "seventeen rotations cost less than $10^{-14}$ at width 64")
def doubling_is_exact():
    rng = np.random.default_rng(5)
    sample = np.concatenate([rng.integers(2**j, 2 ** (j + 1), 16) for j in range(17)])
    with mpmath.workdps(40):
        stored = [mpmath.mpf(float(frequency)) for frequency in angular_frequencies(64)]
        truth = [
            [float(wave(w * int(t))) for w in stored for wave in (mpmath.sin, mpmath.cos)]
            for t in sample
        ]
    assert np.abs(sinusoidal(2**17, 64)[sample] - truth).max() < 1e-14


@claim(PAGE, "the complex product is the fastest of our five ways, and they're all equally exact")
def the_order_of_the_ways_to_shift():
    measured = rows("shifts", 4096, 1024)
    ours = {name: row["seconds"][1] for name, row in measured.items() if "shift_by" in name}
    order = sorted(ours, key=ours.get)
    assert order[0] == "posenc, shift_by_phase"
    assert order[-2:] == ["posenc, shift_by_matrix", "posenc, shift_by_loop"]
    errors = [measured[name]["error"] for name in ours]
    assert max(errors) < 1.5 * min(errors)


@claim(PAGE, "leaves a position $7 \\cdot 10^{-7}$ away from itself")
def the_gram_product_cancels():
    measured = rows("distances", 4096, 512)
    assert f"{measured.pop('NumPy, Gram product')['error']:.0e}" == "7e-07"
    assert all(row.get("error", 0) < 1e-12 for row in measured.values())


@claim(PAGE, "its differences would fill 69 gigabytes")
def broadcasting_would_fill_the_memory():
    assert round(4096**2 * 512 * 8 / 1e9) == 69
    assert "NumPy, broadcasting" not in rows("distances", 4096, 512)
