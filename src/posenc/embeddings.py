"""Word vectors: those of GloVe in the package, or words and vectors of your own.

The package holds 10 000 words of GloVe 6B with 100 numbers each; ``data/README.md`` beside this
module says which.

**Where they are from.** J. Pennington, R. Socher and C. D. Manning (2014), GloVe: Global Vectors
for Word Representation, EMNLP.
"""

import difflib
from importlib.resources import files

import numpy as np

from posenc._validation import array, strings

__all__ = ["Embeddings", "load_glove"]


class Embeddings:
    """Words and their vectors; a ``TypeError`` or a ``ValueError`` names what is not as described.

    ``len(embeddings)`` counts the words and ``word in embeddings`` tells whether one is known.

    Parameters
    ----------
    words : iterable of str
        The n words, each once.
    vectors : array_like, shape (n, d)
        One row of finite numbers for each word. They are copied.

    Attributes
    ----------
    words : tuple of str
        The n words, in the order of the rows.
    vectors : numpy.ndarray, shape (n, d), read-only
        The vectors, in float32 if they came so, as `load_glove` reads them, or else in float64.

    Examples
    --------
    >>> pets = Embeddings(["cat", "dog"], [[1.0, 0.5], [0.5, 1.0]])
    >>> pets
    <Embeddings: 2 words, width 2>
    >>> pets.lookup(["dog"])
    array([[0.5, 1. ]])
    """

    def __init__(self, words, vectors):
        self.words = tuple(strings("words", words))
        dtype = np.float32 if getattr(vectors, "dtype", None) == np.float32 else np.float64
        vectors = array("vectors", vectors, f"({len(self.words)}, d > 0), a row for each word")
        self.vectors = np.array(vectors, dtype=dtype)
        self.vectors.flags.writeable = False
        self._rows = {}
        for row, word in enumerate(self.words):
            first = self._rows.setdefault(word, row)
            if first != row:
                raise ValueError(f"words must differ, got {word!r} at {first} and {row}")

    def __len__(self):
        """Return the number of words."""
        return len(self.words)

    def __contains__(self, word):
        """Tell whether `word` is known."""
        return word in self._rows

    def __repr__(self):
        """Return the size in words and numbers."""
        return f"<Embeddings: {len(self)} words, width {self.vectors.shape[1]}>"

    def lookup(self, tokens):
        """Return the vectors of `tokens`, one row for each token.

        Parameters
        ----------
        tokens : iterable of str
            The m words to look up. A word may occur more than once.

        Returns
        -------
        numpy.ndarray, shape (m, d), float64
            A copy, in float64 like everything that is computed from it.

        Raises
        ------
        KeyError
            If a word is unknown; the message tells whether it is known in other letter case, or
            suggests the nearest known words.

        Examples
        --------
        >>> glove = load_glove()
        >>> glove.lookup("the dog is is playing with the cat".split()).shape
        (8, 100)
        """
        tokens = strings("tokens", tokens)
        for token in tokens:
            if token not in self:
                raise KeyError(self._unknown(token))
        rows = [self._rows[token] for token in tokens]
        return self.vectors[np.array(rows, dtype=int)].astype(np.float64)

    def _unknown(self, token):
        """Return what to say of an unknown word."""
        folded, message = token.casefold(), f"unknown word {token!r}"
        if same := [word for word in self.words if word.casefold() == folded]:
            return f"{message}; known is {' and '.join(map(repr, same))}"
        # From the last to the first, so that the first of those that differ in case remains.
        known = {word.casefold(): word for word in reversed(self.words)}
        if near := difflib.get_close_matches(folded, known):
            message += f"; the nearest known words are {', '.join(repr(known[x]) for x in near)}"
        return message


def load_glove():
    """Return the GloVe word vectors in the package, new on each call.

    Returns
    -------
    Embeddings
        The words from the most frequent to the least, and float32 vectors.

    Examples
    --------
    >>> load_glove()
    <Embeddings: 10000 words, width 100>
    """
    data = files("posenc") / "data"
    words = (data / "glove_words.txt").read_text(encoding="utf-8").split()
    with (data / "glove_vectors.npy").open("rb") as file:
        return Embeddings(words, np.load(file))
