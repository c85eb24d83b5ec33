r"""A head that learns: one causal attention head, several ways to tell positions, three tasks.

The head reads tokens of 8 kinds and answers at each place with one of them. It is small on
purpose: one layer, width 32, texts of 32 tokens; it trains in a second. `gradient` goes back
through it by hand, in plain NumPy, several times faster than a library that derives everything.

The ways to tell positions: ``"none"``; ``"sinusoidal"``, the encoding added to the tokens;
``"learned"``, a table of trained rows added to them; ``"rotary"``, queries and keys turned by
their positions; ``"alibi"``, half the distance subtracted from each score; and `Rotary` and `Alibi`
with frequencies or a slope of your own. A control is ``"deaf"``: like ``"sinusoidal"``, but queries
and keys are made of the positions alone, and only the values have letters. A ``ValueError`` names a
way or a task that is none.

The matrix between query and key is made of 2 x 2 blocks; `rotations` and `from_rotations` read
and write what in them hears the offset alone.
"""

import gzip
import json
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from posenc.attention import softmax
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.rotary import apply_rotary

WAYS = ("none", "sinusoidal", "learned", "rotary", "alibi")
KINDS = 8
WIDTH = 32
LENGTH = 32
TOKENS = 1024  # in each step of training, whatever the length of a text
LONGEST = 512  # how many positions the learned table has
UNASKED = -1  # the answer where none is asked for


@dataclass(frozen=True)
class Rotary:
    """The way ``"rotary"`` with frequencies of your own, an array of shape (16,)."""

    frequencies: np.ndarray


@dataclass(frozen=True)
class Alibi:
    """The way ``"alibi"`` with a slope of your own: what each position of distance costs."""

    slope: float


def tokens_back(offset):
    """Return the task to say, at each place, the token `offset` places back."""

    def task(rng, texts, length):
        tokens = rng.integers(KINDS, size=(texts, length))
        answers = np.full((texts, length), UNASKED)
        answers[:, offset:] = tokens[:, : length - offset]
        return tokens, answers

    return task


three_back = tokens_back(3)


def most_recent(rng, texts, length):
    """Return tokens, four in five of them blank (0), and the last that was not blank."""
    tokens = rng.integers(1, KINDS, size=(texts, length)) * (rng.random((texts, length)) < 0.2)
    seen = np.tri(length, dtype=int) * np.where(tokens > 0, np.arange(length), 0)[:, None]
    last = np.take_along_axis(tokens, np.max(seen, axis=-1), axis=1)
    return tokens, np.where(last > 0, last, UNASKED)


def first_token(rng, texts, length):
    """Return random tokens and, as the answer at each place, the first of the text."""
    tokens = rng.integers(KINDS, size=(texts, length))
    return tokens, np.repeat(tokens[:, :1], length, axis=1)


TASKS = {"three back": three_back, "most recent": most_recent, "first": first_token}


def head(parameters, tokens, way, start=0):
    """Return the answers of the head, a score for each kind of token, and its attention weights."""
    x, _, mixture, weights, *_ = _attend(parameters, tokens, way, start)
    return mixture @ parameters["mixed"] + x @ parameters["own"], weights


def _attend(parameters, tokens, way, start):
    """Return the rows, those compared, what attention mixes, its weights, and queries and keys."""
    way = _known(way)
    x = parameters["embedding"][tokens]
    length, width = x.shape[-2:]
    positions = start + np.arange(length)
    added = 0
    if way in ("sinusoidal", "deaf"):
        added = sinusoidal(length, width, start=start)
    if way == "learned":
        added = parameters["table"][positions]
    x = x + added
    compared = np.broadcast_to(added, x.shape) if way == "deaf" else x
    queries, keys = compared @ parameters["query"], compared @ parameters["key"]
    if isinstance(way, Rotary):
        queries, keys = (_turned(rows, way, start) for rows in (queries, keys))
    scores = queries @ np.swapaxes(keys, -1, -2) / np.sqrt(width)
    if isinstance(way, Alibi):
        scores = scores - way.slope * (positions[:, None] - positions)
    weights = softmax(scores + np.triu(np.full((length, length), -np.inf), 1))
    return x, compared, weights @ x, weights, queries, keys


def _turned(rows, way, start, sense=1):
    """Return rows turned by their positions, or back, if the sense is -1."""
    positions = sense * (start + np.arange(rows.shape[-2]))
    return apply_rotary(rows, way.frequencies, positions=positions)


def log_softmax(scores):
    """Return the logarithms of the softmax, each row's maximum subtracted first."""
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    return scores - np.log(np.sum(np.exp(scores), axis=-1, keepdims=True))


def gradient(parameters, tokens, answers, way, start=0):
    """Return the loss and its slope along each parameter.

    The loss is the cross-entropy: how surprised the head is by the right answers, in the mean. What
    is called `d_rows` is its slope along the entries of `rows`.
    """
    way = _known(way)
    x, compared, mixture, weights, queries, keys = _attend(parameters, tokens, way, start)
    logarithms = log_softmax(mixture @ parameters["mixed"] + x @ parameters["own"])
    asked = answers != UNASKED
    right = np.eye(KINDS)[answers] * asked[..., None]
    d_votes = (np.exp(logarithms) * asked[..., None] - right) / asked.sum()

    d_mixture = d_votes @ parameters["mixed"].T
    d_weights = d_mixture @ np.swapaxes(x, -1, -2)
    # A softmax cannot raise all its weights: what they have in common goes.
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    d_scores /= np.sqrt(x.shape[-1])
    d_queries, d_keys = d_scores @ keys, np.swapaxes(d_scores, -1, -2) @ queries
    if isinstance(way, Rotary):
        d_queries, d_keys = (_turned(rows, way, start, -1) for rows in (d_queries, d_keys))
    d_x = np.swapaxes(weights, -1, -2) @ d_mixture + d_votes @ parameters["own"].T
    if way != "deaf":
        d_x += d_queries @ parameters["query"].T + d_keys @ parameters["key"].T

    def slope(rows, d_outputs):
        """Return the slope along a matrix that made outputs of rows."""
        return rows.reshape(-1, rows.shape[-1]).T @ d_outputs.reshape(-1, d_outputs.shape[-1])

    slopes = {
        "embedding": slope(np.eye(KINDS)[tokens], d_x),
        "query": slope(compared, d_queries),
        "key": slope(compared, d_keys),
        "mixed": slope(mixture, d_votes),
        "own": slope(x, d_votes),
    }
    if way == "learned":
        slopes["table"] = np.zeros_like(parameters["table"])
        slopes["table"][start : start + x.shape[-2]] = d_x.sum(axis=0)
    return -np.sum(logarithms * right) / asked.sum(), slopes


def initial_parameters(way, *, seed=0):
    """Return random parameters: embeddings of size 1, projections that keep a row's length."""
    way, rng = _known(way), np.random.default_rng(seed)
    parameters = {"embedding": rng.normal(size=(KINDS, WIDTH))}
    for name, columns in {"query": WIDTH, "key": WIDTH, "mixed": KINDS, "own": KINDS}.items():
        parameters[name] = rng.normal(size=(WIDTH, columns)) / np.sqrt(WIDTH)
    if way == "learned":
        parameters["table"] = rng.normal(size=(LONGEST, WIDTH))
    return parameters


def train(
    task, way, *, seed=0, steps=300, length=LENGTH, last_start=0, parameters=None, watch=None
):
    """Train a head on random texts, about `TOKENS` letters a step, by Adam.

    Each number moves by its own mean slope and spread: Kingma and Ba (2015), arXiv:1412.6980.

    Parameters
    ----------
    task : function
        One of `three_back`, `most_recent` and `first_token`, or one like them.
    way : str, Rotary or Alibi
        How positions are told: one of `WAYS`, or with frequencies or a slope of your own.
    seed, steps : int
        What the random numbers begin with, and how many steps are taken, of size 0.01.
    length : int
        Tokens in a text.
    last_start : int
        Each step's texts begin at one random position from 0 to this.
    parameters : dict of ndarray, optional
        What the head begins with; `initial_parameters` of the way and the seed unless given.
    watch : function, optional
        Called with the number of steps taken and the parameters, from the first to the last.

    Returns
    -------
    parameters : dict of ndarray
        What the head has learned.
    losses : list of float
        The loss before each step.
    """
    way = _known(way, task)
    rng, losses = np.random.default_rng([seed, 1]), []
    parameters = dict(initial_parameters(way, seed=seed) if parameters is None else parameters)
    mean, square = dict.fromkeys(parameters, 0.0), dict.fromkeys(parameters, 0.0)
    for step in range(steps):
        if watch:
            watch(step, parameters)
        texts = task(rng, max(1, TOKENS // length), length)
        start = int(rng.integers(last_start + 1))
        value, slopes = gradient(parameters, *texts, way, start)
        losses.append(float(value))
        for name, slope in slopes.items():
            mean[name] = 0.9 * mean[name] + 0.1 * slope
            square[name] = 0.999 * square[name] + 0.001 * slope**2
            # Both began at 0, and are too small at first.
            ahead = mean[name] / (1 - 0.9 ** (step + 1))
            spread = np.sqrt(square[name] / (1 - 0.999 ** (step + 1)))
            parameters[name] = parameters[name] - 0.01 * ahead / (spread + 1e-8)
    if watch:
        watch(steps, parameters)
    return parameters, losses


def share_right(parameters, task, way, *, length=LENGTH, start=0, texts=100):
    """Return the share of right answers in the second half of new texts.

    A rotary head may be tried with other frequencies than those that it was trained with.
    """
    way = _known(way, task)
    tokens, answers = task(np.random.default_rng([0, 2]), texts, length)
    guesses = head(parameters, tokens, way, start)[0].argmax(axis=-1)
    asked = answers != UNASKED
    asked[:, : length // 2] = False
    return float(np.mean((guesses == answers)[asked]))


def _known(way, task=three_back):
    """Return a way, the last two by their classes; name what is no way, or no task."""
    names = (*WAYS, "deaf")
    if way not in names and not isinstance(way, Rotary | Alibi):
        raise ValueError(f"way must be Rotary, Alibi or one of {', '.join(names)}, got {way!r}")
    if not callable(task):
        raise ValueError(f"task must be a function such as three_back, got {task!r}")
    own = {"rotary": Rotary(angular_frequencies(WIDTH)), "alibi": Alibi(0.5)}
    return own.get(way, way) if isinstance(way, str) else way


def rotations(W):
    r"""Return how far and how strongly each 2 x 2 block along the diagonal of a matrix turns.

    A block is a rotation times a number plus a reflection times a number. This is the rotation:

    .. math:: r_k e^{i\theta_k} = \tfrac12 (a + d) + \tfrac{i}{2} (b - c), \qquad
        \begin{pmatrix} a & b \\ c & d \end{pmatrix} \text{ the block of pair } k

    Parameters
    ----------
    W : array_like, shape (d, d)
        The matrix between query and key; d even.

    Returns
    -------
    ndarray of complex, shape (d/2,)
        The strength as absolute value and the angle in radians; M(φ) has 1 and ω_k φ.

    Examples
    --------
    >>> rotations([[0, 2], [-2, 0]])
    array([0.+2.j])
    """
    W = np.asarray(W, dtype=float)
    along = W[0::2, 0::2].diagonal() + W[1::2, 1::2].diagonal()
    across = W[0::2, 1::2].diagonal() - W[1::2, 0::2].diagonal()
    return (along + 1j * across) / 2


def from_rotations(turns):
    """Return the matrix whose blocks are these rotations, and which is 0 elsewhere.

    ``from_rotations(rotations(W))`` is the part of W that hears the offset alone.
    """
    along, across = np.diag(np.real(turns)), np.diag(np.imag(turns))
    return np.kron(along, np.eye(2)) + np.kron(across, [[0, 1], [-1, 0]])


def load_results():
    """Return what `make train` measured: `scripts/train_heads.py` says how."""
    file = files("posenc") / "data" / "heads.json.gz"
    return json.loads(gzip.decompress(file.read_bytes()))
