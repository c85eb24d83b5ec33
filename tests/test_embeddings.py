"""Word vectors: the extract in the package, and what is told of a word that it has not."""

import numpy as np
import pytest

from posenc.embeddings import Embeddings, load_glove

SENTENCE = ["the", "dog", "is", "is", "playing", "with", "the", "cat"]
# The first published digits of "the".
PUBLISHED = "-0.038194 -0.24487 0.72812 -0.39961 0.083172 0.043953 -0.39141 0.3344"


@pytest.fixture(scope="module")
def glove():
    return load_glove()


def test_extract_has_the_words_and_the_published_digits(glove):
    assert len(glove.words) == len(set(glove.words)) == 10_000
    assert all(word == word.casefold() for word in glove.words)
    assert glove.words[:5] == ("the", ",", ".", "of", "to")
    assert set(SENTENCE) < set(glove.words)
    assert "a" not in glove.words
    assert repr(glove) == "<Embeddings: 10000 words, width 100>"
    assert glove.vectors.shape == (10_000, 100)
    assert glove.vectors.dtype == np.float32
    assert " ".join(f"{value:.5g}" for value in glove.vectors[0, :8]) == PUBLISHED
    # GloVe prints five digits, so each number is the float32 nearest to its own five digits.
    some = glove.vectors[::20]
    printed = np.char.mod("%.5g", some.astype(float)).astype(float)
    assert np.array_equal(printed.astype(np.float32), some)


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
        ("PARIS", "; the nearest known words are 'paris'"),
        ("Parris", "; the nearest known words are 'paris'"),
        ("dogs", "; the nearest known words are 'dog', 'dogma'"),
        ("qqzxqqzx", ""),
        ("", ""),
    ],
)
def test_an_unknown_word_is_told_with_its_neighbors(token, told):
    small = Embeddings(["paris", "dogma", "dog"], np.eye(3))
    with pytest.raises(KeyError) as raised:
        small.lookup(["dog", token])
    assert raised.value.args == (f"unknown word {token!r}{told}",)


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        ("abc", "tokens must be a list of words, got 'abc'"),
        ({"a"}, "tokens must be a list of words, got {'a'}"),
        (3, "tokens must be a list of words, got 3"),
        (["the", 2, "of"], "tokens must hold strings only, got 2"),
    ],
)
def test_what_is_no_list_of_words_is_named(glove, tokens, told):
    with pytest.raises(TypeError, match=f"^{told}$"):
        glove.lookup(tokens)
