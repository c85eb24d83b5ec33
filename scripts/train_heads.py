"""Train small heads with five seeds each, for notebook 8: `make train`, about ten minutes.

For each task and each way to tell positions the share of right answers is measured on texts as
long as in the training, twice and four times as long, and as long but from position 100 on; at
the size of the notebook, then narrower, wider and longer. The heads that look three tokens back
by sinusoids are also opened: by what offset the matrix between query and key turns the fast
pairs, and what share of it sees the offset alone.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

import numpy as np
from tqdm import tqdm

from posenc import learning
from posenc.encodings import angular_frequencies
from posenc.shifts import rotation

TARGET = Path(__file__).parents[1] / "src" / "posenc" / "data" / "heads.json"
SEEDS = 5
SIZES = ((32, 32), (16, 32), (64, 32), (32, 64))  # width and length; the notebook's first
FAR = 100
WINDOWS = 400
# Length and first position at which the opened heads are tried.
PLACES = ((32, 0), (64, 0), (128, 0), (32, 100), (32, 1000), (32, 3000))
# Among so many keys the offset part alone is tried.
MOST_KEYS = 10_000
# What the exercise's head has suffered: this pair of seed 0's turns by so many positions more.
DAMAGED, EXTRA = 1, 5


def matrix(parameters):
    """Return the matrix W between query and key."""
    return parameters["query"] @ parameters["key"].T


def turns(W):
    """Return for each pair the strength and the turn of its block, as one complex number."""
    sine, cosine = np.arange(0, len(W), 2), np.arange(1, len(W), 2)
    along = W[sine, sine] + W[cosine, cosine]
    return (along + 1j * (W[sine, cosine] - W[cosine, sine])) / 2


def share_in_family(W):
    """Return which share of W's squared length sees the offset alone."""
    return float(2 * np.sum(np.abs(turns(W)) ** 2) / np.sum(W**2))


def measure_shares(task, way, width, length, seed):
    """Return the shares of right answers of one head, rounded to three digits."""
    size = {"width": width, "length": length}
    parameters, _ = learning.train(learning.TASKS[task], way, seed=seed, **size)
    places = ((length, 0), (2 * length, 0), (4 * length, 0), (length, FAR))
    return [
        round(learning.share_right(parameters, learning.TASKS[task], way, length=n, start=s), 3)
        for n, s in places
    ]


def open_head(last_start, seed):
    """Return what is inside of one head that looks three tokens back by sinusoids."""
    task, way = learning.three_back, "sinusoidal"
    before = matrix(learning.initial_parameters(way, seed=seed))
    parameters, _ = learning.train(task, way, seed=seed, last_start=last_start)
    after = matrix(parameters)
    blocks = turns(after)
    frequencies = angular_frequencies(len(after))
    offsets = np.angle(blocks) / frequencies
    # What the part that sees the offset alone makes of each offset, for all positions.
    angles = np.outer(np.arange(MOST_KEYS), frequencies) - np.angle(blocks)
    rivals = np.flatnonzero(np.cos(angles) @ np.abs(blocks) >= np.cos(angles[3]) @ np.abs(blocks))
    return {
        "seed": seed,
        "last start": last_start,
        "family before": round(share_in_family(before), 3),
        "family after": round(share_in_family(after), 3),
        "first rival": int(rivals[rivals != 3].min(initial=MOST_KEYS)),
        "offsets": offsets[:4].round(2).tolist(),
        "strengths": np.abs(blocks)[:6].round(1).tolist(),
        "right": [
            round(learning.share_right(parameters, task, way, length=n, start=s), 3)
            for n, s in PLACES
        ],
    }


def damage():
    """Return the matrix of a head whose pair `DAMAGED` has been turned further."""
    parameters, _ = learning.train(learning.three_back, "sinusoidal", last_start=WINDOWS)
    W = matrix(parameters)
    block = slice(2 * DAMAGED, 2 * DAMAGED + 2)
    W[block, block] @= rotation(angular_frequencies(len(W))[DAMAGED], EXTRA)
    return W.round(1).tolist()


def main(target=TARGET, *, seeds=SEEDS, sizes=SIZES, ways=learning.WAYS, workers=2):
    """Train all heads and write what was measured."""
    kinds = [(task, way, *size) for size in sizes for task in learning.TASKS for way in ways]
    with ProcessPoolExecutor(workers) as pool:
        shares = [
            [pool.submit(measure_shares, *kind, seed) for seed in range(seeds)] for kind in kinds
        ]
        opened = [
            pool.submit(open_head, last, seed) for last in (0, WINDOWS) for seed in range(seeds)
        ]
        damaged = pool.submit(damage)
        for job in tqdm([job for jobs in shares for job in jobs] + opened, file=sys.stderr):
            job.result()
    names = ("task", "way", "width", "length")
    results = {
        "versions": {name: version(name) for name in ("autograd", "numpy")},
        "shares": [
            dict(zip(names, kind)) | {"right": [job.result() for job in jobs]}
            for kind, jobs in zip(kinds, shares)
        ],
        "opened": [job.result() for job in opened],
        "damaged": damaged.result(),
    }
    # One line for each head, so that a change shows.
    lines = [
        f'"versions": {json.dumps(results["versions"])}',
        *(
            f'"{name}": [\n' + ",\n".join(map(json.dumps, results[name])) + "\n]"
            for name in ("shares", "opened", "damaged")
        ),
    ]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
