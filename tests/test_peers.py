"""What other people's programs compute, recorded by `make peers`, is what the package computes.

The programs work in float32, unless it says otherwise. An angle in float32 is wrong by 2⁻²⁴ of
itself, and so is the frequency that it comes from: at position t a sine may be off by t · 2⁻²³,
and by 2⁻²⁴ for its own rounding; in float16 by 2⁻¹² and in bfloat16 by 2⁻⁹.
"""

import hashlib
import json
import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from posenc import long_context as rules
from posenc.encodings import angular_frequencies, encode, sinusoidal
from posenc.layouts import bfloat16, describe, load_tables, probe_rotary, to_halves
from posenc.rotary import apply_rotary
from posenc.rules import which_rule

ROOT = Path(__file__).parents[1]
FOLDER, DATA = ROOT / "tests" / "peers", ROOT / "src" / "posenc" / "data"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
ENTRIES = json.loads((FOLDER / "tables.json").read_text(encoding="utf-8"))
PROGRAMS = json.loads((DATA / "programs.json").read_text(encoding="utf-8"))


@cache
def recorded(package):
    """Return the arrays of one package, by name."""
    with np.load(FOLDER / f"{package}.npz") as arrays:
        return dict(arrays)


def array_of(entry):
    """Return the array that an entry of `tables.json` is about."""
    return recorded(entry["file"].removesuffix(".npz"))[entry["array"]]


# --- the files ---


def test_each_file_has_its_checksum():
    checksums = dict(re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", PAGE, re.M))
    files = [*FOLDER.glob("*.npz"), DATA / "tables.npz"]
    files += DATA.glob("torch_*.py")  # the modules that were tested
    assert checksums == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1.5e6


def test_the_unlabelled_tables_are_those_of_the_data_card():
    card = (DATA / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| ([A-F]) \| .+? \| `(.+?)`, `(.+?)` \|$", card, re.M)
    tables = load_tables()
    assert [letter for letter, *_ in named] == list(tables) == list("ABCDEF")
    for letter, package, name in named:
        assert np.array_equal(tables[letter], recorded(package)[name])
        assert tables[letter].dtype == recorded(package)[name].dtype


def test_the_module_that_is_shown_adds_the_package_s_rows():
    arrays, rows = recorded("torch"), sinusoidal(6, 32, start=5)
    assert (arrays["added"] == rows.astype(np.float32)).all()
    assert (arrays["added_in_bfloat16"] == bfloat16(rows)).all()
    assert (arrays["numbers_in_bfloat16"] == bfloat16(arrays["numbers"])).all()


def test_the_module_that_is_shown_turns_as_the_package_does():
    arrays, frequencies = recorded("torch"), angular_frequencies(16)
    halves = np.r_[0:16:2, 1:16:2]
    for text, places in enumerate(arrays["positions"]):
        x = np.empty((3, 4, 16))
        x[..., 0::2], x[..., 1::2] = np.split(arrays["x"][text], 2, axis=-1)
        # The course's pairs begin with the sine, and turn the other way.
        ours = apply_rotary(x, frequencies, positions=-places)[..., halves]
        np.testing.assert_allclose(arrays["turned"][text], ours, rtol=0, atol=1e-9)
        # Eight binary digits of what went in, of up to 4, and of what came out.
        low = arrays["turned_in_bfloat16"][text]
        np.testing.assert_allclose(low, ours, rtol=0, atol=3 * 4 * 2.0**-9)
        assert (low == bfloat16(low)).all()


# --- tables and turns, as their entries describe them ---

ROUNDED = {"float64": 2.0**-40, "float32": 2.0**-24, "float16": 2.0**-12, "bfloat16": 2.0**-9}


def on_axes(number):
    """Return a number for the rows and a number for the columns of a picture."""
    return number if isinstance(number, list) else [number, number]


def rebuilt(entry, rows):
    """Return the table that the settings of a program mean, and the largest angle in it."""
    speeds = entry["base"] ** (-np.arange(entry["m"]) / entry["P"])
    if entry["grid"]:
        height, width = entry["grid"]
        axes = np.repeat(np.arange(height), width), np.tile(np.arange(width), height)
        if entry["order"] == "columns":
            axes = np.tile(np.arange(height), width), np.repeat(np.arange(width), height)
        steps = zip(on_axes(entry["scale"]), on_axes(entry["start"]), axes)
        places = dict(zip("yx", (scale * (start + axis) for scale, start, axis in steps)))
    else:
        places = {"": entry["scale"] * (entry["start"] + np.arange(rows))}
    parts = {}
    for axis, at in places.items():
        waves = encode(at, speeds)
        parts |= {
            f"pairs {axis}": waves,
            f"sin {axis}": waves[:, 0::2],
            f"cos {axis}": waves[:, 1::2],
        }
    blocks = [parts[name if entry["grid"] else f"{name} "] for name in entry["columns"].split(", ")]
    table = entry["amplitude"] * np.hstack(blocks)
    for column in entry["blank_columns"]:
        table = np.insert(table, column, 0, axis=1)
    if entry["grid"]:
        table = np.vstack([np.zeros((len(entry["blank_rows"]), table.shape[1])), table])
    table[entry["blank_rows"]] = 0
    return table, max(np.abs(at).max() for at in places.values())


@pytest.mark.parametrize("entry", ENTRIES["tables"], ids=lambda entry: entry["array"])
def test_a_table_is_what_its_settings_say(entry):
    table = array_of(entry)
    assert list(table.shape) == entry["shape"]
    assert entry["dtype"] in ("bfloat16", table.dtype)
    expected, angle = rebuilt(entry, len(table))
    # diffusers divides a picture's positions in float32, then goes on in float64.
    wide = entry["dtype"] == "float64" and entry["array"] != "stretched"
    single = 0 if wide else (angle + 1) * 2.0**-23
    atol = entry["amplitude"] * (single + ROUNDED[entry["dtype"]])
    np.testing.assert_allclose(table, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("entry", ENTRIES["tables"], ids=lambda entry: entry["array"])
def test_a_table_is_described_as_its_settings_say(entry):
    grid = entry["grid"] and tuple(entry["grid"][:: -1 if entry["order"] == "columns" else 1])
    if max(on_axes(entry["scale"])) > np.pi:  # more than half a turn from row to row
        with pytest.raises(ValueError, match="table must"):
            describe(array_of(entry), grid=grid)
        return
    description = describe(array_of(entry), grid=grid)
    assert description.blank == tuple(entry["blank_rows"])
    assert description.layout == entry["layout"]
    assert description.first == entry["first"]
    axes = dict(zip("yx", zip(on_axes(entry["scale"]), on_axes(entry["start"]))))
    if entry["order"] == "columns":  # the axis that counts fastest is called x
        axes = dict(zip("xy", axes.values()))
    true = {"amplitude": entry["amplitude"], "ratio": entry["base"] ** (1 / entry["P"])}
    for axis, wave in description.axes.items() if grid else [("y", description)]:
        assert wave.pairs == entry["m"]
        assert wave.worst <= wave.errors["worst"]
        fastest, start = axes[axis]
        for name, value in (true | {"fastest": fastest, "start": start}).items():
            fitted = getattr(wave, name) if name != "start" else min(wave.starts, key=abs)
            assert abs(fitted - value) <= wave.errors[name], name
    if entry["order"] == "rows" and not entry["blank_columns"]:
        assert description.arrangement() == entry["columns"]
    names = [program["name"] for program in PROGRAMS["tables"]]
    same_speeds = len(set(on_axes(entry["scale"]))) == 1
    if entry["name"] in names and entry["order"] == "rows" and same_speeds:
        assert entry["name"] in description.programs()


@pytest.mark.parametrize("entry", ENTRIES["turns"], ids=lambda entry: entry["array"])
def test_a_program_is_probed_as_its_settings_say(entry):
    places, rotations = np.array(entry["positions"]), array_of(entry)
    for axis, name in enumerate({1: "t", 2: "yx", 3: "tyx"}[places.shape[1]]):
        # The other axes of a picture stay where they are.
        line = {place[axis]: i for i, place in enumerate(places) if place.sum() == place[axis]}
        on_axis = np.array([letter == name for letter in entry["axes"]])
        speeds = np.array(entry["speeds"])[on_axis] * np.broadcast_to(entry["scale"], 2)[axis % 2]
        if 1 not in line:
            continue

        def turn(x, positions, line=line):
            steps = np.stack([rotations[line[0]].T @ rotations[line[at]] for at in positions])
            steps[np.abs(steps) < 1e-6] = 0  # float32, twice
            return np.einsum("ni,nij->nj", x, np.float32(steps))

        probed = probe_rotary(turn, entry["width"], length=len(line))
        assert (probed.layout, probed.sense) == (entry["layout"], 1)
        np.testing.assert_allclose(probed.speeds, speeds, rtol=1e-4)


@pytest.mark.parametrize("entry", ENTRIES["turns"], ids=lambda entry: entry["array"])
def test_a_turn_of_unit_vectors_is_what_its_settings_say(entry):
    rotations, turned = array_of(entry), entry["turned"]
    places = np.array(entry["positions"])
    assert rotations.shape == (len(places), entry["width"], entry["width"])
    if places.shape[1] == 2:
        places = np.array(on_axes(entry["scale"])) * (np.array(on_axes(entry["start"])) + places)
    names = {1: "t", 2: "yx", 3: "tyx"}[places.shape[1]]
    angles = places[:, [names.index(axis) for axis in entry["axes"]]] * entry["speeds"]
    order = np.arange(turned) if entry["layout"] == "pairs" else to_halves(np.arange(turned), 1)
    for row, x in zip(angles, rotations):
        # The course's pairs begin with the sine, and turn the other way.
        ours = apply_rotary(np.eye(turned)[:, None], row, positions=[-1])[:, 0]
        expected = np.eye(entry["width"])
        expected[:turned, :turned] = ours[np.ix_(order, order)]
        atol = (np.abs(row).max() + 1) * 2.0**-22
        np.testing.assert_allclose(x, expected, rtol=0, atol=atol)


# --- frequencies and what goes with them ---

# Frequencies take a few operations, each of which rounds by 2**-24 of its result, or in float64.
SINGLE, DOUBLE, EXACT = {"rtol": 8 * 2.0**-24}, {"rtol": 1e-12}, {"rtol": 0, "atol": 1e-12}
LLAMA_2 = (angular_frequencies(128), 4096)
LLAMA_3 = (angular_frequencies(128, base=500_000), 8192)
FREQUENCIES = {
    "default": LLAMA_2[0],
    "llama3_default": LLAMA_3[0],
    "linear": rules.interpolate(LLAMA_2[0], 8),
    # With the factor 1, and 8 times the trained length to read, it stretches 8 times ...
    "dynamic_factor_1": angular_frequencies(128, base=rules.ntk_base(10_000, 128, 8)),
    # ... and with the factor 8, 8 · 8 - 7 times.
    "dynamic_factor_8": angular_frequencies(128, base=rules.ntk_base(10_000, 128, 57)),
    "llama3": rules.by_parts(*LLAMA_3, 8, 1, 4),
    "longrope_short": rules.longrope(LLAMA_2[0], 1 + np.arange(64) / 64),
    "longrope_long": rules.longrope(LLAMA_2[0], np.arange(1, 65)),
    "proportional": rules.proportional(LLAMA_2[0], 0.3, stretch=2),
}
FACTORS = dict.fromkeys(
    ("longrope_short", "longrope_long"), math.sqrt(1 + math.log(8) / math.log(4096))
)
LENGTHS = {"llama3": 8192}
GPT_OSS = angular_frequencies(64, base=150_000), 4096
YARNS = {
    "yarn": (rules.yarn(*LLAMA_2, 8), rules.yarn_attention(8)),
    "yarn_not_truncated": (rules.yarn(*LLAMA_2, 8, truncate=False), rules.yarn_attention(8)),
    "yarn_gpt_oss": (rules.yarn(*GPT_OSS, 32, truncate=False), rules.yarn_attention(32)),
    "yarn_deepseek": (rules.yarn(*LLAMA_2, 40), 1),
    "yarn_two_mscales": (
        rules.yarn(*LLAMA_2, 40),
        rules.yarn_attention(40, mscale=1, mscale_all_dim=0.707),
    ),
    "yarn_one_mscale": (rules.yarn(*LLAMA_2, 8), rules.yarn_attention(8, mscale=0.5)),
}


@pytest.mark.parametrize("name", FREQUENCIES)
def test_recorded_frequencies_are_those_of_the_rules(name):
    arrays, expected = recorded("transformers"), FREQUENCIES[name]
    np.testing.assert_allclose(arrays[f"frequencies_{name}"], expected, **SINGLE)
    exact = SINGLE if "longrope" in name else DOUBLE  # its lists are always in float32
    np.testing.assert_allclose(arrays[f"frequencies_{name}_double"], expected, **exact)
    assert math.isclose(arrays[f"factor_{name}"], FACTORS.get(name, 1))


@pytest.mark.parametrize("name", YARNS)
def test_yarn_is_what_transformers_computes(name):
    expected, factor = YARNS[name]
    for suffix in ("", "_double"):  # the mixture is in float32 in both
        frequencies = recorded("transformers")[f"frequencies_{name}{suffix}"]
        np.testing.assert_allclose(frequencies, expected, **SINGLE)
    assert math.isclose(recorded("transformers")[f"factor_{name}"], factor)


@pytest.mark.parametrize("name", ["yarn", "yarn_not_truncated"])
def test_the_paper_s_mixture_is_another_one(name):
    frequencies = recorded("transformers")[f"frequencies_{name}_double"]
    paper = rules.by_parts(*LLAMA_2, 8, 1, 32)
    same = (rules.turns(*LLAMA_2) > 33) | rules.unfinished(*LLAMA_2)
    np.testing.assert_allclose(frequencies[same], paper[same], **SINGLE)
    assert np.abs(frequencies / paper - 1).max() > 1


def test_deepseek_sharpens_its_scores_apart_from_the_tables():
    arrays = recorded("transformers")
    assert arrays["factor_yarn_deepseek"] == 1
    assert math.isclose(arrays["scores_deepseek"], rules.yarn_attention(40**0.707) ** 2)
    assert round(float(arrays["scores_deepseek"]), 2) == 1.59


RULES = {  # the rule of recorded speeds: its base, its name and its parameters
    "default": (10_000, "default", {}),
    "linear": (10_000, "linear", {"factor": 8}),
    "dynamic_factor_1": (10_000, "default", {"rope_theta": rules.ntk_base(10_000, 128, 8)}),
    "dynamic_factor_8": (10_000, "default", {"rope_theta": rules.ntk_base(10_000, 128, 57)}),
    "proportional": (10_000, "proportional", {"factor": 2, "partial_rotary_factor": 0.3}),
    "llama3": (500_000, "llama3", {"factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}),
    **{
        name: (base, "yarn", {"factor": c, "beta_fast": 32, "beta_slow": 1, "truncate": whole})
        for name, base, c, whole in [
            ("yarn", 10_000, 8, True),
            ("yarn_not_truncated", 10_000, 8, False),
            ("yarn_gpt_oss", 150_000, 32, False),
        ]
    },
}


@pytest.mark.parametrize("recording", RULES)
def test_the_rule_of_recorded_speeds_is_told(recording):
    base, name, parameters = RULES[recording]
    frequencies = recorded("transformers")[f"frequencies_{recording}"]
    rule = which_rule(frequencies, base, LENGTHS.get(recording, 4096)).rule
    assert rule.name == name
    for key, value in parameters.items():
        assert math.isclose(rule.parameters[key], value, rel_tol=1e-5), key


@pytest.mark.parametrize("name", ["longrope_short", "longrope_long"])
def test_recorded_lists_of_factors_are_told(name):
    result = which_rule(recorded("transformers")[f"frequencies_{name}"], 10_000, 4096)
    assert result.rule is None
    np.testing.assert_allclose(result.factors, LLAMA_2[0] / FREQUENCIES[name], **SINGLE)
