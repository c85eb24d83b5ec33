"""What other people's programs compute, recorded by `make peers`, is what the package computes.

The programs work in float32, unless it says otherwise. An angle in float32 is wrong by 2⁻²⁴ of
itself, and so is the frequency that it comes from: at position t a sine may be off by t · 2⁻²³,
and by 2⁻²⁴ for its own rounding. `ROUNDING` is that for the 40 positions of the tables.
"""

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from posenc.encodings import angular_frequencies, sinusoidal
from posenc.layouts import bfloat16, deinterleave, interleave, load_tables
from posenc.shifts import shift_by_phase

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "peers"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
ROUNDING = 40 * 2.0**-23
EXACT = {"rtol": 0, "atol": 1e-12}


def recorded(package):
    """Return the arrays of one package, by name."""
    with np.load(FOLDER / f"{package}.npz") as arrays:
        return dict(arrays)


def from_frequencies(frequencies, length=40):
    """Return sines and cosines of the positions, half and half."""
    angles = np.outer(np.arange(length), frequencies)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


# --- the files ---


def test_each_file_has_its_checksum():
    told = dict(re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", PAGE, re.M))
    files = {path.name: path.read_bytes() for path in FOLDER.glob("*.npz")}
    assert told == {name: hashlib.sha256(held).hexdigest() for name, held in files.items()}


def test_the_unlabelled_tables_are_those_that_the_data_card_names():
    card = (ROOT / "src" / "posenc" / "data" / "README.md").read_text(encoding="utf-8")
    content = (ROOT / "src" / "posenc" / "data" / "tables.npz").read_bytes()
    assert f"`{hashlib.sha256(content).hexdigest()}`" in card
    named = re.findall(r"^\| ([A-F]) \| .+? \| `(.+?)`, `(.+?)` \|$", card, re.M)
    tables = load_tables()
    assert [letter for letter, *_ in named] == list(tables) == list("ABCDEF")
    for letter, package, name in named:
        assert np.array_equal(tables[letter], recorded(package)[name])


def test_the_module_that_is_shown_is_the_one_that_was_tested():
    shown = (ROOT / "src" / "posenc" / "data" / "torch_positions.py").read_bytes()
    assert f"SHA-256 `{hashlib.sha256(shown).hexdigest()}`" in PAGE
    found, rows = recorded("torch"), sinusoidal(6, 32, start=5)
    assert (found["added"] == rows.astype(np.float32)).all()
    assert (found["added_in_bfloat16"] == bfloat16(rows)).all()
    assert (found["numbers_in_bfloat16"] == bfloat16(found["numbers"])).all()


# --- tables ---


@pytest.mark.parametrize(
    ("package", "name", "atol"),
    [
        ("transformers", "distilbert_table", 2.0**-24),  # float64, rounded once
        ("positional-encodings", "table", ROUNDING),
    ],
)
def test_pairs(package, name, atol):
    assert np.allclose(recorded(package)[name], sinusoidal(40, 32), rtol=0, atol=atol)


@pytest.mark.parametrize(
    ("package", "name", "atol"),
    [
        ("diffusers", "line", 1e-12),  # float64
        ("transformers", "gptj_table", ROUNDING),
    ],
)
def test_halves(package, name, atol):
    table = recorded(package)[name]
    assert np.allclose(table, deinterleave(sinusoidal(*table.shape)), rtol=0, atol=atol)


def test_halves_with_the_slowest_pair_at_the_base():
    frequencies = 10_000.0 ** (-np.arange(16) / 15)
    whisper = recorded("transformers")["whisper_table"]
    assert np.allclose(whisper, from_frequencies(frequencies), rtol=0, atol=ROUNDING)
    assert np.allclose(recorded("diffusers")["steps"], whisper, rtol=0, atol=ROUNDING)
    m2m = recorded("transformers")["m2m100_table"]
    assert not m2m[1].any()
    assert np.allclose(np.delete(m2m - whisper, 1, axis=0), 0, atol=ROUNDING)


def test_m2m100_counts_tokens_from_two_and_leaves_out_padding():
    found = recorded("transformers")
    positions = [[2, 3, 4, 1, 1], [2, 3, 4, 5, 6]]
    assert (found["m2m100_rows"] == found["m2m100_table"][positions]).all()


def test_cosines_before_sines():
    sines, cosines = np.split(deinterleave(sinusoidal(40, 32)), 2, axis=1)
    expected = np.concatenate([cosines, sines], axis=1)
    flipped = recorded("diffusers")["steps_flipped"]
    assert np.allclose(flipped, expected, rtol=0, atol=ROUNDING)


def test_scaled():
    scaled = recorded("x-transformers")["scaled_table"] * 32**0.5
    assert np.allclose(scaled, deinterleave(sinusoidal(40, 32)), rtol=0, atol=2 * ROUNDING)


# --- turned queries and keys ---


def turned(vectors, start):
    """Return vectors (…, positions, width) whose pairs (first, second) are turned by position."""
    frequencies = angular_frequencies(vectors.shape[-1])
    shifted = np.empty_like(vectors)
    for t in range(vectors.shape[-2]):
        # A pair of the encoding is (sine, cosine), and turning it forward is turning (first,
        # second) as (cosine, sine) backward.
        shifted[..., t, :] = shift_by_phase(
            vectors[..., t, :].reshape(-1, vectors.shape[-1]), frequencies, -(start + t)
        ).reshape(vectors[..., t, :].shape)
    return shifted


@pytest.mark.parametrize("name", ["queries", "keys"])
@pytest.mark.parametrize("start", [0, 5])
def test_llama_turns_halves(name, start):
    found = recorded("transformers")
    expected = deinterleave(turned(interleave(found[name]), start))
    assert np.allclose(found[f"llama_{name}_from_{start}"], expected, **EXACT)


def test_llamas_cosines_and_sines():
    found = recorded("transformers")
    sines, cosines = np.split(deinterleave(sinusoidal(40, 16)), 2, axis=1)
    for name, expected in (("cosines", cosines), ("sines", sines)):
        twice = np.tile(expected, 2)
        assert np.allclose(found[f"llama_{name}_double"], twice, **EXACT)
        assert np.allclose(found[f"llama_{name}"], twice, rtol=0, atol=ROUNDING)


def test_others_turn_pairs():
    found = recorded("transformers")
    expected = turned(found["queries"], 5)
    # GPT-J's own sines and cosines are in float32, and queries are up to 4.
    assert np.allclose(found["gptj_queries_from_5"], expected, rtol=0, atol=8 * ROUNDING)
    # Their frequencies were rounded to float32 before the rest was done in float64.
    atol = 8 * 10 * 2.0**-24
    for package, starts in (("rotary-embedding-torch", (0, 5)), ("x-transformers", (5,))):
        arrays = recorded(package)
        assert (arrays["queries"] == found["queries"]).all()
        assert np.allclose(arrays["frequencies"], angular_frequencies(16), rtol=2.0**-22, atol=0)
        for start in starts:
            expected = turned(arrays["queries"], start)
            assert np.allclose(arrays[f"queries_from_{start}"], expected, rtol=0, atol=atol)
