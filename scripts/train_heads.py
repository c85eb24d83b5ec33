"""Train small heads, for notebooks 8 and 10: `make train`, about a quarter of an hour.

With five seeds each, it measures the share of right answers by task, way to tell positions and
size. The heads that look three back by sinusoids are also opened. Others are trained on random
windows, asked for other offsets, or for the first token of far texts. Notebook 10's rotary heads
are trained on after each rule that slows their hands. Each function says what it measures.
"""

import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.metadata import version
from itertools import product
from pathlib import Path

import numpy as np
from tqdm import tqdm

from posenc import learning
from posenc.attention import softmax
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.long_context import by_parts, interpolate, ntk_base
from posenc.shifts import rotation

TARGET = Path(__file__).parents[1] / "src" / "posenc" / "data" / "heads.json"
SEEDS = range(5)
SIZES = ((32, 32), (16, 32), (64, 32), (32, 64))  # width and length; the notebook's first
FAR, WINDOWS = 100, 400  # where moved texts begin, and the last start of random windows
# Where the opened heads are tried: length and first position.
PLACES = ((32, 0), (64, 0), (128, 0), (32, 100), (32, 1000), (32, 3000))
DAMAGED_PAIR, EXTRA = 1, 5  # in the exercise this pair turns by so many positions more
# Notebook 10's heads by task, and the rules after which they are trained on.
CONTINUED = {"three back": (1, 2, 3, 5, 6), "first": (0, 1, 2)}
FREQUENCIES = angular_frequencies(32)
RULES = {
    "as trained": FREQUENCIES,
    "every hand, c = 4": interpolate(FREQUENCIES, 4),
    "larger base, c = 4": angular_frequencies(32, base=ntk_base(10_000, 32, 4)),
    "larger base, c = 1024": angular_frequencies(32, base=ntk_base(10_000, 32, 1024)),
    "by parts, c = 4": by_parts(FREQUENCIES, 32, 4, low=1, high=4),
}


def matrix(parameters):
    """Return the matrix W between query and key."""
    return parameters["query"] @ parameters["key"].T


def complex_blocks(W):
    """Return for each pair the strength and the turn of its block, as one complex number."""
    along = W[0::2, 0::2].diagonal() + W[1::2, 1::2].diagonal()
    across = W[0::2, 1::2].diagonal() - W[1::2, 0::2].diagonal()
    return (along + 1j * across) / 2


def offset_part(W):
    """Return the part of W that sees the offset alone, block by block."""
    blocks, quarter = complex_blocks(W), [[0, 1], [-1, 0]]
    return np.kron(np.diag(blocks.real), np.eye(2)) + np.kron(np.diag(blocks.imag), quarter)


def share_in_family(W):
    """Return which share of W's squared length sees the offset alone, to three digits."""
    return round(float(np.sum(offset_part(W) ** 2) / np.sum(W**2)), 3)


def rounded_shares(parameters, task, way, places):
    """Return the shares of right answers in texts of some lengths and first positions."""
    shares = (learning.share_right(parameters, task, way, length=n, start=s) for n, s in places)
    return [round(share, 3) for share in shares]


def measure_shares(seed, task, way="sinusoidal", width=32, length=32, last_start=0):
    """Return the shares right in texts as long as trained, twice, four times, and moved."""
    parameters = learning.initial_parameters(way, seed=seed, width=width)
    how = {"seed": seed, "length": length, "last_start": last_start, "parameters": parameters}
    parameters, _ = learning.train(learning.TASKS[task], way, **how)
    places = ((length, 0), (2 * length, 0), (4 * length, 0), (length, FAR))
    return rounded_shares(parameters, learning.TASKS[task], way, places)


def shares_by_matrix(parameters, W, letters):
    """Return the shares right, three back, if W compares positions and `letters` times letters."""
    shares = []
    for length, start in PLACES:
        tokens, answers = learning.three_back(np.random.default_rng([0, 2]), 100, length)
        x, positions = parameters["embedding"][tokens], sinusoidal(length, len(W), start=start)
        heard, x = letters * x + positions, x + positions
        scores = heard @ W @ np.swapaxes(heard, -1, -2) / np.sqrt(len(W))
        weights = softmax(np.where(np.tri(length, dtype=bool), scores, -np.inf))
        guesses = (weights @ x @ parameters["mixed"] + x @ parameters["own"]).argmax(axis=-1)
        shares.append(round(float(np.mean((guesses == answers)[:, length // 2 :])), 3))
    return shares


def open_head(last_start, seed):
    """Return what is inside of one head that looks three tokens back by sinusoids."""
    task, way = learning.three_back, "sinusoidal"
    parameters, _ = learning.train(task, way, seed=seed, last_start=last_start)
    W, part = matrix(parameters), offset_part(matrix(parameters))
    blocks = complex_blocks(W)
    return {
        "seed": seed,
        "last start": last_start,
        "family before": share_in_family(matrix(learning.initial_parameters(way, seed=seed))),
        "family after": share_in_family(W),
        "offsets": (np.angle(blocks) / FREQUENCIES)[:4].round(2).tolist(),
        "strengths": np.abs(blocks)[:6].round(1).tolist(),
        "right": rounded_shares(parameters, task, way, PLACES),
        "offset part": shares_by_matrix(parameters, part, 1),
        "positions alone": shares_by_matrix(parameters, W, 0),
        "positions alone by offset part": shares_by_matrix(parameters, part, 0),
    }


def look_back(back, seed):
    """Return by what offsets a head turns that has to say the token so many places back."""

    def some_places_back(rng, texts, length):
        tokens, _ = learning.first_token(rng, texts, length)
        asked = np.arange(length) >= back
        return tokens, np.where(asked, np.roll(tokens, back, axis=1), learning.UNASKED)

    parameters, _ = learning.train(some_places_back, "sinusoidal", seed=seed)
    # Whole turns cannot be seen: take the one that is nearest.
    angles = np.angle(complex_blocks(matrix(parameters))) - back * FREQUENCIES
    offsets = back + (angles - 2 * np.pi * np.round(angles / (2 * np.pi))) / FREQUENCIES
    right = learning.share_right(parameters, some_places_back, "sinusoidal")
    return {"back": back, "seed": seed, "offsets": offsets[:4].round(2).tolist(), "right": right}


def find_the_first(seed):
    """Return the shares of first tokens found in moved texts, and before and from `FAR` on."""
    task, way, long = learning.first_token, "sinusoidal", 128
    parameters, _ = learning.train(task, way, seed=seed)
    right = rounded_shares(parameters, task, way, [(32, FAR + more) for more in (-5, 0, 5)])
    tokens, answers = task(np.random.default_rng([0, 2]), 100, long)
    found = learning.head(parameters, tokens, way)[0].argmax(axis=-1) == answers
    parts = found[:, long // 2 : FAR], found[:, FAR:]
    return {"seed": seed, "right": right, "long": [round(float(it.mean()), 3) for it in parts]}


def train_on(seed, task, rule):
    """Return the shares right of a head that was trained on, on longer texts, after a rule."""
    parameters, _ = learning.train(learning.TASKS[task], "rotary", seed=seed)
    way, how = learning.Rotary(RULES[rule]), {"seed": seed, "steps": 100, "length": 128}
    parameters, _ = learning.train(learning.TASKS[task], way, parameters=parameters, **how)
    return rounded_shares(parameters, learning.TASKS[task], way, [(32, 0), (64, 0), (128, 0)])


def damage():
    """Return the matrix of a head whose pair `DAMAGED_PAIR` has been turned further."""
    parameters, _ = learning.train(learning.three_back, "sinusoidal", last_start=WINDOWS)
    W, block = matrix(parameters), slice(2 * DAMAGED_PAIR, 2 * DAMAGED_PAIR + 2)
    W[block, block] @= rotation(FREQUENCIES[DAMAGED_PAIR], EXTRA)
    return W.round(1).tolist()


def main(target=TARGET, *, seeds=SEEDS, sizes=SIZES, ways=learning.WAYS):
    """Train all heads, two at a time, and write what was measured, one line for each head."""
    kinds = [
        {"task": task, "way": way, "width": width, "length": length}
        for (width, length), task, way in product(sizes, learning.TASKS, ways)
    ]
    rules = [{"task": task, "rule": rule} for task, rule in product(CONTINUED, RULES)]
    windows = partial(measure_shares, last_start=WINDOWS)
    with ProcessPoolExecutor(2) as pool:

        def row(function, names, seeds=seeds):
            return names | {"right": pool.map(partial(function, **names), seeds)}

        sections = {
            "shares": [row(measure_shares, kind) for kind in kinds],
            "windows": [row(windows, {"task": task}) for task in learning.TASKS],
            "opened": pool.map(open_head, *zip(*product((0, WINDOWS), seeds))),
            "others": pool.map(look_back, *zip(*product((2, 4, 5), seeds))),
            "first": pool.map(find_the_first, seeds),
            "continued": [row(train_on, rule, CONTINUED[rule["task"]]) for rule in rules],
            "damaged": damage(),
        }
        versions = {name: version(name) for name in ("autograd", "numpy")}
        texts = [f'"versions": {json.dumps(versions)}', f'"damaged pair": {DAMAGED_PAIR}']
        for name, rows in sections.items():
            lines = [json.dumps(it, default=list) for it in tqdm(rows, name)]
            texts.append(f'"{name}": [\n' + ",\n".join(lines) + "\n]")
    target.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
