r"""A head that learns: one causal attention head, five ways to tell positions, three tasks.

The head reads tokens of 8 kinds and answers at each place with one of them. It is small on
purpose: one layer, width 32, texts of 32 tokens; it trains in a few seconds. Its gradient and its
optimizer, Adam, come from `autograd`; nothing is derived by hand.

The ways to tell positions: ``"none"``; ``"sinusoidal"``, the encoding added to the tokens;
``"learned"``, a table of trained rows added to them; ``"rotary"``, queries and keys turned by
their positions; ``"alibi"``, half the distance subtracted from each score. `Rotary` turns by
frequencies of your own. A ``ValueError`` names a way or a task that is none.
"""

import json
from dataclasses import dataclass
from importlib.resources import files

import autograd.numpy as np
from autograd import value_and_grad
from autograd.misc.optimizers import adam

from posenc.encodings import angular_frequencies, sinusoidal

WAYS = ("none", "sinusoidal", "learned", "rotary", "alibi")
KINDS = 8
WIDTH = 32
LENGTH = 32
LONGEST = 512  # how many positions the learned table has
SLOPE = 0.5  # of ALiBi
UNASKED = -1  # the answer where none is asked for


@dataclass(frozen=True)
class Rotary:
    """The way ``"rotary"`` with frequencies of your own, an array of shape (width/2,)."""

    frequencies: np.ndarray | None = None


def three_back(rng, texts, length):
    """Return random tokens and, as answers, the token three places back of each."""
    tokens = rng.integers(KINDS, size=(texts, length))
    answers = np.full((texts, length), UNASKED)
    answers[:, 3:] = tokens[:, :-3]
    return tokens, answers


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


def turned(x, positions, frequencies=None):
    """Return rows turned by their positions: row t by M(t), of the usual frequencies or others."""
    if frequencies is None:
        frequencies = angular_frequencies(x.shape[-1])
    angles = np.repeat(positions[:, None] * frequencies, 2, axis=1)
    # A quarter of a turn, as a product: indices would have a gradient that takes far longer.
    quarter = np.kron(np.eye(len(frequencies)), [[0, -1], [1, 0]])
    return np.cos(angles) * x + np.sin(angles) * (x @ quarter)


def head(parameters, tokens, way, start=0):
    """Return the answers of the head, a score for each kind of token, and its attention weights."""
    _refuse_unknown(way)
    x = parameters["embedding"][tokens]
    length, width = x.shape[-2:]
    positions = start + np.arange(length)
    if way == "sinusoidal":
        x = x + sinusoidal(length, width, start=start)
    if way == "learned":
        x = x + parameters["table"][positions]
    queries, keys = x @ parameters["query"], x @ parameters["key"]
    if way == "rotary":
        way = Rotary()
    if isinstance(way, Rotary):
        queries = turned(queries, positions, way.frequencies)
        keys = turned(keys, positions, way.frequencies)
    scores = queries @ np.swapaxes(keys, -1, -2) / np.sqrt(width)
    distances = positions[:, None] - positions
    if way == "alibi":
        scores = scores - SLOPE * distances
    weights = np.exp(log_softmax(np.where(distances < 0, -np.inf, scores)))
    return (weights @ x) @ parameters["mixed"] + x @ parameters["own"], weights


def log_softmax(scores):
    """Return the logarithms of the softmax, each row's maximum subtracted first."""
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    return scores - np.log(np.sum(np.exp(scores), axis=-1, keepdims=True))


def loss(parameters, tokens, answers, way, start=0):
    """Return the cross-entropy: how surprised the head is by the right answers, in the mean."""
    surprises = -log_softmax(head(parameters, tokens, way, start)[0])
    text, place = np.nonzero(answers != UNASKED)
    return np.mean(surprises[text, place, answers[text, place]])


def initial_parameters(way, *, seed=0, width=WIDTH):
    """Return random parameters: embeddings of size 1, projections that keep a row's length."""
    _refuse_unknown(way)
    rng = np.random.default_rng(seed)
    parameters = {"embedding": rng.normal(size=(KINDS, width))}
    for name, columns in {"query": width, "key": width, "mixed": KINDS, "own": KINDS}.items():
        parameters[name] = rng.normal(size=(width, columns)) / np.sqrt(width)
    if way == "learned":
        parameters["table"] = rng.normal(size=(LONGEST, width))
    return parameters


def train(
    task, way, *, seed=0, steps=300, length=LENGTH, last_start=0, parameters=None, watch=None
):
    """Train a head on random texts, 32 a step.

    Parameters
    ----------
    task : function
        One of `three_back`, `most_recent` and `first_token`, or one like them.
    way : str or Rotary
        How positions are told: one of `WAYS`, or `Rotary`.
    seed, steps : int
        What the random numbers begin with, and how many steps of Adam are taken, of size 0.01.
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
    _refuse_unknown(way, task)
    rng, losses = np.random.default_rng([seed, 1]), []

    @value_and_grad
    def loss_of_a_batch(parameters):
        tokens, answers = task(rng, 32, length)
        start = int(rng.integers(last_start + 1))
        return loss(parameters, tokens, answers, way, start)

    def gradient(parameters, step):
        if watch:
            watch(step, parameters)
        value, slope = loss_of_a_batch(parameters)
        losses.append(float(value))
        return slope

    if parameters is None:
        parameters = initial_parameters(way, seed=seed)
    learned = adam(gradient, parameters, step_size=0.01, num_iters=steps)
    if watch:
        watch(steps, learned)
    return learned, losses


def share_right(parameters, task, way, *, length=LENGTH, start=0, texts=100, seed=0):
    """Return the share of right answers in the second half of new texts.

    A rotary head may be tried with other frequencies than those that it was trained with.
    """
    _refuse_unknown(way, task)
    tokens, answers = task(np.random.default_rng([seed, 2]), texts, length)
    guesses = head(parameters, tokens, way, start)[0].argmax(axis=-1)
    asked = answers != UNASKED
    asked[:, : length // 2] = False
    return float(np.mean((guesses == answers)[asked]))


def _refuse_unknown(way, task=three_back):
    """Raise a ValueError that names a way, or a task, that is none."""
    if way not in WAYS and not isinstance(way, Rotary):
        raise ValueError(f"way must be Rotary(...) or one of {', '.join(WAYS)}, got {way!r}")
    if not callable(task):
        raise ValueError(f"task must be a function such as three_back, got {task!r}")


def load_results():
    """Return what `make train` measured: `scripts/train_heads.py` says how."""
    file = files("posenc") / "data" / "heads.json"
    return json.loads(file.read_text(encoding="utf-8"))
