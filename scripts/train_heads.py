"""Train the small heads of notebooks 8 and 10 and of Labs B and C: `make train`.

A *cell* is one way to train, 24 heads from 24 seeds, and what is measured of each: the functions
below say what. A cell that is done is kept in `.heads`; whoever stops the program loses no more
than the cell that it is at. When all are there, they become one file of results.

Each head's parameters are rounded to hundredths before it is measured, so that the head of seed 0,
which the file keeps, is the very head that was measured.
"""

import gzip
import json
import time
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
from posenc.long_context import by_parts, interpolate, ntk_base, unfinished, yarn_sharpness
from posenc.shifts import rotation

ROOT = Path(__file__).parents[1]
TARGET, KEPT = ROOT / "src" / "posenc" / "data" / "heads.json.gz", ROOT / ".heads"
SEEDS = range(24)
FIRST_STEPS = 20  # so many losses are kept, for whoever trains the head of seed 0 again
FAR, WINDOWS = 100, 400  # where moved texts begin, and the last start of random windows
# Where the opened heads are tried: length and first position.
PLACES = ((32, 0), (64, 0), (128, 0), (32, 100), (32, 1000), (32, 3000))
STARTS = range(301)  # where texts begin for the curves of shares against it
LONG, CURVE = 128, (0, 25, 50, 100, 200, 400, 700, 1000)  # of heads that are trained on
TASKS = learning.TASKS | {f"{n} back": learning.tokens_back(n) for n in (1, 2, 4, 5)}
FREQUENCIES = angular_frequencies(32)
ALONE = unfinished(FREQUENCIES, learning.LENGTH)
RULES = {
    "as trained": FREQUENCIES,
    "every hand": interpolate(FREQUENCIES, 4),
    **{
        f"larger base, c = {c}": angular_frequencies(32, base=ntk_base(10_000, 32, c))
        for c in (4, 8, 16, 64, 1024)
    },
    "by parts": by_parts(FREQUENCIES, 32, 4, low=1, high=4),
    "by parts, 0.9 to 3": by_parts(FREQUENCIES, 32, 4, low=0.9, high=3),
    "unfinished hands": np.where(ALONE, FREQUENCIES / 4, FREQUENCIES),
}
CONTINUED = ("as trained", "every hand", "larger base, c = 4", "larger base, c = 1024")
CONTINUED += ("by parts", "unfinished hands", "from scratch")


def train(seed, *, task, way, length=32, last_start=0, steps=300, watch=None, rule=None):
    """Return a trained head and its losses; with a rule, trained on after it, on long texts."""
    how = {"seed": seed, "steps": steps, "watch": watch}
    if rule is None:
        parameters = learning.initial_parameters(way, seed=seed)
        how |= {"length": length, "last_start": last_start, "parameters": parameters}
        return learning.train(TASKS[task], way, **how)
    parameters = None
    if rule != "from scratch":
        parameters, _ = learning.train(TASKS[task], way, seed=seed)
    way = Rotary(RULES.get(rule, FREQUENCIES))
    return learning.train(TASKS[task], way, length=LONG, parameters=parameters, **how)


def share(parameters, task, way, length, start=0, **more):
    """Return a share of right answers, to three digits."""
    more |= {"length": length, "start": start}
    return round(learning.share_right(parameters, TASKS[task], way, **more), 3)


# --- what is measured: each function gets a head and how it was trained ---


def right(parameters, *, task, way, length=32, rule=None, **_):
    """Return the shares in texts as long as trained, twice, four times, and moved."""
    if rule is not None:
        way, places = Rotary(RULES.get(rule, FREQUENCIES)), [(32, 0), (64, 0), (128, 0)]
    else:
        places = [(length, 0), (2 * length, 0), (4 * length, 0), (length, FAR)]
    return [share(parameters, task, way, *place) for place in places]


def far(parameters, *, task, way, **_):
    """Return the shares at `PLACES`."""
    return [share(parameters, task, way, *place) for place in PLACES]


def starts(parameters, *, task, way, **_):
    """Return the shares in texts of 32 that begin at each of `STARTS`."""
    found = (share(parameters, task, way, 32, start, texts=40) for start in STARTS)
    return [round(it, 2) for it in found]


def matrix(parameters):
    """Return the matrix W between query and key."""
    return parameters["query"] @ parameters["key"].T


def turned(parameters, **_):
    """Return strength and turn of W's blocks as real and imaginary parts."""
    blocks = rotations(matrix(parameters)).round(3)
    return [blocks.real.tolist(), blocks.imag.tolist()]


def family(parameters, **_):
    """Return which share of W's squared length hears the offset alone."""
    W = matrix(parameters)
    return round(float(np.sum(from_rotations(rotations(W)) ** 2) / np.sum(W**2)), 3)


def silenced(parameters, *, task, **_):
    """Return the shares at `PLACES` by the part of W and by what is heard of letters.

    Queries and keys hear the letters, in their place the letters' mean, only how they differ from
    it, or nothing; the values stay as they are.
    """
    W, E = matrix(parameters), parameters["embedding"]
    mean = np.broadcast_to(E.mean(axis=0), E.shape)
    heard = {"letters": E, "mean letter": mean, "differences": E - mean, "nothing": 0 * E}
    parts = {"whole": W, "offset part": from_rotations(rotations(W))}
    shares = {}
    for (part, matrix_), (name, letters) in product(parts.items(), heard.items()):
        row = shares.setdefault(f"{part}, {name}", [])
        for length, start in PLACES:
            tokens, answers = TASKS[task](np.random.default_rng([0, 2]), 100, length)
            pe = sinusoidal(length, len(W), start=start)
            compared, x = letters[tokens] + pe, E[tokens] + pe
            scores = compared @ matrix_ @ np.swapaxes(compared, -1, -2) / np.sqrt(len(W))
            weights = softmax(np.where(np.tri(length, dtype=bool), scores, -np.inf))
            votes = weights @ x @ parameters["mixed"] + x @ parameters["own"]
            found = (votes.argmax(axis=-1) == answers)[:, length // 2 :]
            row.append(round(float(found.mean()), 3))
    return shares


def spreads(parameters, **_):
    """Return how much the scores of a row vary by letters and by positions, for W and its part."""
    W, E, PE = matrix(parameters), parameters["embedding"], sinusoidal(32, 32)
    x = E[learning.three_back(np.random.default_rng([0, 2]), 100, 32)[0]] + PE
    found = []
    for M in (W, from_rotations(rotations(W))):
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
        near = np.array([scores[s, s - 15 : s + 1] for s in range(16, 32)])
        near -= near.mean(axis=1, keepdims=True)
        explained = 1 - np.sum((near - near.mean(axis=0)) ** 2) / np.sum(near**2)
        rows = [scores[s, : s + 1] for s in range(16, 32)]
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
    return [parts.real.tolist(), parts.imag.tolist()]


def stretched(parameters, *, task, **_):
    """Return the shares in texts of 32, 64 and 128, with nothing trained, under each rule."""
    found = {}
    for name, frequencies in RULES.items():
        way = Rotary(frequencies)
        found[name] = [share(parameters, task, way, length) for length in (32, 64, 128)]
    sharper = parameters | {"query": yarn_sharpness(4) * parameters["query"]}
    way = Rotary(RULES["by parts"])
    found["by parts, sharper"] = [share(sharper, task, way, n) for n in (32, 64, 128)]
    return found


def tested(parameters, *, task, **_):
    """Return the shares in texts of 128 if hands hear other offsets than there are.

    The unfinished ones stop where they stood at 31; or, as a control, the others do; or all repeat
    4 to 31 from 32 on, and so meet as many keys, and nothing new.
    """
    tokens, answers = TASKS[task](np.random.default_rng([0, 2]), 100, LONG)
    x, found = parameters["embedding"][tokens], {}
    asking, wanted = x[:, LONG // 2 :], answers[:, LONG // 2 :]
    places = np.arange(LONG)
    offsets = places[LONG // 2 :, None] - places
    queries, keys = (
        (rows @ parameters[name]).view(complex) for name, rows in (("query", asking), ("key", x))
    )
    stop = np.minimum(offsets, 31)
    repeat = np.where(offsets < 32, offsets, 4 + (offsets - 32) % 28)
    cases = {"unfinished stop": (stop, ALONE), "others stop": (stop, ~ALONE)}
    cases["all repeat"] = repeat, ALONE | ~ALONE
    for name, (met, which) in cases.items():
        scores = np.where(offsets < 0, -np.inf, np.zeros((100, 1, 1)))
        for k, speed in enumerate(FREQUENCIES):
            turn = np.exp(-1j * speed * (met if which[k] else offsets))
            pairs = queries[:, :, None, k] * keys[:, None, :, k].conj()
            scores += (pairs * turn).real / np.sqrt(32)
        votes = softmax(scores) @ x @ parameters["mixed"] + asking @ parameters["own"]
        right = (votes.argmax(axis=-1) == wanted)[wanted != learning.UNASKED]
        found[name] = round(float(np.mean(right)), 3)
    return found


# --- cells ---


def measure(seed, design, measures):
    """Return what is measured of one head, and for seed 0 its first losses and parameters."""
    curve = {}

    def watch(step, parameters):
        if design.get("rule") and step in CURVE:
            way = Rotary(RULES.get(design["rule"], FREQUENCIES))
            curve[step] = share(parameters, design["task"], way, LONG)

    parameters, losses = train(seed, **design, watch=watch)
    parameters = {name: it.round(2) for name, it in parameters.items()}
    found = {function.__name__: function(parameters, **design) for function in measures}
    if curve:
        found["curve"] = list(curve.values())
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

    def add(name, *measures, **design):
        found[name] = design, (right, *measures)

    for task, way in product(learning.TASKS, learning.WAYS):
        more = stretch if way == "rotary" else ()
        more += (starts,) if way == "sinusoidal" and task != "most recent" else ()
        more += opened if (task, way) == ("three back", "sinusoidal") else ()
        add(f"{task}, {way}", *more, task=task, way=way)
    for task in learning.TASKS:
        more = (starts, *opened) if task == "three back" else ()
        add(f"{task}, windows", *more, task=task, way="sinusoidal", last_start=WINDOWS)
        fast = Rotary(np.where(np.arange(16) < 3, FREQUENCIES, 0))
        add(f"{task}, hands 0 to 2", task=task, way=fast)
    longer = {"way": "sinusoidal", "last_start": WINDOWS, "steps": 2000}
    add("first, windows, 2000 steps", task="first", **longer)
    for slope in (0.05, 0.2, 1.0):
        add(f"three back, slope {slope}", task="three back", way=Alibi(slope))
    for n in (1, 2, 4, 5):
        add(f"{n} back", turned, family, silenced, own_letter, task=f"{n} back", way="sinusoidal")
    add("1 back, deaf", turned, family, task="1 back", way="deaf")
    add("three back, deaf", far, turned, family, bent, task="three back", way="deaf")
    add("1 back, 3000 steps", turned, family, task="1 back", way="sinusoidal", steps=3000)
    for task, rule in product(learning.TASKS, CONTINUED):
        add(f"{task}, {rule}, trained on", task=task, way="rotary", rule=rule, steps=CURVE[-1])
    return {name: partial(measure, design=it[0], measures=it[1]) for name, it in found.items()}


def together(rows):
    """Return what was measured of each head as lists, one entry a head."""
    found = {name: [row[name] for row in rows] for name in rows[-1]}
    return found | {name: it for name, it in rows[0].items() if name not in found}


def main(target=TARGET, kept=KEPT, *, seeds=SEEDS, cells=cells, pool=ProcessPoolExecutor):
    """Train two heads at a time, cell by cell, and write what was measured."""
    kept.mkdir(exist_ok=True)
    every = cells()
    files = {name: kept / f"{name}.json" for name in every}
    missing = [name for name, file in files.items() if not file.exists()]
    with pool(2) as workers, tqdm(total=len(seeds) * len(missing), unit=" heads") as bar:
        for name in missing:
            began, bar.desc = time.monotonic(), name
            rows = []
            for row in workers.map(every[name], seeds):
                rows.append(row)
                bar.update()
            text = json.dumps(together(rows), separators=(",", ":"))
            files[name].write_text(text, encoding="utf-8")
            bar.write(f"{name}: {time.monotonic() - began:.0f} s")
    results = {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items()}
    results |= {"seeds": list(seeds), "damaged": damage()}
    text = json.dumps(results, separators=(",", ":"))
    target.write_bytes(gzip.compress(text.encode(), mtime=0))
    for file in files.values():
        file.unlink()
    kept.rmdir()


if __name__ == "__main__":
    main()
