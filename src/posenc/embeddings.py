"""Word vectors: GloVe's, read from the extract in the package or from a file of your own."""

import io
import os
import sys

import numpy as np

from posenc._validation import as_tokens, as_word_vectors

__all__ = ["Embeddings", "load_glove"]

_BLOCK_BYTES = 16 << 20  # what is parsed at a time: large to be fast, small beside the vectors
_BAR_BYTES = 32 << 20  # a smaller file is read before a progress bar could be seen
_SUGGEST_FROM = 50_000  # comparing a misspelled word with all of 400 000 would take seconds


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
        words = as_tokens("words", words)
        self._hold(words, as_word_vectors(vectors, len(words)))
        if len(self._rows) < len(words):
            word, first, second = _repetition(words)
            raise ValueError(f"words must differ, got {word!r} at {first} and {second}")

    @classmethod
    def _unchecked(cls, words, vectors):
        """Return embeddings that hold these very vectors: to copy GloVe's would take 160 MB."""
        embeddings = cls.__new__(cls)
        embeddings._hold(words, vectors)
        return embeddings

    def _hold(self, words, vectors):
        self.words = tuple(words)
        self.vectors = vectors
        self.vectors.flags.writeable = False
        self._rows = dict(zip(self.words, range(len(self.words))))

    def __reduce__(self):
        """Let pickles and deep copies, whose vectors come back writable, be held read-only too."""
        return self._unchecked, (self.words, self.vectors)

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
        which sets d. A large file shows a progress bar on standard error.

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

    Notes
    -----
    The text is parsed by pandas' C reader, block by block, so that beside the vectors only one
    block is in memory. A block that pandas refuses is read again line by line, to handle what
    pandas cannot or to say what is wrong.

    Vectors: J. Pennington, R. Socher and C. D. Manning, "GloVe: Global Vectors for Word
    Representation", EMNLP 2014.

    Examples
    --------
    >>> load_glove()
    <Embeddings: 10000 words, width 100>
    """
    if path is None:
        return _load_extract()
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path must be a string or a path, got {path!r}")
    words, numbers, width = [], bytearray(), 0
    for block in _blocks(path):
        if not words:
            width = block.count(b" ", 0, block.find(b"\n"))
        try:
            more_words, vectors = _parse_block(block, width)
        except ValueError:
            more_words, vectors = _parse_lines(block, width, path, first_line=len(words) + 1)
        words += more_words
        numbers += memoryview(np.ascontiguousarray(vectors)).cast("B")
    if not words:
        raise ValueError(f"{os.fspath(path)}, line 1: the file is empty")
    vectors = np.frombuffer(numbers, dtype=np.float32).reshape(-1, width)
    glove = Embeddings._unchecked(words, vectors)
    if len(glove._rows) < len(glove):
        word, first, second = _repetition(words)
        problem = f"line {second + 1}: the word {word!r} is already on line {first + 1}"
        raise ValueError(f"{os.fspath(path)}, {problem}")
    return glove


def _load_extract():
    from importlib.resources import files

    data = files("posenc") / "data"
    words = (data / "glove_words.txt").read_text(encoding="utf-8").split()
    with (data / "glove_vectors.npy").open("rb") as file:
        return Embeddings._unchecked(words, np.load(file))


def _blocks(path):
    """Yield the file in blocks of whole lines and show how far it has been read."""
    from tqdm import tqdm

    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        with tqdm(
            total=size,
            unit="B",
            unit_scale=True,
            desc=os.path.basename(os.fspath(path)),
            disable=size < _BAR_BYTES,
            file=sys.stderr,
        ) as bar:
            while block := file.read(_BLOCK_BYTES) + file.readline():
                yield block
                bar.update(len(block))


def _parse_block(block, width):
    """Return the words and vectors of a sound block; raise ValueError for any other."""
    import pandas as pd

    if not (width and block.endswith(b"\n")):
        raise ValueError
    # The line put in front sets the width, and pandas drops no byte order mark behind it.
    header = b"x" + width * b" 0.5" + b"\n"
    with np.errstate(over="ignore"):
        table = pd.read_csv(
            io.BytesIO(header + block),
            sep=" ",
            header=None,
            dtype={0: object} | dict.fromkeys(range(1, width + 1), np.float32),
            engine="c",
            lineterminator="\n",
            quoting=3,
            na_filter=False,
            skip_blank_lines=False,
        )
    words = table.pop(0).tolist()[1:]
    vectors = table.to_numpy()[1:]
    if "" in words or not np.isfinite(vectors).all():
        raise ValueError
    return words, vectors


def _parse_lines(block, width, path, first_line):
    """Return the words and vectors of a block, or say in which line what is wrong."""
    words, rows = [], []
    for number, line in enumerate(io.BytesIO(block), start=first_line):
        try:
            word, row = _parse_line(line, width)
        except ValueError as problem:
            shown = line[:40].decode(errors="backslashreplace") + "..." * (len(line) > 40)
            message = f"{os.fspath(path)}, line {number}: {problem}: {shown!r}"
            raise ValueError(message) from None
        words.append(word)
        rows.append(row)
    return words, np.array(rows, dtype=np.float32)


def _parse_line(line, width):
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text from byte {error.start + 1} on") from None
    if not text.endswith("\n"):
        raise ValueError("the file is cut off here, or lacks its last line end")
    text = text.rstrip("\r\n")
    if not text.strip():
        raise ValueError("the line is blank")
    word, *values = text.rsplit(" ", width) if width else [text]
    if not values:
        raise ValueError("a word and numbers, separated by single spaces, are expected")
    count = len(values) + sum(_number(part) is not None for part in word.split(" ")[1:])
    if count != width:
        raise ValueError(f"{count} numbers where the first line has {width}")
    if not word:
        raise ValueError("no word before the numbers")
    return word, [_finite(value, place) for place, value in enumerate(values, start=1)]


def _number(text):
    """Return the number that `text` writes in decimal, or None."""
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def _finite(text, place):
    with np.errstate(over="ignore"):
        value = np.float32(_number(text) if _number(text) is not None else np.nan)
    if not np.isfinite(value):
        raise ValueError(f"value {place} is {text!r}, not a finite float32 number")
    return value


def _repetition(words):
    """Return the first word that has occurred before, and both of its places, from 0."""
    first = dict(zip(reversed(words), reversed(range(len(words)))))
    return next((word, first[word], n) for n, word in enumerate(words) if first[word] < n)
