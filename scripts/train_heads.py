"""Train small heads, for notebooks 8 and 10: `make train`, about a quarter of an hour.

For each task and each way to tell positions, with five seeds, the share of right answers is
measured on texts as long as in the training, twice and four times as long, and as long but from
position 100 on; at the size of the notebook, then narrower, wider and longer. The heads that look
three tokens back by sinusoids are also opened: by what offset the matrix between query and key
turns the fast pairs, what share of it sees the offset alone, and what each part of it is good for.
More heads say what else the notebook asks: sinusoids trained on random windows; other offsets than
three; the first token of texts that begin far away.

For notebook 10 rotary heads are trained on, a little and on longer texts, after each rule that
slows their hands. `train_heads.py continued` trains these alone, in five minutes.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

import numpy as np
from tqdm import tqdm

from posenc import learning
from posenc.attention import softmax
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.long_context import by_parts, interpolate, ntk_base
from posenc.shifts import rotation

TARGET = Path(__file__).parents[1] / "src" / "posenc" / "data" / "heads.json"
SEEDS = 5
SIZES = ((32, 32), (16, 32), (64, 32), (32, 64))  # width and length; the notebook's first
FAR = 100
WINDOWS = 400
# Length and first position at which the opened heads are tried.
PLACES = ((32, 0), (64, 0), (128, 0), (32, 100), (32, 1000), (32, 3000))
# Other offsets that heads were asked for.
OTHERS = (2, 4, 5)
# First positions at which heads that say the first token are tried.
STARTS = (95, 100, 105)
# So long is the text in which both position 0 and its twin, `FAR`, can be seen.
LONG = 128
# Among so many keys the offset part alone is tried.
MOST_KEYS = 10_000
# What the exercise's head has suffered: this pair of seed 0's turns by so many positions more.
DAMAGED, EXTRA = 1, 5
# Notebook 10's heads by task, the rules after which they are trained on, and how.
CONTINUED = {"three back": (1, 2, 3, 5, 6), "first": (0, 1, 2)}
FREQUENCIES = angular_frequencies(32)
RULES = {
    "as trained": FREQUENCIES,
    "every hand, c = 4": interpolate(FREQUENCIES, 4),
    "larger base, c = 4": angular_frequencies(32, base=ntk_base(10_000, 32, 4)),
    "larger base, c = 1024": angular_frequencies(32, base=ntk_base(10_000, 32, 1024)),
    "by parts, c = 4": by_parts(FREQUENCIES, 32, 4, low=1, high=4),
}
MORE_STEPS, LONGER = 100, 128


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


def offset_part(W):
    """Return the part of W that sees the offset alone, block by block."""
    blocks = turns(W)
    quarter = [[0, 1], [-1, 0]]
    return np.kron(np.diag(blocks.real), np.eye(2)) + np.kron(np.diag(blocks.imag), quarter)


def measure_shares(task, way, width, length, seed, last_start=0):
    """Return the shares of right answers of one head, rounded to three digits."""
    parameters, _ = learning.train(
        learning.TASKS[task], way, seed=seed, last_start=last_start, width=width, length=length
    )
    places = ((length, 0), (2 * length, 0), (4 * length, 0), (length, FAR))
    return [
        round(learning.share_right(parameters, learning.TASKS[task], way, length=n, start=s), 3)
        for n, s in places
    ]


def share_by_parts(parameters, length, start, by):
    """Return the share of right answers, three back, with scores of one's own.

    They are those that `by` makes of the letters' rows, the positions' rows and W.
    """
    tokens, answers = learning.three_back(np.random.default_rng([0, 2]), 100, length)
    letters = parameters["embedding"][tokens]
    places = sinusoidal(length, letters.shape[-1], start=start)
    scores = by(letters, places, matrix(parameters)) / np.sqrt(letters.shape[-1])
    weights = softmax(np.where(np.tri(length, dtype=bool), scores, -np.inf))
    x = letters + places
    guesses = (weights @ x @ parameters["mixed"] + x @ parameters["own"]).argmax(axis=-1)
    return float(np.mean((guesses == answers)[:, length // 2 :]))


def product(x, W):
    """Return the products of all rows of x with each other, W between them."""
    return x @ W @ np.swapaxes(x, -1, -2)


def alone(letters, places, W):
    """Return the products of the positions for each text, as if there were no letters."""
    return np.broadcast_to(product(places, W), (len(letters), len(places), len(places)))


# What the opened heads see: every term by the offset part of W; that of the positions alone, with
# all others as they were trained; and the positions alone, by the whole W and by its offset part.
PARTS = {
    "offset part": lambda e, p, W: product(e + p, offset_part(W)),
    "positions by offset part": lambda e, p, W: product(e + p, W) + product(p, offset_part(W) - W),
    "positions alone": alone,
    "positions alone by offset part": lambda e, p, W: alone(e, p, offset_part(W)),
}


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
        **{
            name: [round(share_by_parts(parameters, n, s, by), 3) for n, s in PLACES]
            for name, by in PARTS.items()
        },
    }


def look_back(places, seed):
    """Return by what offsets a head turns that has to say the token so many places back."""

    def some_places_back(rng, texts, length):
        tokens = rng.integers(learning.KINDS, size=(texts, length))
        answers = np.full((texts, length), learning.UNASKED)
        answers[:, places:] = tokens[:, :-places]
        return tokens, answers

    parameters, _ = learning.train(some_places_back, "sinusoidal", seed=seed)
    blocks = turns(matrix(parameters))
    frequencies = angular_frequencies(2 * len(blocks))
    # Whole turns cannot be seen: take the one that is nearest.
    angles = np.angle(blocks) - places * frequencies
    offsets = places + (angles - 2 * np.pi * np.round(angles / (2 * np.pi))) / frequencies
    right = learning.share_right(parameters, some_places_back, "sinusoidal")
    return {"back": places, "seed": seed, "offsets": offsets[:4].round(2).tolist(), "right": right}


def find_the_first(seed):
    """Return how often a head by sinusoids says the first token of moved and of long texts.

    The moved texts begin at `STARTS`. The long ones are counted before position `FAR`, in their
    second half, and from there on.
    """
    task, way = learning.first_token, "sinusoidal"
    parameters, _ = learning.train(task, way, seed=seed)
    right = [round(learning.share_right(parameters, task, way, start=s), 3) for s in STARTS]
    tokens, answers = task(np.random.default_rng([0, 2]), 100, LONG)
    found = learning.head(parameters, tokens, way)[0].argmax(axis=-1) == answers
    parts = found[:, LONG // 2 : FAR], found[:, FAR:]
    long = [round(float(np.mean(part)), 3) for part in parts]
    return {"seed": seed, "right": right, "long": long}


def train_on(task, seed, rule):
    """Return the shares right at three lengths of a head that was trained on after a rule."""
    task, frequencies = learning.TASKS[task], RULES[rule]
    parameters, _ = learning.train(task, "rotary", seed=seed)
    how = {"steps": MORE_STEPS, "length": LONGER, "frequencies": frequencies}
    parameters, _ = learning.train(task, "rotary", seed=seed, parameters=parameters, **how)
    return [
        round(
            learning.share_right(parameters, task, "rotary", length=n, frequencies=frequencies), 3
        )
        for n in (32, 64, 128)
    ]


def train_all_on(pool):
    """Return what became of all heads that were trained on, one row for each task and rule."""
    rows = [
        (task, rule, [pool.submit(train_on, task, seed, rule) for seed in seeds])
        for task, seeds in CONTINUED.items()
        for rule in RULES
    ]
    for job in tqdm([job for *_, jobs in rows for job in jobs], file=sys.stderr):
        job.result()
    return [
        {"task": task, "rule": rule, "right": [job.result() for job in jobs]}
        for task, rule, jobs in rows
    ]


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
        windows = [
            [
                pool.submit(measure_shares, task, "sinusoidal", *sizes[0], seed, WINDOWS)
                for seed in range(seeds)
            ]
            for task in learning.TASKS
        ]
        others = [pool.submit(look_back, back, seed) for back in OTHERS for seed in range(seeds)]
        first = [pool.submit(find_the_first, seed) for seed in range(seeds)]
        damaged = pool.submit(damage)
        several = [job for jobs in shares + windows for job in jobs]
        for job in tqdm(several + opened + others + first, file=sys.stderr):
            job.result()
        continued = train_all_on(pool)
    names = ("task", "way", "width", "length")
    results = {
        "versions": {name: version(name) for name in ("autograd", "numpy")},
        "shares": [
            dict(zip(names, kind)) | {"right": [job.result() for job in jobs]}
            for kind, jobs in zip(kinds, shares)
        ],
        "windows": [
            {"task": task, "right": [job.result() for job in jobs]}
            for task, jobs in zip(learning.TASKS, windows)
        ],
        "opened": [job.result() for job in opened],
        "others": [job.result() for job in others],
        "first": [job.result() for job in first],
        "continued": continued,
        "damaged": damaged.result(),
    }
    write(results, target)


def continue_only(target=TARGET, *, workers=2):
    """Train on after the rules, and keep all else that was measured."""
    with ProcessPoolExecutor(workers) as pool:
        continued = train_all_on(pool)
    write(json.loads(target.read_text(encoding="utf-8")) | {"continued": continued}, target)


def write(results, target):
    """Write the results, one line for each head, so that a change shows."""
    lines = [
        f'"versions": {json.dumps(results["versions"])}',
        *(
            f'"{name}": [\n' + ",\n".join(map(json.dumps, results[name])) + "\n]"
            for name in ("shares", "windows", "opened", "others", "first", "continued", "damaged")
        ),
    ]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train the small heads of notebooks 8 and 10.")
    parser.add_argument(
        "part", nargs="?", choices=["continued"], help="train on alone; everything without it"
    )
    continue_only() if parser.parse_args().part else main()
