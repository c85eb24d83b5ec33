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
TOLD = json.loads((FOLDER / "tables.json").read_text(encoding="utf-8"))
PROGRAMS = json.loads((DATA / "programs.json").read_text(encoding="utf-8"))


@cache
def recorded(package):
    """Return the arrays of one package, by name."""
    with np.load(FOLDER / f"{package}.npz") as arrays:
        return dict(arrays)


def held(entry):
    """Return the array that an entry of `tables.json` is about."""
    return recorded(entry["file"].removesuffix(".npz"))[entry["array"]]


# --- the files ---


def test_each_file_has_its_checksum():
    told = dict(re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", PAGE, re.M))
    files = [*FOLDER.glob("*.npz"), DATA / "tables.npz"]
    files += DATA.glob("torch_*.py")  # the modules that were tested
    assert told == {it.name: hashlib.sha256(it.read_bytes()).hexdigest() for it in files}
    assert sum(it.stat().st_size for it in FOLDER.iterdir()) < 1.5e6


def test_the_unlabelled_tables_are_those_of_the_data_card():
    card = (DATA / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| ([A-F]) \| .+? \| `(.+?)`, `(.+?)` \|$", card, re.M)
    tables = load_tables()
    assert [letter for letter, *_ in named] == list(tables) == list("ABCDEF")
    for letter, package, name in named:
        assert np.array_equal(tables[letter], recorded(package)[name])
        assert tables[letter].dtype == recorded(package)[name].dtype


def test_the_module_that_is_shown_adds_the_package_s_rows():
    found, rows = recorded("torch"), sinusoidal(6, 32, start=5)
    assert (found["added"] == rows.astype(np.float32)).all()
    assert (found["added_in_bfloat16"] == bfloat16(rows)).all()
    assert (found["numbers_in_bfloat16"] == bfloat16(found["numbers"])).all()


def test_the_module_that_is_shown_turns_as_the_package_does():
    found, frequencies = recorded("torch"), angular_frequencies(16)
    halves = np.r_[0:16:2, 1:16:2]
    for text, places in enumerate(found["positions"]):
        x = np.empty((3, 4, 16))
        x[..., 0::2], x[..., 1::2] = np.split(found["x"][text], 2, axis=-1)
        # The course's pairs begin with the sine, and turn the other way.
        ours = apply_rotary(x, frequencies, positions=-places)[..., halves]
        np.testing.assert_allclose(found["turned"][text], ours, rtol=0, atol=1e-9)
        # Eight binary digits of what went in, of up to 4, and of what came out.
        low = found["turned_in_bfloat16"][text]
        np.testing.assert_allclose(low, ours, rtol=0, atol=3 * 4 * 2.0**-9)
        assert (low == bfloat16(low)).all()


# --- tables and turns, by what is said of them ---

ROUNDED = {"float64": 2.0**-40, "float32": 2.0**-24, "float16": 2.0**-12, "bfloat16": 2.0**-9}


def on_axes(number):
    """Return a number for the rows and one for the columns of a picture."""
    return number if isinstance(number, list) else [number, number]


def rebuilt(told, rows):
    """Return the table that the settings of a program mean, and the largest angle in it."""
    speeds = told["base"] ** (-np.arange(told["m"]) / told["P"])
    if told["grid"]:
        height, width = told["grid"]
        axes = np.repeat(np.arange(height), width), np.tile(np.arange(width), height)
        if told["order"] == "columns":
            axes = np.tile(np.arange(height), width), np.repeat(np.arange(width), height)
        steps = zip(on_axes(told["scale"]), on_axes(told["start"]), axes)
        places = dict(zip("yx", (scale * (start + axis) for scale, start, axis in steps)))
    else:
        places = {"": told["scale"] * (told["start"] + np.arange(rows))}
    parts = {}
    for axis, at in places.items():
        waves = encode(at, speeds)
        parts |= {
            f"pairs {axis}": waves,
            f"sin {axis}": waves[:, 0::2],
            f"cos {axis}": waves[:, 1::2],
        }
    blocks = [parts[name if told["grid"] else f"{name} "] for name in told["columns"].split(", ")]
    table = told["amplitude"] * np.hstack(blocks)
    for column in told["blank_columns"]:
        table = np.insert(table, column, 0, axis=1)
    if told["grid"]:
        table = np.vstack([np.zeros((len(told["blank_rows"]), table.shape[1])), table])
    table[told["blank_rows"]] = 0
    return table, max(np.abs(at).max() for at in places.values())


@pytest.mark.parametrize("told", TOLD["tables"], ids=lambda told: told["array"])
def test_a_table_is_what_its_settings_say(told):
    found = held(told)
    assert list(found.shape) == told["shape"]
    assert told["dtype"] in ("bfloat16", found.dtype)
    expected, angle = rebuilt(told, len(found))
    # diffusers divides a picture's positions in float32, before it goes on in float64.
    wide = told["dtype"] == "float64" and told["array"] != "stretched"
    single = 0 if wide else (angle + 1) * 2.0**-23
    atol = told["amplitude"] * (single + ROUNDED[told["dtype"]])
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("told", TOLD["tables"], ids=lambda told: told["array"])
def test_a_table_is_described_as_its_settings_say(told):
    grid = told["grid"] and tuple(told["grid"][:: -1 if told["order"] == "columns" else 1])
    if max(on_axes(told["scale"])) > np.pi:  # more than half a turn from row to row
        with pytest.raises(ValueError, match="table must"):
            describe(held(told), grid=grid)
        return
    found = describe(held(told), grid=grid)
    assert found.blank == tuple(told["blank_rows"])
    assert found.layout == told["layout"]
    assert found.first == told["first"]
    axes = dict(zip("yx", zip(on_axes(told["scale"]), on_axes(told["start"]))))
    if told["order"] == "columns":  # the place that counts fastest is called x
        axes = dict(zip("xy", axes.values()))
    true = {"amplitude": told["amplitude"], "ratio": told["base"] ** (1 / told["P"])}
    for axis, it in found.axes.items() if grid else [("y", found)]:
        assert it.pairs == told["m"]
        assert it.worst <= it.errors["worst"]
        fastest, start = axes[axis]
        for name, value in (true | {"fastest": fastest, "start": start}).items():
            fits = getattr(it, name) if name != "start" else min(it.starts, key=abs)
            assert abs(fits - value) <= it.errors[name], name
    if told["order"] == "rows" and not told["blank_columns"]:
        assert found.arrangement() == told["columns"]
    names = [it["name"] for it in PROGRAMS["tables"]]
    same_speeds = len(set(on_axes(told["scale"]))) == 1
    if told["name"] in names and told["order"] == "rows" and same_speeds:
        assert told["name"] in found.programs()


@pytest.mark.parametrize("told", TOLD["turns"], ids=lambda told: told["array"])
def test_a_program_is_probed_as_its_settings_say(told):
    places, found = np.array(told["positions"]), held(told)
    for axis, name in enumerate({1: "t", 2: "yx", 3: "tyx"}[places.shape[1]]):
        # The other axes of a picture stay where they are.
        line = {place[axis]: i for i, place in enumerate(places) if place.sum() == place[axis]}
        mine = np.array([it == name for it in told["axes"]])
        speeds = np.array(told["speeds"])[mine] * np.broadcast_to(told["scale"], 2)[axis % 2]
        if 1 not in line:
            continue

        def turn(x, positions, line=line):
            steps = np.stack([found[line[0]].T @ found[line[at]] for at in positions])
            steps[np.abs(steps) < 1e-6] = 0  # float32, twice
            return np.einsum("ni,nij->nj", x, np.float32(steps))

        probed = probe_rotary(turn, told["width"], length=len(line))
        assert (probed.layout, probed.sense) == (told["layout"], 1)
        np.testing.assert_allclose(probed.speeds, speeds, rtol=1e-4)


@pytest.mark.parametrize("told", TOLD["turns"], ids=lambda told: told["array"])
def test_a_turn_of_unit_vectors_is_what_its_settings_say(told):
    found, turned = held(told), told["turned"]
    places = np.array(told["positions"])
    assert found.shape == (len(places), told["width"], told["width"])
    if places.shape[1] == 2:
        places = np.array(on_axes(told["scale"])) * (np.array(on_axes(told["start"])) + places)
    names = {1: "t", 2: "yx", 3: "tyx"}[places.shape[1]]
    angles = places[:, [names.index(axis) for axis in told["axes"]]] * told["speeds"]
    order = np.arange(turned) if told["layout"] == "pairs" else to_halves(np.arange(turned), 1)
    for row, x in zip(angles, found):
        # The course's pairs begin with the sine, and turn the other way.
        ours = apply_rotary(np.eye(turned)[:, None], row, positions=[-1])[:, 0]
        expected = np.eye(told["width"])
        expected[:turned, :turned] = ours[np.ix_(order, order)]
        atol = (np.abs(row).max() + 1) * 2.0**-22
        np.testing.assert_allclose(x, expected, rtol=0, atol=atol)


# --- frequencies and what goes with them ---

# Frequencies take a few operations, each of which rounds by 2**-24 of its result, or in float64.
FREQUENCY, DOUBLE, EXACT = {"rtol": 8 * 2.0**-24}, {"rtol": 1e-12}, {"rtol": 0, "atol": 1e-12}
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


@pytest.mark.parametrize("kind", HANDS)
def test_recorded_frequencies_are_those_of_the_rules(kind):
    found, expected = recorded("transformers"), HANDS[kind]
    np.testing.assert_allclose(found[f"frequencies_{kind}"], expected, **FREQUENCY)
    exact = FREQUENCY if "longrope" in kind else DOUBLE  # its lists are in float32 in any case
    np.testing.assert_allclose(found[f"frequencies_{kind}_double"], expected, **exact)
    assert math.isclose(found[f"factor_{kind}"], FACTORS.get(kind, 1))


@pytest.mark.parametrize("kind", YARNS)
def test_yarn_is_what_transformers_computes(kind):
    expected, factor = YARNS[kind]
    for suffix in ("", "_double"):  # the mixture is in float32 in both
        found = recorded("transformers")[f"frequencies_{kind}{suffix}"]
        np.testing.assert_allclose(found, expected, **FREQUENCY)
    assert math.isclose(recorded("transformers")[f"factor_{kind}"], factor)


@pytest.mark.parametrize("kind", ["yarn", "yarn_not_truncated"])
def test_the_paper_s_mixture_is_another_one(kind):
    found = recorded("transformers")[f"frequencies_{kind}_double"]
    paper = rules.by_parts(*LLAMA_2, 8, 1, 32)
    same = (rules.turns(*LLAMA_2) > 33) | rules.unfinished(*LLAMA_2)
    np.testing.assert_allclose(found[same], paper[same], **FREQUENCY)
    assert np.abs(found / paper - 1).max() > 1


def test_deepseek_sharpens_its_scores_apart_from_the_tables():
    found = recorded("transformers")
    assert found["factor_yarn_deepseek"] == 1
    assert math.isclose(found["scores_deepseek"], rules.yarn_attention(40**0.707) ** 2)
    assert round(float(found["scores_deepseek"]), 2) == 1.59


MADE = {  # which rule is told of recorded speeds, with which numbers
    "default": (10_000, "default", {}),
    "linear": (10_000, "linear", {"factor": 8}),
    "dynamic_factor_1": (10_000, "default", {"rope_theta": rules.ntk_base(10_000, 128, 8)}),
    "dynamic_factor_8": (10_000, "default", {"rope_theta": rules.ntk_base(10_000, 128, 57)}),
    "proportional": (10_000, "proportional", {"factor": 2, "partial_rotary_factor": 0.3}),
    "llama3": (500_000, "llama3", {"factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}),
    **{
        kind: (base, "yarn", {"factor": c, "beta_fast": 32, "beta_slow": 1, "truncate": whole})
        for kind, base, c, whole in [
            ("yarn", 10_000, 8, True),
            ("yarn_not_truncated", 10_000, 8, False),
            ("yarn_gpt_oss", 150_000, 32, False),
        ]
    },
}


@pytest.mark.parametrize("kind", MADE)
def test_the_rule_of_recorded_speeds_is_told(kind):
    base, name, numbers = MADE[kind]
    found = which_rule(
        recorded("transformers")[f"frequencies_{kind}"], base, LENGTHS.get(kind, 4096)
    )
    rule = found.rule
    assert rule.name == name
    for key, value in numbers.items():
        assert math.isclose(rule.parameters[key], value, rel_tol=1e-5), key


@pytest.mark.parametrize("kind", ["longrope_short", "longrope_long"])
def test_recorded_lists_of_factors_are_told(kind):
    found = which_rule(recorded("transformers")[f"frequencies_{kind}"], 10_000, 4096)
    assert found.rule is None
    np.testing.assert_allclose(found.factors, LLAMA_2[0] / HANDS[kind], **FREQUENCY)
