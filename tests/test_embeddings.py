import copy
import hashlib
import importlib.util
import io
import json
import pickle
import re
import tarfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from cost import peak_memory
from hypothesis import given
from hypothesis import strategies as st

from posenc import embeddings
from posenc.embeddings import Embeddings, load_glove

ROOT = Path(__file__).parents[1]
DATA = ROOT / "src" / "posenc" / "data"
SENTENCE = ["the", "dog", "is", "is", "playing", "with", "the", "cat"]


@pytest.fixture(scope="module")
def glove():
    return load_glove()


@pytest.fixture(scope="module")
def cut_glove():
    path = ROOT / "scripts" / "cut_glove.py"
    spec = importlib.util.spec_from_file_location("cut_glove", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def vector_file(tmp_path):
    def write(content):
        path = tmp_path / "vectors.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def by_python(content):
    """Read GloVe's text with Python's own float, the oracle for sound files."""
    lines = [line.split(b" ") for line in content.removesuffix(b"\n").split(b"\n")]
    words = tuple(line[0].decode() for line in lines)
    return words, np.array([[float(x) for x in line[1:]] for line in lines], dtype=np.float32)


# The extract


def test_extract_has_the_words_of_the_course(glove):
    assert len(glove) == len(glove.words) == len(set(glove.words)) == 10_000
    assert glove.words[:5] == ("the", ",", ".", "of", "to")
    assert glove.words[-1] == "deceased"
    assert all(token in glove for token in SENTENCE)
    assert "a" not in glove
    assert repr(glove) == "<Embeddings: 10000 words, width 100>"


def test_extract_holds_the_published_digits(glove):
    # The first published digits of "the".
    published = [
        "-0.038194",
        "-0.24487",
        "0.72812",
        "-0.39961",
        "0.083172",
        "0.043953",
        "-0.39141",
        "0.3344",
    ]
    assert glove.vectors.shape == (10_000, 100)
    assert glove.vectors.dtype == np.float32
    assert [f"{value:.5g}" for value in glove.vectors[0, :8]] == published
    assert np.isfinite(glove.vectors).all()


def test_extract_has_five_significant_digits_throughout(glove):
    # GloVe prints five digits, so each number is the float32 nearest to its own five digits.
    printed = np.char.mod("%.5g", glove.vectors.astype(float)).astype(float)
    assert np.array_equal(printed.astype(np.float32), glove.vectors)


def test_data_card_tells_checksums_and_sizes():
    card = (DATA / "README.md").read_text(encoding="utf-8")
    for name in ("glove_words.txt", "glove_vectors.npy"):
        content = (DATA / name).read_bytes()
        row = next(line for line in card.splitlines() if line.startswith(f"| `{name}`"))
        assert f"`{hashlib.sha256(content).hexdigest()}`" in row
        assert f"{len(content):,} bytes".replace(",", " ") in row


def test_extract_cannot_be_corrupted(glove):
    with pytest.raises(ValueError, match=r"^assignment destination is read-only$"):
        glove.vectors[0, 0] = 1
    found = glove.lookup(["the"])
    found[:] = 7
    other = load_glove()
    other.vectors.flags.writeable = True
    other.vectors[:] = 7
    assert glove.vectors[0, 0] == np.float32(-0.038194)
    assert glove.lookup(["the"])[0, 0] == np.float32(-0.038194)
    assert load_glove().vectors[0, 0] == np.float32(-0.038194)


# Looking words up


def test_lookup_gives_a_row_per_token(glove):
    rows = glove.lookup(SENTENCE)
    assert rows.shape == (8, 100)
    assert rows.dtype == np.float64
    expected = [glove.vectors[glove.words.index(token)] for token in SENTENCE]
    assert np.array_equal(rows, np.array(expected))
    assert np.array_equal(rows[2], rows[3])
    assert glove.lookup([]).shape == (0, 100)
    assert np.array_equal(glove.lookup(iter(np.array(SENTENCE))), rows)


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("playng", r"unknown word 'playng'; the nearest known words are 'playing', '\w+', '\w+'"),
        ("Playng", r"unknown word 'Playng'; the nearest known words are 'playing', '\w+', '\w+'"),
        ("Dog", "unknown word 'Dog'; known is 'dog'"),
        ("qqzxqqzx", "unknown word 'qqzxqqzx'"),
        ("", "unknown word ''"),
    ],
)
def test_an_unknown_word_is_told_with_its_neighbors(glove, token, message):
    with pytest.raises(KeyError, match=f'^"{message}"$'):  # a KeyError quotes its message
        glove.lookup(["the", token])


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("Dog", "unknown word 'Dog'; known is 'dog'"),
        ("nato", "unknown word 'nato'; known is 'NATO'"),
        ("STRASSE", "unknown word 'STRASSE'; known is 'Straße'"),
        ("paris", "unknown word 'paris'; known is 'Paris' and 'PARIS'"),
        ("parris", "unknown word 'parris'; the nearest known words are 'Paris'"),
    ],
)
def test_letter_case_is_suggested_as_the_vocabulary_has_it(token, message):
    cased = Embeddings(["Paris", "dog", "NATO", "Straße", "PARIS"], np.eye(5))
    with pytest.raises(KeyError) as raised:
        cased.lookup([token])
    assert raised.value.args == (message,)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ("the dog", "tokens must be a list of words, got the string 'the dog': split it"),
        ({"the", "dog"}, "tokens must be a list of words, got a set, which has no order: {.*}"),
        (
            frozenset({"the"}),
            r"tokens must be a list of words, got a set, .*: frozenset\({'the'}\)",
        ),
        (None, "tokens must be a list of words, got None"),
        (5, "tokens must be a list of words, got 5"),
        (["the", 5], "tokens must hold strings only, got 5"),
        ([["the"]], r"tokens must hold strings only, got \['the'\]"),
        (b"the", "tokens must hold strings only, got 116"),
    ],
)
def test_tokens_that_are_not_words_are_named(glove, tokens, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        glove.lookup(tokens)


# Words and vectors of one's own


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_embeddings_keep_a_copy_of_their_input(dtype):
    words, vectors = ["x", "y"], np.eye(2, dtype=dtype)
    small = Embeddings(words, vectors)
    words[0], vectors[:] = "z", 9
    assert small.words == ("x", "y")
    assert small.vectors.dtype == dtype
    assert np.array_equal(small.lookup(["y", "x"]), [[0, 1], [1, 0]])


def test_embeddings_take_lists_and_whole_numbers():
    small = Embeddings(iter("xy"), [[1, 2], [3, 4]])
    assert small.lookup(["y"]).tolist() == [[3, 4]]
    assert small.vectors.dtype == np.float64


def pickled(embeddings):
    return pickle.loads(pickle.dumps(embeddings))


@pytest.mark.parametrize("duplicate", [pickled, copy.copy, copy.deepcopy])
def test_embeddings_stay_read_only_when_duplicated(duplicate):
    small = duplicate(Embeddings(["x", "y"], np.eye(2, dtype=np.float32)))
    assert small.vectors.dtype == np.float32
    assert np.array_equal(small.lookup(["y", "x"]), [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"^assignment destination is read-only$"):
        small.vectors[0, 0] = 2


@pytest.mark.parametrize(
    ("words", "vectors", "error", "message"),
    [
        (
            "ab",
            np.eye(2),
            TypeError,
            "words must be a list of words, got the string 'ab': split it",
        ),
        (None, np.eye(2), TypeError, "words must be a list of words, got None"),
        (
            {"dog", "cat"},
            np.eye(2),
            TypeError,
            "words must be a list of words, got a set, which has no order: {'cat', 'dog'}",
        ),
        (["a", 2], np.eye(2), TypeError, "words must hold strings only, got 2"),
        (["a", "b", "a"], np.eye(3), ValueError, "words must differ, got 'a' at 0 and 2"),
        (
            ["a", "b"],
            [[1, 2]],
            ValueError,
            "vectors must have one row for each word, 2, got shape (1, 2)",
        ),
        (
            ["a", "b"],
            [1, 2],
            ValueError,
            "vectors must have shape (n, width) with at least one column, got shape (2,)",
        ),
        (["a"], [["1"]], TypeError, "vectors must be real numbers, got [['1']]"),
        (["a"], [[np.nan]], ValueError, "vectors must be finite, got nan"),
        (
            ["a", "b"],
            [[1], [1, 2]],
            ValueError,
            "vectors must be a regular array of real numbers, got rows of different lengths: "
            "[[1], [1, 2]]",
        ),
    ],
)
def test_embeddings_name_the_argument_that_is_wrong(words, vectors, error, message):
    with pytest.raises(error) as raised:
        Embeddings(words, vectors)
    assert str(raised.value) == message


# Reading sound files


def test_odd_words_and_numbers_are_read_as_written(vector_file):
    content = (
        '" 1 2\n# 0.1 -0.2\n, 3 4\nnan 1 2\nNA 1 2\nnull 1 2\nTrue 1 2\n1.5 1 2\n\\ 5. .5\n'
        "\u00e9\u0301 1 2\n\x85 1 2\n\u2028 1 2\n\u00a0 1 2\n\ufeffbom 1 2\n\t 1 2\n'' +1 1e-3\n"
        "\U0001f600 -7.0514e-07 1E5\n"
    ).encode()
    found = load_glove(vector_file(content))
    words, vectors = by_python(content)
    assert found.words == words
    assert np.array_equal(found.vectors, vectors)
    assert found.vectors.dtype == np.float32
    assert not found.vectors.flags.writeable


def test_byte_order_mark_in_front_of_the_file_is_no_part_of_a_word(vector_file):
    assert load_glove(vector_file("\ufeffx 1\ny 2\n")).words == ("x", "y")
    twice = vector_file("\ufeffx 1\nx 2\n")
    message = f"{twice}, line 2: the word 'x' is already on line 1: 'x 2\\n'"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        load_glove(twice)


def test_words_with_spaces_and_windows_line_ends_are_read(vector_file):
    path = vector_file(". 1 2\r\n. . . 3 4\r\nat name@domain.com 5 6\r\n")
    found = load_glove(str(path))
    assert found.words == (".", ". . .", "at name@domain.com")
    assert np.array_equal(found.vectors, [[1, 2], [3, 4], [5, 6]])
    assert load_glove(vector_file(". 1 2\r\n; 3 4\r\n")).words == (".", ";")


word = st.text(st.characters(exclude_characters=" \n\r\ufeff", codec="utf-8"), min_size=1)
number = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(
    table=st.integers(1, 4).flatmap(
        lambda width: st.dictionaries(
            word, st.lists(number, min_size=width, max_size=width), min_size=1, max_size=8
        )
    ),
)
def test_what_is_written_is_read(tmp_path_factory, table):
    path = tmp_path_factory.mktemp("round") / "vectors.txt"
    lines = [" ".join([key, *(str(np.float32(x)) for x in row)]) for key, row in table.items()]
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    found = load_glove(path)
    assert found.words == tuple(table)
    assert np.array_equal(found.vectors, np.array(list(table.values()), dtype=np.float32))


@given(st.lists(st.decimals(-9, 9, places=10), min_size=1, max_size=50))
def test_ten_decimals_give_the_nearest_float32(tmp_path_factory, decimals):
    path = tmp_path_factory.mktemp("exact") / "vectors.txt"
    path.write_text("x " + " ".join(f"{value:f}" for value in decimals) + "\n", encoding="utf-8")
    for value, found in zip(decimals, load_glove(path).vectors[0], strict=True):
        neighbors = np.nextafter(found, np.float32([-np.inf, np.inf]))
        error = abs(Fraction(value) - Fraction(float(found)))
        assert all(error <= abs(Fraction(value) - Fraction(float(x))) for x in neighbors)


def test_extract_written_as_text_comes_back(glove, vector_file):
    rows = np.char.mod("%.5g", glove.vectors[:500].astype(float))
    content = "".join(f"{w} {' '.join(row)}\n" for w, row in zip(glove.words, rows)).encode()
    found = load_glove(vector_file(content))
    words, vectors = by_python(content)
    assert found.words == words == glove.words[:500]
    assert np.array_equal(found.vectors, vectors)
    assert np.array_equal(found.vectors, glove.vectors[:500])


# Damaged files


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1: the file is empty"),
        ("\n", r"line 1: the line is blank: '\\n'"),
        ("word\n", "line 1: a word and numbers, separated by single spaces, are expected: 'word"),
        ("a\t1\t2\n", "line 1: a word and numbers, separated by single spaces, are expected"),
        (" 1 2\n", "line 1: no word before the numbers"),
        ("a 1 2\n 3 4\n", "line 2: no word before the numbers"),
        ("a 1 2\nb 3\n", r"line 2: 1 numbers where the first line has 2: 'b 3\\n'"),
        ("a 1 2\nb 3 4 5\n", "line 2: 3 numbers where the first line has 2"),
        ("a 1 2\nb 3 4 \n", "line 2: 3 numbers where the first line has 2"),
        ("a 1 2\nb 3 4c 5 6\n", "line 2: 3 numbers where the first line has 2"),
        ("a 1 2\nb  3\n", "line 2: value 1 is '', not a finite float32 number"),
        ("a 1 2\n\nb 3 4\n", "line 2: the line is blank"),
        ("a 1 2\nb 3 4\n\n", "line 3: the line is blank"),
        ("a 1 2\nb 3 4\n  \n", "line 3: the line is blank"),
        ("a 1 2\nb 3 x\n", "line 2: value 2 is 'x', not a finite float32 number"),
        ("a 1 2\nb 3 nan\n", "line 2: value 2 is 'nan', not a finite float32 number"),
        ("a 1 2\nb -inf 3\n", "line 2: value 1 is '-inf', not a finite float32 number"),
        ("a 1 2\nb 1e39 3\n", "line 2: value 1 is '1e39', not a finite float32 number"),
        # the float32 nearest to the first is the largest; the second is beyond it
        (
            "a 3.4028235e38 -3.4028235e38\nb 1 3.4028236e38\n",
            "line 2: value 2 is '3.4028236e38', not a finite float32 number",
        ),
        ("a 1 2\nb True 3\n", "line 2: value 1 is 'True', not a finite float32 number"),
        ("a True\n", "line 1: value 1 is 'True', not a finite float32 number"),
        ("a 1 2\nb 1_0 3\n", "line 2: value 1 is '1_0', not a finite float32 number"),
        ("a 1 2\nb 1,0 3\n", "line 2: value 1 is '1,0', not a finite float32 number"),
        ("a 1 2\nb 0x1 3\n", "line 2: value 1 is '0x1', not a finite float32 number"),
        ("a 1 2\nb \u0661 3\n", "line 2: value 1 is '\u0661', not a finite float32 number"),
        ("a 1 2\nb 0.1-0.2 3\n", "line 2: value 1 is '0.1-0.2', not a finite float32 number"),
        ("a 1 2\nb 3 4", "line 2: the file is cut off here, or lacks its last line end: 'b 3 4'"),
        ("a 1 2\nb 3", "line 2: the file is cut off here"),
        (b"a 1 2\nb\xff 3 4\n", r"line 2: not UTF-8 text from byte 2 on: 'b\\\\xff 3 4\\n'"),
        (b"\x80\x00\x01", r"line 1: not UTF-8 text from byte 1 on"),
        ("a 1 2\n".encode("utf-16"), "line 1: not UTF-8 text from byte 1 on"),
        ("a 1 2\nb 3 4\na 5 6\nb 7 8\n", "line 3: the word 'a' is already on line 1"),
        ("400000 100\nthe 1 2 3\n", "line 2: 3 numbers where the first line has 1"),
    ],
)
def test_damage_is_told_by_line(vector_file, content, message):
    path = vector_file(content)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}, {message}"):
        load_glove(path)


def test_damage_is_shown_in_short(vector_file):
    path = vector_file("word" + " 1" * 1000)
    message = (
        r"line 1: the file is cut off here, or lacks its last line end: 'word 1[ 1]{34}\.\.\.'"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}, {message}$"):
        load_glove(path)


def test_a_reader_that_fails_at_a_sound_file_is_not_covered_up(vector_file, monkeypatch):
    def fail(*arguments, **options):
        raise ValueError("the reader broke")

    monkeypatch.setattr(np, "loadtxt", fail)
    with pytest.raises(ValueError, match=r"^the reader broke$"):
        load_glove(vector_file("x 1 2\n' '' 1. -.5e-1\n"))


def test_a_sound_file_is_read_once(vector_file, monkeypatch):
    monkeypatch.setattr(embeddings, "_name_first_fault", lambda path: pytest.fail("read again"))
    assert len(load_glove(vector_file("x 1 2\n. . 3 4\r\n"))) == 2


def test_a_path_that_cannot_be_opened_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_glove(tmp_path / "missing.txt")
    with pytest.raises((IsADirectoryError, PermissionError)):
        load_glove(tmp_path)
    with pytest.raises(TypeError, match=r"^path must be a string or a path, got 0$"):
        load_glove(0)


# Cost


def test_reading_holds_at_most_two_and_a_half_times_the_vectors(vector_file):
    width = 100
    rng = np.random.default_rng(0)
    lines = np.char.mod("%.5g", rng.normal(scale=0.4, size=(200, width)))
    body = [" ".join(row) for row in lines]
    path = vector_file("".join(f"w{n} {body[n % 200]}\n" for n in range(20_000)))
    load_glove(path)  # imports and caches are not counted
    found, peak = peak_memory(load_glove, path)
    assert found.vectors.shape == (20_000, width)
    assert peak <= 2.5 * found.vectors.nbytes


# The script that cut the extract


def tiny_source():
    entries = {"of": [3.0, 4.5, 9, 1], "the": [0.1, -2.0, 9, 0], "…": [5.0, 6.0, 9, 2]}
    return {"dimensions": 2, "wordIndex": 3, "vectors": entries}


@pytest.mark.parametrize("packed", [False, True])
def test_cut_glove_writes_the_most_frequent_words_the_same_each_time(
    cut_glove, tmp_path, packed, capsys
):
    content = json.dumps(tiny_source()).encode()
    source = tmp_path / "source"
    if packed:
        with tarfile.open(source, "w:gz") as tar:
            member = tarfile.TarInfo(cut_glove.MEMBER)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    else:
        source.write_bytes(content)
    contents = []
    for run in ("first", "second"):
        out = tmp_path / run
        out.mkdir()
        cut_glove.main([str(source), "--count", "2", "--out", str(out)])
        contents.append([path.read_bytes() for path in sorted(out.iterdir())])
    assert contents[0] == contents[1]
    assert (out / "glove_words.txt").read_bytes() == b"the\nof\n"
    vectors = np.load(out / "glove_vectors.npy")
    assert vectors.dtype == np.dtype("<f4")
    assert np.array_equal(vectors, np.float32([[0.1, -2], [3, 4.5]]))
    printed = capsys.readouterr().out
    assert all(hashlib.sha256(content).hexdigest() in printed for content in contents[1])


def test_cut_glove_says_how_to_use_it(cut_glove, capsys):
    with pytest.raises(SystemExit):
        cut_glove.main([])
    assert "usage:" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"^count must be at most 3, the words there are, got 4$"):
        cut_glove.cut(tiny_source(), 4)
