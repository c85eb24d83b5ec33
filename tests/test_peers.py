"""What other people's programs compute, recorded by `make peers`, is what the package computes.

The programs work in float32, unless it says otherwise. An angle in float32 is wrong by 2⁻²⁴ of
itself, and so is the frequency that it comes from: at position t a sine may be off by t · 2⁻²³,
and by 2⁻²⁴ for its own rounding.
"""

import hashlib
import math
import re
from pathlib import Path

import numpy as np
import pytest

from posenc import long_context as rules
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features, sinusoidal_2d
from posenc.layouts import bfloat16, load_tables, to_halves
from posenc.rotary import apply_rotary

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "peers"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def recorded(package):
    """Return the arrays of one package, by name."""
    with np.load(FOLDER / f"{package}.npz") as arrays:
        return dict(arrays)


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


# --- tables, pictures, frequencies and slopes ---

EXACT, ONCE = {"atol": 1e-12, "rtol": 0}, {"atol": 2.0**-24, "rtol": 0}  # float64; rounded once
TO_40, TO_6 = ({"atol": t * 2.0**-23, "rtol": 0} for t in (40, 7))
# Frequencies take a few operations, each of which rounds by 2**-24 of its result, or in float64.
FREQUENCY, DOUBLE = {"rtol": 8 * 2.0**-24}, {"rtol": 1e-12}

HALVES = to_halves(np.arange(32), 1)
PE = sinusoidal(40, 32)
# The slowest pair turns at the base itself, since the exponent is divided by half - 1.
WHISPER = fourier_features(range(40), 10_000.0 ** (-np.arange(16) / 15))[:, HALVES]
M2M100 = WHISPER * (np.arange(40) != 1)[:, None]  # row 1 is for padding; tokens begin with row 2
LLAMA = sinusoidal(40, 16)[:, to_halves(np.arange(16), 1)]
MOMENTS = fourier_features(np.linspace(0, 1, 11), angular_frequencies(32))[:, HALVES]
X, Y = np.split(sinusoidal_2d(4, 6, 32), 2, axis=1)
SIN_X, COS_X, SIN_Y, COS_Y = X[:, 0::2], X[:, 1::2], Y[:, 0::2], Y[:, 1::2]
BY_COLUMNS = np.arange(24).reshape(4, 6).T.ravel()
# Detr counts from 1 and has y first. Normalized, it goes once around; it divides by n + 1e-6.
DETR = np.roll(sinusoidal_2d(5, 7, 32), 16, axis=1).reshape(5, 7, 32)[1:, 1:]
AROUND = [2 * np.pi * np.arange(1, n + 1) / (n + 1e-6) for n in (4, 6)]
AROUND = [fourier_features(angles, angular_frequencies(16)) for angles in AROUND]
DETR_NORMALIZED = np.stack([np.hstack([np.tile(y, (6, 1)), AROUND[1]]) for y in AROUND[0]])
LLAMA_2 = (angular_frequencies(128), 4096)
LLAMA_3 = (angular_frequencies(128, base=500_000), 8192)
HANDS = {
    "default": LLAMA_2[0],
    "llama3_default": LLAMA_3[0],
    "linear": rules.interpolate(LLAMA_2[0], 8),
    # Told the factor 1, and to read 8 times the trained length, it stretches 8 times ...
    "dynamic_factor_1": angular_frequencies(128, base=rules.ntk_base(10_000, 128, 8)),
    # ... and told the factor 8, 8 · 8 - 7 times.
    "dynamic_factor_8": angular_frequencies(128, base=rules.ntk_base(10_000, 128, 57)),
    "llama3": rules.by_parts(*LLAMA_3, 8, 1, 4),
}


@pytest.mark.parametrize(
    ("package", "name", "expected", "tolerance"),
    [
        # pairs, then halves
        ("transformers", "distilbert_table", PE, ONCE),
        ("positional-encodings", "table", PE, TO_40),
        ("diffusers", "line", PE[:, HALVES], EXACT),
        ("diffusers", "steps_flipped", np.roll(PE[:, HALVES], 16, axis=1), TO_40),
        ("diffusers", "moments", np.roll(MOMENTS, 16, axis=1), TO_6),
        ("x-transformers", "scaled_table", PE[:, HALVES] / 32**0.5, TO_40),
        ("transformers", "gptj_table", LLAMA, TO_40),
        ("transformers", "llama_cosines_double", np.tile(LLAMA[:, 8:], 2), EXACT),
        ("transformers", "llama_sines_double", np.tile(LLAMA[:, :8], 2), EXACT),
        ("transformers", "llama_cosines", np.tile(LLAMA[:, 8:], 2), TO_40),
        ("transformers", "llama_sines", np.tile(LLAMA[:, :8], 2), TO_40),
        ("transformers", "whisper_table", WHISPER, TO_40),
        ("diffusers", "steps", WHISPER, TO_40),
        ("transformers", "m2m100_table", M2M100, TO_40),
        ("transformers", "m2m100_rows", M2M100[[[2, 3, 4, 1, 1], [2, 3, 4, 5, 6]]], TO_40),
        # pictures
        ("timm", "grid", np.hstack([SIN_Y, SIN_X, COS_Y, COS_X]), TO_6),
        ("timm", "grid_interleaved", np.hstack([SIN_Y, COS_Y, SIN_X, COS_X]), TO_6),
        ("timm", "grid_reversed", np.hstack([SIN_X, SIN_Y, COS_X, COS_Y])[BY_COLUMNS], TO_6),
        ("transformers", "mae_grid", np.hstack([SIN_Y, COS_Y, SIN_X, COS_X]), EXACT),
        ("positional-encodings", "grid", np.hstack([Y, X]).reshape(4, 6, 32), TO_6),
        ("transformers", "detr_grid", np.moveaxis(DETR, -1, 0), EXACT),
        ("transformers", "detr_grid_normalized", np.moveaxis(DETR_NORMALIZED, -1, 0), EXACT),
        # frequencies
        *(("transformers", f"frequencies_{name}", it, FREQUENCY) for name, it in HANDS.items()),
        *(("transformers", f"frequencies_{name}_double", it, DOUBLE) for name, it in HANDS.items()),
        *(("transformers", f"factor_{name}", 1, EXACT) for name in HANDS),
    ],
)
def test_what_is_recorded_is_what_is_computed(package, name, expected, tolerance):
    np.testing.assert_allclose(recorded(package)[name], expected, **tolerance)


@pytest.mark.parametrize("kind", ["yarn", "yarn_not_truncated"])
def test_yarn_in_transformers_is_the_same_but_for_the_mixed_hands(kind):
    found = recorded("transformers")[f"frequencies_{kind}_double"]
    ours = rules.by_parts(*LLAMA_2, 8, 1, 32)
    kept = (rules.turns(*LLAMA_2) > 33) | rules.unfinished(*LLAMA_2)
    np.testing.assert_allclose(found[kept], ours[kept], **FREQUENCY)
    # The program mixes evenly in k, between the hands of 32 turns and of 1, where the paper mixes
    # evenly in turns.
    first, last = (64 * math.log(4096 / (2 * math.pi * at), 10_000) for at in (32, 1))
    if kind == "yarn":
        first, last = math.floor(first), math.ceil(last)
    kept = 1 - np.clip((np.arange(64) - first) / (last - first), 0, 1)
    evenly = (1 - kept) * LLAMA_2[0] / 8 + kept * LLAMA_2[0]
    np.testing.assert_allclose(found, evenly, **FREQUENCY)
    assert np.abs(found / ours - 1).max() > 1
    # Cosines and sines are multiplied by the root: once in a query, once in a key.
    assert math.isclose(recorded("transformers")[f"factor_{kind}"] ** 2, rules.yarn_sharpness(8))


# --- turned queries and keys: these programs put the cosine first ---


def exchanged(pairs):
    """Return vectors of pairs with the two numbers of each pair exchanged."""
    return pairs.reshape(*pairs.shape[:-1], -1, 2)[..., ::-1].reshape(pairs.shape)


def from_halves(x):
    """Return vectors whose column k goes with column k + d/2 as pairs, the second number first."""
    return np.stack(np.split(x, 2, axis=-1)[::-1], axis=-1).reshape(x.shape)


@pytest.mark.parametrize(
    ("package", "name", "before", "start", "arranged", "atol"),
    [
        *(
            ("transformers", f"llama_{name}_from_{start}", name, start, from_halves, 1e-12)
            for name in ("queries", "keys")
            for start in (0, 5)
        ),
        # At position 10 a sine may be off by 10 · 2⁻²³, and two of them meet queries of up to 4.
        ("transformers", "gptj_queries_from_5", "queries", 5, exchanged, 8 * 11 * 2.0**-23),
        ("rotary-embedding-torch", "queries_from_0", "queries", 0, exchanged, 1e-12),
        ("rotary-embedding-torch", "queries_from_5", "queries", 5, exchanged, 1e-12),
        ("x-transformers", "queries_from_5", "queries", 5, exchanged, 1e-12),
    ],
)
def test_turned_rows_are_those_of_others(package, name, before, start, arranged, atol):
    found = recorded(package)
    # Some round the frequencies to float32, and turn by them in float64.
    frequencies = found.get("frequencies", angular_frequencies(16))
    np.testing.assert_allclose(frequencies, angular_frequencies(16), rtol=2.0**-23)
    ours = apply_rotary(arranged(found[before]), frequencies, start=start)
    np.testing.assert_allclose(ours, arranged(found[name]), rtol=0, atol=atol)
    if arranged is exchanged:  # the cosine first is the other sense of turning
        ours = apply_rotary(found[before], frequencies, positions=-start - np.arange(6))
        np.testing.assert_allclose(ours, found[name], rtol=0, atol=atol)
