"""Word vectors: GloVe's, read from the extract in the package or from a file of your own."""

import codecs
import os
import re

import numpy as np

from posenc._validation import as_tokens, as_word_vectors

__all__ = ["Embeddings", "load_glove"]

_SUGGEST_FROM = 50_000  # comparing a misspelled word with all of 400 000 would take seconds
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_TOO_LARGE = 2.0**128 - 2.0**103  # what float32 rounds to infinity


class Embeddings:
    """Words and their vectors.

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

    Raises
    ------
    TypeError, ValueError
        If the words are not strings or one of them occurs twice, or if the vectors are not as
        described.

    Examples
    --------
    >>> pets = Embeddings(["cat", "dog"], [[1.0, 0.5], [0.5, 1.0]])
    >>> pets
    <Embeddings: 2 words, width 2>
    >>> pets.lookup(["dog"])
    array([[0.5, 1. ]])
    """

    def __init__(self, words, vectors):
        self.words = tuple(as_tokens("words", words))
        self.vectors = as_word_vectors(vectors, len(self.words))
        self.vectors.flags.writeable = False
        self._rows = {}
        for row, word in enumerate(self.words):
            first = self._rows.setdefault(word, row)
            if first != row:
                raise ValueError(f"words must differ, got {word!r} at {first} and {row}")

    def __reduce__(self):
        """Let pickles and deep copies, whose vectors come back writable, be held read-only too."""
        return type(self), (self.words, self.vectors)

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
        TypeError
            If `tokens` is one string, is not iterable, or holds something that is not a string.
        KeyError
            If a word is unknown; the message tells whether it is known in other letter case, or
            suggests the nearest known words.

        Examples
        --------
        >>> glove = load_glove()
        >>> glove.lookup("the dog is is playing with the cat".split()).shape
        (8, 100)
        """
        rows = [self._row(token) for token in as_tokens("tokens", tokens)]
        return self.vectors[np.array(rows, dtype=np.intp)].astype(np.float64)

    def _row(self, token):
        if token not in self._rows:
            raise KeyError(self._unknown(token))
        return self._rows[token]

    def _unknown(self, token):
        import difflib

        folded = token.casefold()
        message = f"unknown word {token!r}"
        if same := [word for word in self.words if word.casefold() == folded]:
            return f"{message}; known is {' and '.join(map(repr, same))}"
        # From the last to the first, so that the first of those that differ in case remains.
        known = {word.casefold(): word for word in reversed(self.words[:_SUGGEST_FROM])}
        if near := difflib.get_close_matches(folded, known):
            message += f"; the nearest known words are {', '.join(repr(known[x]) for x in near)}"
        return message


def load_glove(path=None):
    r"""Return the GloVe word vectors in the package, or those in a file.

    The package holds 10 000 words of GloVe 6B with 100 numbers each; ``data/README.md`` beside
    this module says which. The result is new on each call.

    Parameters
    ----------
    path : str or os.PathLike, optional
        A text file as GloVe writes it, with vectors of any width d: on each line a word and d
        decimal numbers, separated by single spaces, in UTF-8, and a line end after the last
        line too. A word may hold spaces, as a few in GloVe 840B do, but not on the first line,
        which sets d. A byte order mark in front of the file is no part of it.

    Returns
    -------
    Embeddings
        The words in the order of the file, and float32 vectors: each number is the float64 that
        is nearest to the text, rounded once to float32. For GloVe's at most ten decimals that
        is the float32 nearest to the text.

    Raises
    ------
    ValueError
        If the file is empty, cut off or not UTF-8 text, if a line is blank, has no word or holds
        more or fewer numbers than the first, if a value is not a finite number, or if a word
        occurs twice. The message gives the line number.
    TypeError
        If `path` is not a path.
    OSError
        If the file cannot be opened.

    References
    ----------
    J. Pennington, R. Socher and C. D. Manning (2014), GloVe: Global Vectors for Word
    Representation, EMNLP.

    Examples
    --------
    >>> load_glove()
    <Embeddings: 10000 words, width 100>
    """
    if path is None:
        return _load_extract()
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path must be a string or a path, got {path!r}")
    try:
        return _read(path)
    except ValueError:
        _name_first_fault(path)  # slow, and called for only if there is one
        raise


def _load_extract():
    from importlib.resources import files

    data = files("posenc") / "data"
    words = (data / "glove_words.txt").read_text(encoding="utf-8").split()
    with (data / "glove_vectors.npy").open("rb") as file:
        return Embeddings(words, np.load(file))


def _lines(path):
    """Yield the lines of a file; an empty file has one, which is empty."""
    with open(path, "rb") as file:
        yield file.readline().removeprefix(codecs.BOM_UTF8)
        yield from file


def _read(path):
    """Read a sound file; any other raises some ValueError."""
    words, width = [], next(_lines(path)).count(b" ")

    def numbers():
        for line in _lines(path):
            word, values = _split(line, width)
            words.append(word)
            yield values

    # NumPy's reader takes the lines one by one: beside the vectors little is in memory.
    vectors = np.loadtxt(numbers(), np.float32, comments=None, delimiter=" ", ndmin=2)
    return Embeddings(words, vectors)


def _split(line, width):
    """Return the word of a line and the text of its numbers, or say why it has no such parts."""
    if not line:
        raise ValueError("the file is empty")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text from byte {error.start + 1} on") from None
    if not text.endswith("\n"):
        raise ValueError("the file is cut off here, or lacks its last line end")
    text = text.rstrip("\r\n")
    if not text.strip():
        raise ValueError("the line is blank")
    if not width:
        raise ValueError("a word and numbers, separated by single spaces, are expected")
    further = text.count(" ") - width  # a word may hold spaces too
    *parts, values = text.split(" ", further + 1) if further >= 0 else [text]
    count = width + min(further, sum(bool(_NUMBER.fullmatch(part)) for part in parts[1:]))
    if count != width:
        raise ValueError(f"{count} numbers where the first line has {width}")
    if not parts[0]:
        raise ValueError("no word before the numbers")
    return " ".join(parts), values


def _name_first_fault(path):
    """Raise a ValueError that names the first line with a fault, if there is one."""
    places, width = {}, next(_lines(path)).count(b" ")
    for number, line in enumerate(_lines(path), start=1):
        try:
            word, values = _split(line, width)
            for place, value in enumerate(values.split(" "), start=1):
                if not (_NUMBER.fullmatch(value) and abs(float(value)) < _TOO_LARGE):
                    raise ValueError(f"value {place} is {value!r}, not a finite float32 number")
            if word in places:
                raise ValueError(f"the word {word!r} is already on line {places[word]}")
        except ValueError as problem:
            shown = line[:40].decode(errors="backslashreplace") + "..." * (len(line) > 40)
            message = f"{os.fspath(path)}, line {number}: {problem}: {shown!r}"
            raise ValueError(message) from None
        places[word] = number
