"""Time contenders against each other: in turns, on warm memory, one thread; kept by pyperf.

pyperf, asv and pytest-benchmark time one benchmark to its end before the next begins. On a machine
that slows down for a minute this favors one contender over the other. So the turns are taken here,
and the values are handed to pyperf, whose format and commands serve for the rest.
"""

import gc
import itertools
import os
import random
import sys
import time

import numpy as np
import pyperf

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


def write_limit(shape, dtype=float):
    """Return a function that does no more than write an array once."""

    def fill():
        array = np.empty(shape, dtype)
        array.fill(1)
        return array

    return fill


def _sample(function, loops):
    start = time.perf_counter()
    for _ in itertools.repeat(None, loops):
        function()
    return (time.perf_counter() - start) / loops


def interleave(contenders, *, seconds, most=41, fewest=9):
    """Time functions in turns and return a `pyperf.Benchmark` for each.

    Each round calls all contenders once, in an order of its own, so that none has the same
    predecessor, and what that leaves in the cache, every time.

    Parameters
    ----------
    contenders : dict
        Functions without arguments, by name. The first is the unit.
    seconds : float
        How long all of it should take, roughly.
    most, fewest : int
        Bounds of the number of rounds. A slow contender is left out of some rounds: its metadata
        `every` tells that it ran in the rounds 0, every, 2 every, ...

    Returns
    -------
    dict of pyperf.Benchmark
        By name. The values are seconds a call, in the order of the rounds.
    """
    loops, durations, every = {}, {}, {}
    for name, function in contenders.items():
        function()
        once = _sample(function, 1)
        loops[name] = max(1, round(SHORTEST / once))
        durations[name] = once * loops[name]
    quick = sum(duration for duration in durations.values() if duration < SLOW * seconds)
    slow = sum(durations.values()) - quick
    rounds = int(np.clip((seconds - 3 * slow) / max(quick, 1e-9), fewest, most))
    for name, duration in durations.items():
        every[name] = 1 if duration < SLOW * seconds else rounds // 3
    values = {name: [] for name in contenders}
    gc.collect()
    gc.freeze()  # so that collections, which go on, have little to look through
    order, shuffle = list(contenders.items()), random.Random(0).shuffle
    try:
        for turn in range(rounds):
            shuffle(order)
            for name, function in order:
                if turn % every[name] == 0:
                    values[name].append(_sample(function, loops[name]))
    finally:
        gc.unfreeze()
    return {
        name: benchmark(name, values[name], loops=loops[name], every=every[name]) for name in values
    }


def benchmark(name, values, *, loops=1, every=1, **facts):
    """Return measured values as a `pyperf.Benchmark`, without what names the machine."""
    metadata = {"name": name, "loops": loops, "every": every, "unit": "second", **facts}
    return pyperf.Benchmark([pyperf.Run(values, metadata=metadata, collect_metadata=False)])


def save(path, benchmarks):
    """Write benchmarks to a file that pyperf's own commands read, too."""
    path.unlink(missing_ok=True)
    pyperf.BenchmarkSuite(benchmarks).dump(str(path))
