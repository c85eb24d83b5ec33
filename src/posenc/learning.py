"""A head that learns: one causal attention head, and tasks to train it on.

The head reads tokens of 8 kinds, called letters here, and answers at each place with one of them.
It's small on purpose: one layer, width 32, texts of 32 letters; it trains in a second. `gradient`
is written by hand in plain NumPy, several times faster than automatic differentiation. A
`posenc.ways.Way` tells the head positions.
"""

from typing import NamedTuple

import numpy as np

from posenc.attention import softmax
from posenc.ways import HEARD, KINDS, LONGEST, WIDTH, Learned, Way

LENGTH = 32
TOKENS = 1024  # in each step of training, whatever the length of a text
UNASKED = -1  # the answer at places that have none


def tokens_back(offset):
    """Return a task: at each place, say the letter `offset` places back."""

    def task(rng, texts, length):
        tokens = rng.integers(KINDS, size=(texts, length))
        answers = np.full((texts, length), UNASKED)
        answers[:, offset:] = tokens[:, : max(length - offset, 0)]
        return tokens, answers

    return task


three_back = tokens_back(3)


def most_recent(rng, texts, length):
    """Return letters, four in five of them blank (0), and the last that was not blank."""
    tokens = rng.integers(1, KINDS, size=(texts, length)) * (rng.random((texts, length)) < 0.2)
    places = np.tri(length, dtype=int) * np.where(tokens > 0, np.arange(length), 0)[:, None]
    last = np.take_along_axis(tokens, np.max(places, axis=-1), axis=1)
    return tokens, np.where(last > 0, last, UNASKED)


def first_token(rng, texts, length):
    """Return random letters and, as the answer at each place, the first of the text."""
    tokens = rng.integers(KINDS, size=(texts, length))
    return tokens, np.repeat(tokens[:, :1], length, axis=1)


TASKS = {"three back": three_back, "most recent": most_recent, "first": first_token}


class Pass(NamedTuple):
    """Everything that a head computes from texts."""

    rows: np.ndarray  # letters with what is added; attention mixes these
    asking: np.ndarray  # rows that queries are made of
    asked: np.ndarray  # rows that keys are made of
    queries: np.ndarray  # turned, if the way turns
    keys: np.ndarray
    scores: np.ndarray  # with the bias; minus infinity where a key is hidden
    weights: np.ndarray
    mixture: np.ndarray  # of rows, by the weights
    logits: np.ndarray  # for each place, a number for each letter; the largest is the answer


def head(parameters, tokens, way, start=0):
    """Run a head on texts.

    Parameters
    ----------
    parameters : dict of ndarray
        As `initial_parameters` and `train` return them.
    tokens : ndarray of int, shape (texts, n)
    way : Way
    start : int
        The position of the first letter.

    Returns
    -------
    Pass
        The logits, the attention weights, and what is computed before them, by name.
    """
    embedding = parameters["embedding"]
    positions = start + np.arange(tokens.shape[-1])
    added = _checked(way).added(parameters, positions)
    rows = embedding[tokens] + added
    asking, asked = (
        rows if part == "letters" else (HEARD[part] @ embedding)[tokens] + added
        for part in (way.queries_hear, way.keys_hear)
    )
    queries = way.turned(asking @ parameters["query"], positions)
    keys = way.turned(asked @ parameters["key"], positions)
    offsets = positions[:, None] - positions
    farthest = np.inf if way.farthest is None else way.farthest
    visible = (offsets >= 0) & (offsets <= farthest)
    scores = queries @ np.swapaxes(keys, -1, -2) / np.sqrt(WIDTH)
    scores = scores + np.where(visible, way.bias(offsets), -np.inf)
    weights = softmax(scores)
    mixture = weights @ rows
    logits = mixture @ parameters["mixed"] + rows @ parameters["own"]
    return Pass(rows, asking, asked, queries, keys, scores, weights, mixture, logits)


def log_softmax(scores):
    """Return the logarithms of the softmax, each row's maximum subtracted first."""
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    return scores - np.log(np.sum(np.exp(scores), axis=-1, keepdims=True))


def gradient(parameters, tokens, answers, way, start=0):
    """Return the loss and its derivative by each parameter.

    The loss is the mean cross-entropy at the places with an answer. `d_rows` is its derivative by
    the entries of `rows`.

    Parameters
    ----------
    parameters, tokens, way, start
        As for `head`.
    answers : ndarray of int, shape (texts, n)
        `UNASKED` at places that have no answer.

    Returns
    -------
    loss : float
    derivatives : dict of ndarray
        By the names of the parameters.
    """
    run = head(parameters, tokens, way, start)
    logarithms, scored = log_softmax(run.logits), answers != UNASKED
    right = np.eye(KINDS)[answers] * scored[..., None]
    d_logits = (np.exp(logarithms) * scored[..., None] - right) / scored.sum()

    d_mixture = d_logits @ parameters["mixed"].T
    d_weights = d_mixture @ np.swapaxes(run.rows, -1, -2)
    # A softmax can't raise all its weights, so their common part goes.
    d_scores = run.weights * (d_weights - np.sum(run.weights * d_weights, axis=-1, keepdims=True))
    d_scores /= np.sqrt(WIDTH)
    back = -(start + np.arange(tokens.shape[-1]))
    d_queries = way.turned(d_scores @ run.keys, back)
    d_keys = way.turned(np.swapaxes(d_scores, -1, -2) @ run.queries, back)
    d_rows = np.swapaxes(run.weights, -1, -2) @ d_mixture + d_logits @ parameters["own"].T
    d_asking, d_asked = d_queries @ parameters["query"].T, d_keys @ parameters["key"].T

    def derivative(rows, d_outputs):
        """Return the derivative by a matrix that maps rows to outputs."""
        return rows.reshape(-1, rows.shape[-1]).T @ d_outputs.reshape(-1, d_outputs.shape[-1])

    letters = np.eye(KINDS)[tokens]
    parts = ("letters", d_rows), (way.queries_hear, d_asking), (way.keys_hear, d_asked)
    derivatives = {
        "embedding": sum(HEARD[part].T @ derivative(letters, d_part) for part, d_part in parts),
        "query": derivative(run.asking, d_queries),
        "key": derivative(run.asked, d_keys),
        "mixed": derivative(run.mixture, d_logits),
        "own": derivative(run.rows, d_logits),
    }
    if isinstance(way, Learned):
        table = np.zeros_like(parameters["table"])
        table[start : start + tokens.shape[-1]] = (d_rows + d_asking + d_asked).sum(axis=0)
        derivatives["table"] = table
    return float(-np.sum(logarithms * right) / scored.sum()), derivatives


def initial_parameters(way, *, seed=0):
    """Return random parameters: embeddings of size 1, projections that keep a row's length."""
    rng = np.random.default_rng(seed)
    parameters = {"embedding": rng.normal(size=(KINDS, WIDTH))}
    for name, columns in {"query": WIDTH, "key": WIDTH, "mixed": KINDS, "own": KINDS}.items():
        parameters[name] = rng.normal(size=(WIDTH, columns)) / np.sqrt(WIDTH)
    if isinstance(_checked(way), Learned):
        parameters["table"] = rng.normal(size=(LONGEST, WIDTH))
    return parameters


def train(
    task, way, *, seed=0, steps=300, length=LENGTH, last_start=0, parameters=None, watch=None
):
    """Train a head on random texts, about `TOKENS` letters a step, by Adam.

    Adam moves each number by the mean and the spread of its own derivatives: Kingma and Ba (2015),
    arXiv:1412.6980.

    Parameters
    ----------
    task : function
        One of `three_back`, `most_recent` and `first_token`, or one like them.
    way : Way
        How positions are told, such as ``Sinusoidal()``.
    seed, steps : int
        What the random numbers begin with, and how many steps are taken, of size 0.01.
    length : int
        Letters in a text.
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
    rng, losses = np.random.default_rng([seed, 1]), []
    parameters = dict(initial_parameters(way, seed=seed) if parameters is None else parameters)
    mean, square = dict.fromkeys(parameters, 0.0), dict.fromkeys(parameters, 0.0)
    for step in range(steps):
        if watch:
            watch(step, parameters)
        texts = task(rng, max(1, TOKENS // length), length)
        start = int(rng.integers(last_start + 1))
        loss, derivatives = gradient(parameters, *texts, way, start)
        losses.append(loss)
        for name, derivative in derivatives.items():
            mean[name] = 0.9 * mean[name] + 0.1 * derivative
            square[name] = 0.999 * square[name] + 0.001 * derivative**2
            # Both began at 0, and are too small at first.
            ahead = mean[name] / (1 - 0.9 ** (step + 1))
            spread = np.sqrt(square[name] / (1 - 0.999 ** (step + 1)))
            parameters[name] = parameters[name] - 0.01 * ahead / (spread + 1e-8)
    if watch:
        watch(steps, parameters)
    return parameters, losses


def accuracy(parameters, task, way, *, length=LENGTH, start=0, texts=100):
    """Return the share of right answers in the second half of new texts.

    The texts are the same at each call. A trained head may be tried another way than the one it was
    trained: with other frequencies, less to hear, or far keys hidden.

    Parameters
    ----------
    parameters : dict of ndarray
    task : function
    way : Way
    length, start : int
        Letters in a text, and the position of the first.
    texts : int

    Returns
    -------
    float
    """
    tokens, answers = task(np.random.default_rng([0, 2]), texts, length)
    guesses = head(parameters, tokens, way, start).logits.argmax(axis=-1)
    scored = answers != UNASKED
    scored[:, : length // 2] = False
    return float(np.mean((guesses == answers)[scored]))


def _checked(way):
    """Return the way, if it is one."""
    if not isinstance(way, Way):
        raise TypeError(f"way must be a Way such as Sinusoidal(), got {way!r}")
    return way
