"""Word vectors: 10,000 words of GloVe 6B with 100 numbers each.

**Where they are from.** J. Pennington, R. Socher and C. D. Manning (2014), GloVe: Global Vectors
for Word Representation, EMNLP. ``data/README.md`` beside this module says which they are.
"""

import difflib
from importlib.resources import files

import numpy as np

from posenc._validation import strings


class Embeddings:
    """Words and their vectors, as `load_glove` returns them.

    Attributes
    ----------
    words : tuple of str
        The n words in lower case, each once, in the order of the rows.
    vectors : numpy.ndarray, shape (n, d), read-only
        A vector for each word.

    Examples
    --------
    >>> load_glove().words[:3]
    ('the', ',', '.')
    """

    def __init__(self, words, vectors):
        self.words, self.vectors = tuple(words), vectors
        self.vectors.flags.writeable = False
        self._rows = {word: row for row, word in enumerate(self.words)}

    def __repr__(self):
        """Return the size in words and numbers."""
        return f"<Embeddings: {len(self.words)} words, width {self.vectors.shape[1]}>"

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
            If a word is unknown; the message suggests the nearest known words.

        Examples
        --------
        >>> glove = load_glove()
        >>> glove.lookup("the dog is is playing with the cat".split()).shape
        (8, 100)
        """
        tokens = strings("tokens", tokens)
        for token in tokens:
            if token not in self._rows:
                words = difflib.get_close_matches(token.casefold(), self.words)
                words = ", ".join(map(repr, words))
                hint = f"; the nearest known words are {words}" if words else ""
                raise KeyError(f"unknown word {token!r}{hint}")
        rows = [self._rows[token] for token in tokens]
        return self.vectors[np.array(rows, dtype=int)].astype(np.float64)


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
