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
from posenc.shifts import shift_by_phase

FOLDER = Path(__file__).with_name("peers")
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
ROUNDING = 40 * 2.0**-23
EXACT = {"rtol": 0, "atol": 1e-12}


def recorded(package):
    """Return the arrays of one package, by name."""
    with np.load(FOLDER / f"{package}.npz") as arrays:
        return dict(arrays)


def halves(table):
    """Return vectors of pairs (columns 2k and 2k+1) with all first columns before all second."""
    return np.concatenate([table[..., 0::2], table[..., 1::2]], axis=-1)


def from_frequencies(frequencies, length=40):
    """Return sines and cosines of the positions, half and half."""
    angles = np.outer(np.arange(length), frequencies)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


# --- the files ---


def test_each_file_has_its_checksum_and_each_array_its_row():
    sections = dict(re.findall(r"^## `(.+?)\.npz`\n(.*?)(?=^## |\Z)", PAGE, re.S | re.M))
    assert {path.stem for path in FOLDER.glob("*.npz")} == set(sections)
    for package, section in sections.items():
        content = (FOLDER / f"{package}.npz").read_bytes()
        assert f"SHA-256 `{hashlib.sha256(content).hexdigest()}`" in section
        rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (\w+) \| .+ \|$", section, re.M)
        told = {name: (shape, kind) for name, shape, kind in rows}
        arrays = recorded(package)
        assert set(told) == set(arrays)
        for name, array in arrays.items():
            shape = " × ".join(map(str, array.shape)) or "a number"
            assert told[name] == (shape, str(array.dtype)), (package, name)


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
    assert np.allclose(table, halves(sinusoidal(*table.shape)), rtol=0, atol=atol)


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
    sines, cosines = np.split(halves(sinusoidal(40, 32)), 2, axis=1)
    expected = np.concatenate([cosines, sines], axis=1)
    flipped = recorded("diffusers")["steps_flipped"]
    assert np.allclose(flipped, expected, rtol=0, atol=ROUNDING)


def test_scaled():
    scaled = recorded("x-transformers")["scaled_table"] * 32**0.5
    assert np.allclose(scaled, halves(sinusoidal(40, 32)), rtol=0, atol=2 * ROUNDING)


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


def pairs(vectors):
    """Return what `halves` has undone."""
    first, second = np.split(vectors, 2, axis=-1)
    return np.stack([first, second], axis=-1).reshape(vectors.shape)


@pytest.mark.parametrize("name", ["queries", "keys"])
@pytest.mark.parametrize("start", [0, 5])
def test_llama_turns_halves(name, start):
    found = recorded("transformers")
    expected = halves(turned(pairs(found[name]), start))
    assert np.allclose(found[f"llama_{name}_from_{start}"], expected, **EXACT)


def test_llamas_cosines_and_sines():
    found = recorded("transformers")
    sines, cosines = np.split(halves(sinusoidal(40, 16)), 2, axis=1)
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
