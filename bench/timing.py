"""Time functions against each other, in one process.

If functions are timed one after the other, as by pyperf and pytest-benchmark, one that runs in a
slow minute looks slow. So here they take turns, and ratios are taken within a round.
"""

import math
import random
import timeit

import numpy as np

SHORTEST = 2e-3  # seconds of one sample; a faster call is repeated within the sample


def interleave(contenders, *, seconds, rounds=41):
    """Return the seconds of a call, by round, for each of the functions by name.

    Each round has its own order, so that a function doesn't always follow the same one and find
    what that left in the cache. `seconds` is roughly the time for all: the first function takes
    part in every round, one that needs more than an equal share in fewer, but at least in three.
    """
    timers = {name: timeit.Timer(function) for name, function in contenders.items()}
    fastest, every = {}, {}
    for name, timer in timers.items():
        timer.timeit(1)
        fastest[name] = timer.timeit(1)
        shares = rounds * max(fastest[name], SHORTEST) * len(timers) / seconds
        every[name] = math.ceil(min(shares, rounds // 3)) if every else 1
    times = {name: {} for name in timers}
    order, shuffle = list(timers), random.Random(0).shuffle
    for turn in range(rounds):
        shuffle(order)
        for name in order:
            if turn % every[name] == 0:
                calls = max(1, round(SHORTEST / fastest[name]))
                times[name][turn] = timers[name].timeit(calls) / calls
                fastest[name] = min(fastest[name], times[name][turn])
    return times


def summarize(times):
    """Yield each contender's quartiles of seconds, and of ratios to the first of the round."""
    first = next(iter(times.values()))
    for name, rounds in times.items():
        row = {"name": name, "seconds": list(rounds.values())}
        row["ratio"] = [seconds / first[turn] for turn, seconds in rounds.items()]
        for quantity in ("seconds", "ratio"):
            quartiles = np.quantile(row[quantity], [0.25, 0.5, 0.75])
            row[quantity] = [float(f"{x:.4g}") for x in quartiles]
        yield row | {"rounds": len(rounds)}
