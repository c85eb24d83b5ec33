"""Time functions against each other: in turns, on warm memory, in one thread.

Timed one after the other, as by pyperf and pytest-benchmark, whoever runs in a slow minute looks
slow. asv goes through all benchmarks twice by default, each in a process of its own; Google
Benchmark can take turns in random order, in C++. Here all take turns in each of many rounds.
"""

import gc
import itertools
import os
import random
import sys
import time

import numpy as np

SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # What is freed stays in the process: a first touch of new memory costs more than most work.
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(2**40),
}
SHORTEST = 2e-3  # seconds of one sample; a faster call is repeated within the sample
SLOW = 1 / 30  # of the time for all; a contender that is slower takes part in few rounds


def settle():
    """Start this program again with the settings, which count only from a process's beginning."""
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | SETTINGS)


def _sample(function, loops):
    start = time.perf_counter()
    for _ in itertools.repeat(None, loops):
        function()
    return (time.perf_counter() - start) / loops


def interleave(contenders, *, seconds, most=41, fewest=9):
    """Return the seconds of a call in each round, for functions by name.

    Each round calls all contenders, in an order of its own, so that none has the same predecessor,
    and what that leaves in the cache, every time. `seconds` is how long all of it should take,
    roughly; `most` and `fewest` bound the rounds. The slow take part in three or four of them.
    """
    loops, durations = {}, {}
    for name, function in contenders.items():
        function()
        once = _sample(function, 1)
        loops[name] = max(1, round(SHORTEST / once))
        durations[name] = once * loops[name]
    slow = {name for name, duration in durations.items() if duration > SLOW * seconds}
    for_slow = sum(durations[name] for name in slow)
    for_round = sum(durations.values()) - for_slow
    rounds = int(np.clip((seconds - 3 * for_slow) / max(for_round, 1e-9), fewest, most))
    times = {name: {} for name in contenders}
    order, shuffle = list(contenders), random.Random(0).shuffle
    gc.collect()
    gc.freeze()  # so that collections, which go on, have little to look through
    try:
        for turn in range(rounds):
            shuffle(order)
            for name in order:
                if name not in slow or turn % (rounds // 3) == 0:
                    times[name][turn] = _sample(contenders[name], loops[name])
    finally:
        gc.unfreeze()
    return times


def quartiles(values):
    """Return the quartiles of measured values, in four digits."""
    return [float(f"{x:.4g}") for x in np.quantile(list(values), [0.25, 0.5, 0.75])]


def summarize(times):
    """Return the seconds of each contender, and their ratios to the first one's of the round."""
    unit = next(iter(times.values()))
    for name, own in times.items():
        ratios = quartiles(x / unit[turn] for turn, x in own.items() if turn in unit)
        found = {"name": name, "seconds": quartiles(own.values()), "ratio": ratios}
        yield found | {"rounds": len(own)}
