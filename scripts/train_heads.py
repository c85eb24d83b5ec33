"""Train the small heads of notebooks 8 and 10 and of Labs B and C: `make train`.

A *cell* is one way to train, 24 heads from 24 seeds, and what is measured of each: the functions
below say what. Cells that are done are kept in the file `.heads`; whoever stops the program loses
no more than the cell that it is at.

Each head's parameters are rounded to hundredths before it is measured, so that the head of seed 0,
which the file keeps, is the very head that was measured.
"""

import gzip
import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from tqdm import tqdm

from posenc import learning
from posenc.attention import softmax
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.learning import Alibi, Rotary, from_rotations, rotations
from posenc.long_context import by_parts, interpolate, ntk_base, unfinished
from posenc.shifts import rotation

ROOT = Path(__file__).parents[1]
TARGET, KEPT = ROOT / "src" / "posenc" / "data" / "heads.json.gz", ROOT / ".heads"
SEEDS = range(24)
FIRST_STEPS = 20  # so many losses are kept, for whoever trains the head of seed 0 again
WINDOWS = 400  # the last start of random windows
# Where heads are tried: length and first position.
PLACES = ((32, 0), (64, 0), (128, 0), (32, 100), (32, 1000), (32, 3000))
LONG, CURVE = 128, (0, 25, 50, 100, 200, 400, 700, 1000)  # of heads that are trained on
TASKS = learning.TASKS | {f"{n} back": learning.tokens_back(n) for n in (1, 2, 4, 5)}
FREQUENCIES = angular_frequencies(32)
ALONE = unfinished(FREQUENCIES, learning.LENGTH)
BASES = {f"larger base, c = {c}": ntk_base(10_000, 32, c) for c in (4, 8, 16, 64, 1024)}
RULES = {"as trained": FREQUENCIES, "every hand": interpolate(FREQUENCIES, 4)}
RULES |= {name: angular_frequencies(32, base=base) for name, base in BASES.items()}
RULES["by parts"] = by_parts(FREQUENCIES, 32, 4, low=1, high=4)
RULES["by parts, 0.9 to 3"] = by_parts(FREQUENCIES, 32, 4, low=0.9, high=3)
RULES["unfinished hands"] = np.where(ALONE, FREQUENCIES / 4, FREQUENCIES)
CONTINUED = ("as trained", "every hand", "larger base, c = 4", "larger base, c = 1024")
CONTINUED += ("by parts", "unfinished hands", "from scratch")


def train(seed, *, task, way, rule=None, **how):
    """Return a trained head and its losses; with a rule, trained on after it, on long texts."""
    if rule not in (None, "from scratch"):
        how["parameters"], _ = learning.train(TASKS[task], "rotary", seed=seed)
    return learning.train(TASKS[task], way, seed=seed, length=LONG if rule else 32, **how)


def shares(parameters, task, way, places, texts=100):
    """Return the share of right answers, to three digits, by length and first position."""
    measured = partial(learning.share_right, parameters, TASKS[task], way, texts=texts)
    return [round(measured(length=length, start=start), 3) for length, start in places]


def matrix(parameters):
    """Return the matrix W between query and key."""
    return parameters["query"] @ parameters["key"].T


def offset_part(W):
    """Return the part of W that hears the offset alone."""
    return from_rotations(rotations(W))


# --- what is measured: each function gets a head and how it was trained ---


def right(parameters, *, task, way, rule=None, **_):
    """Return the shares at the first `PLACES`; of who is trained on, without moved texts."""
    return shares(parameters, task, way, PLACES[: 3 if rule else 4])


def far(parameters, *, task, way, **_):
    """Return the shares at `PLACES`."""
    return shares(parameters, task, way, PLACES)


def starts(parameters, *, task, way, **_):
    """Return the shares in texts of 32 that begin at 0 to 300."""
    places = [(32, start) for start in range(301)]
    return np.round(shares(parameters, task, way, places, texts=40), 2).tolist()


def turned(parameters, **_):
    """Return strength and turn of W's blocks as real and imaginary parts."""
    return rotations(matrix(parameters)).round(3).view(float).reshape(-1, 2).T.tolist()


def family(parameters, **_):
    """Return which share of W's squared length hears the offset alone."""
    W = matrix(parameters)
    return round(float(np.sum(offset_part(W) ** 2) / np.sum(W**2)), 3)


def silenced(parameters, *, task, **_):
    """Return the shares at `PLACES` by the part of W and by what is heard of letters.

    Queries and keys hear the letters, in their place the letters' mean, only how they differ from
    it, or nothing; the values stay as they are.
    """
    W, E = matrix(parameters), parameters["embedding"]
    mean = np.broadcast_to(E.mean(axis=0), E.shape)
    heard = {"letters": E, "mean letter": mean, "differences": E - mean, "nothing": 0 * E}
    parts = {"whole": W, "offset part": offset_part(W)}
    found = {f"{part}, {name}": [] for part, name in product(parts, heard)}
    for length, start in PLACES:
        tokens, answers = TASKS[task](np.random.default_rng([0, 2]), 100, length)
        pe, seen = sinusoidal(length, len(W), start=start), np.tri(length, dtype=bool)
        x = E[tokens] + pe
        for part, name in product(parts, heard):
            compared = heard[name][tokens] + pe
            scores = compared @ parts[part] @ np.swapaxes(compared, -1, -2) / np.sqrt(len(W))
            weights = softmax(np.where(seen, scores, -np.inf))
            votes = weights @ x @ parameters["mixed"] + x @ parameters["own"]
            late = (votes.argmax(axis=-1) == answers)[:, length // 2 :]
            found[f"{part}, {name}"].append(round(float(late.mean()), 3))
    return found


def spreads(parameters, **_):
    """Return how much the scores of a row vary by letters and by positions, for W and its part."""
    W, E, PE = matrix(parameters), parameters["embedding"], sinusoidal(32, 32)
    x = E[learning.three_back(np.random.default_rng([0, 2]), 100, 32)[0]] + PE
    found = []
    for M in (W, offset_part(W)):
        by_place = PE @ M @ PE.T
        for scores in (x @ M @ np.swapaxes(x, -1, -2) - by_place, by_place):
            apart = scores - scores.mean(axis=-1, keepdims=True)
            found.append(round(float(apart.std() / np.sqrt(32)), 2))
    return found


def bent(parameters, **_):
    """Return for first positions 0, 100, 1000 what the offset explains, and the least lead of 3.

    It explains a share of how the scores of positions vary along a row, for the second half of
    queries and the offsets 0 to 15: what all keys of a query share, a softmax does not hear. 3
    leads all keys of these queries.
    """
    W, found = matrix(parameters), []
    for start in (0, 100, 1000):
        pe = sinusoidal(32, 32, start=start)
        scores = pe @ W @ pe.T / np.sqrt(32)
        rows = [scores[s, : s + 1] for s in range(16, 32)]
        near = np.array([row[-16:] - row[-16:].mean() for row in rows])
        explained = 1 - np.sum((near - near.mean(axis=0)) ** 2) / np.sum(near**2)
        lead = min(row[-4] - np.delete(row, -4).max() for row in rows)
        found.append([round(float(explained), 3), round(float(lead), 2)])
    return found


def own_letter(parameters, **_):
    """Return by how much a key's score changes if it has the query's letter, and by positions.

    The letters' part is the mean over equal letters minus that over different ones; the
    positions' is the mean at the offsets 0 to 5.
    """
    W, E, PE = matrix(parameters), parameters["embedding"], sinusoidal(32, 32)
    letters, places = E @ W @ E.T / np.sqrt(32), PE @ W @ PE.T / np.sqrt(32)
    same = np.eye(len(E), dtype=bool)
    near = [float(np.diagonal(places, -offset)[16 - offset :].mean()) for offset in range(6)]
    return np.round([letters[same].mean() - letters[~same].mean(), *near], 2).tolist()


def hands(parameters, **_):
    """Return for each hand the strength · exp(i angle) of the score of mean query and mean key."""
    mean = parameters["embedding"].mean(axis=0)
    query, key = ((mean @ parameters[name]).view(complex) for name in ("query", "key"))
    parts = (query * key.conj() / np.sqrt(32)).round(2)
    return parts.view(float).reshape(-1, 2).T.tolist()


def stretched(parameters, *, task, **_):
    """Return the shares in texts of 32, 64 and 128, with nothing trained, under each rule."""
    # YaRN multiplies all scores by this.
    sharper = parameters | {"query": (0.1 * np.log(4) + 1) ** 2 * parameters["query"]}
    heads = {rule: (parameters, it) for rule, it in RULES.items()}
    heads["by parts, sharper"] = sharper, RULES["by parts"]
    return {name: shares(it, task, Rotary(w), PLACES[:3]) for name, (it, w) in heads.items()}


def tested(parameters, *, task, **_):
    """Return the shares in texts of 128 if hands hear other offsets than there are.

    The unfinished ones stop where they stood at 31; or, as a control, the others do; or all repeat
    4 to 31 from 32 on, and so meet as many keys, and nothing new.
    """
    tokens, answers = TASKS[task](np.random.default_rng([0, 2]), 100, LONG)
    x, late = parameters["embedding"][tokens], np.arange(LONG // 2, LONG)
    offsets = late[:, None] - np.arange(LONG)
    queries = (x[:, late] @ parameters["query"]).view(complex)
    keys = (x @ parameters["key"]).view(complex)
    stop = np.minimum(offsets, 31)
    repeat = np.where(offsets < 32, offsets, 4 + (offsets - 32) % 28)
    cases = {"unfinished stop": (stop, ALONE), "others stop": (stop, ~ALONE)}
    cases["all repeat"] = repeat, ALONE | ~ALONE
    scores = {name: np.where(offsets < 0, -np.inf, np.zeros((100, 1, 1))) for name in cases}
    for k, speed in enumerate(FREQUENCIES):
        pairs = queries[:, :, None, k] * keys[:, None, :, k].conj()
        for name, (met, which) in cases.items():
            turn = np.exp(-1j * speed * (met if which[k] else offsets))
            scores[name] += (pairs * turn).real / np.sqrt(32)
    for name in cases:
        votes = softmax(scores[name]) @ x @ parameters["mixed"] + x[:, late] @ parameters["own"]
        found = (votes.argmax(axis=-1) == answers[:, late])[answers[:, late] != learning.UNASKED]
        scores[name] = round(float(np.mean(found)), 3)
    return scores


# --- cells ---


def measure(seed, design, measures):
    """Return what is measured of one head, and for seed 0 its first losses and parameters."""
    curve = []

    def watch(step, parameters):
        if design.get("rule") and step in CURVE:
            curve.extend(shares(parameters, design["task"], design["way"], [(LONG, 0)]))

    parameters, losses = train(seed, **design, watch=watch)
    parameters = {name: it.round(2) for name, it in parameters.items()}
    found = {function.__name__: function(parameters, **design) for function in measures}
    found |= {"curve": curve} if curve else {}
    if seed == 0:
        if "table" in parameters:  # the other rows were never trained
            parameters["table"] = parameters["table"][: learning.LENGTH]
        found["losses"] = np.round(losses[:FIRST_STEPS], 9).tolist()
        found["hundredths"] = {
            name: np.rint(100 * it).astype(int).tolist() for name, it in parameters.items()
        }
    return found


def damage(pair=1, extra=5):
    """Return the matrix of a head, one of whose pairs has been turned further."""
    parameters, _ = train(0, task="three back", way="sinusoidal", last_start=WINDOWS)
    W, block = matrix(parameters), slice(2 * pair, 2 * pair + 2)
    W[block, block] @= rotation(FREQUENCIES[pair], extra)
    return {"pair": pair, "W": W.round(1).tolist()}


def cells():
    """Return the cells: from names to how heads are trained, and what is measured of them."""
    opened = far, turned, family, silenced, spreads, bent, own_letter
    stretch = stretched, tested, hands
    found = {}

    def add(name, task, *measures, way="sinusoidal", **design):
        design |= {"task": task, "way": way}
        found[name] = partial(measure, design=design, measures=(right, *measures))

    for task, way in product(learning.TASKS, learning.WAYS):
        more = stretch if way == "rotary" else ()
        more += (starts,) if way == "sinusoidal" and task != "most recent" else ()
        more += opened if (task, way) == ("three back", "sinusoidal") else ()
        add(f"{task}, {way}", task, *more, way=way)
    for task in learning.TASKS:
        more = (starts, *opened) if task == "three back" else ()
        add(f"{task}, windows", task, *more, last_start=WINDOWS)
        add(f"{task}, hands 0 to 2", task, way=Rotary(FREQUENCIES * (np.arange(16) < 3)))
    add("first, windows, 2000 steps", "first", last_start=WINDOWS, steps=2000)
    for slope in (0.05, 0.2, 1.0):
        add(f"three back, slope {slope}", "three back", way=Alibi(slope))
    for n in (1, 2, 4, 5):
        add(f"{n} back", f"{n} back", turned, family, silenced, own_letter)
    add("1 back, deaf", "1 back", turned, family, way="deaf")
    add("three back, deaf", "three back", far, turned, family, bent, way="deaf")
    add("1 back, 3000 steps", "1 back", turned, family, steps=3000)
    for task, rule in product(learning.TASKS, CONTINUED):
        more = {"way": Rotary(RULES.get(rule, FREQUENCIES)), "rule": rule, "steps": CURVE[-1]}
        add(f"{task}, {rule}, trained on", task, **more)
    return found


def main(target=TARGET, kept=KEPT, *, seeds=SEEDS, cells=cells, pool=ProcessPoolExecutor):
    """Train two heads at a time, cell by cell, and write what was measured."""
    results = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    with pool(2) as workers:
        for name, cell in tqdm(cells().items(), unit=" cells"):
            if name not in results:
                rows = list(workers.map(cell, seeds))
                # What only the head of seed 0 has stays as it is.
                results[name] = rows[0] | {what: [row[what] for row in rows] for what in rows[-1]}
                kept.write_text(json.dumps(results), encoding="utf-8")
    results |= {"seeds": list(seeds), "damaged": damage()}
    text = json.dumps(results, separators=(",", ":"))
    target.write_bytes(gzip.compress(text.encode(), mtime=0))
    kept.unlink()


if __name__ == "__main__":
    main()
