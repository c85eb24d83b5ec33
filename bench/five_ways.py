"""Time the five ways to shift a table, for the chart of notebook 5.

Writes src/posenc/data/five_ways.json: medians in seconds, and on which machine.
"""

import json
from functools import partial
from pathlib import Path

import numpy as np
import timing
from accuracy import SHIFT
from run import machine

from posenc import shifts
from posenc.encodings import angular_frequencies, encode

LENGTH, WIDTH = 200, 256


def contenders():
    """Return the functions to time, by name."""
    frequencies = angular_frequencies(WIDTH)
    table = encode(np.arange(LENGTH), frequencies)
    M = shifts.shift_matrix(frequencies, SHIFT)
    inputs = table, frequencies, SHIFT
    return {
        "formula": lambda: encode(np.arange(LENGTH) + SHIFT, frequencies),
        "making M": partial(shifts.shift_matrix, frequencies, SHIFT),
        "product with M": lambda: table @ M.T,
        "loop": partial(shifts.shift_by_loop, *inputs),
        "matrix": partial(shifts.shift_by_matrix, *inputs),
        "packing": partial(shifts.shift_by_packing, *inputs),
        "swapping": partial(shifts.shift_by_swapping, *inputs),
        "complex": partial(shifts.shift_by_phase, *inputs),
    }


def main():
    """Measure and write."""
    rows = timing.summarize(timing.interleave(contenders(), seconds=15))
    facts = machine() | {"NumPy": np.__version__}
    facts["seconds"] = {row["name"]: row["seconds"][1] for row in rows}
    path = Path(__file__).parents[1] / "src" / "posenc" / "data" / "five_ways.json"
    path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
