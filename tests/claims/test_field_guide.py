"""The field guide: its sentences are counts of the record, and its cells say what a row holds."""

import math
from collections import Counter

import pytest

from posenc.layouts import load_field_guide

from . import claim

PAGE = "field_guide"
RECORD = load_field_guide()
ROWS = {row["name"]: row for row in RECORD["rows"]}
TURNING = [row for row in RECORD["rows"] if row["kind"] == "turned"]
FIRST = [row["turned"][0] for row in TURNING]
# How often the slowest hand comes around in the longest text, where a text has one.
SLOWEST = {
    row["name"]: row["longest"] * min(turn["speeds"]) / math.tau
    for row, turn in zip(TURNING, FIRST)
    if row["longest"] and "t" in turn.get("axes", "t")
}


@claim(PAGE, "We asked 451 families of models")
def how_many_were_asked():
    assert len(ROWS) == len(RECORD["rows"]) == 451


@claim(
    PAGE,
    "209 rotate.** The rest: 148 add learned rows, 30 add sinusoids, 30 bias their scores, 12 "
    "learn a number for each bucket of offsets, 6 rely on a convolution, and 15 do nothing at all",
)
def what_they_do():
    kinds = Counter(row["kind"] for row in RECORD["rows"])
    assert kinds.pop("no rotation") == 1
    counts = ("turned", 209), ("added learned", 148), ("added sinusoids", 30), ("biased", 30)
    assert kinds == dict(counts) | {"relative buckets": 12, "convolution": 6, "none": 15}
    assert "angles are tiled" in ROWS["vjepa2"]["no rotation"][0]["refused"]


@claim(PAGE, "166 use halves and 43 use pairs")
def layouts_are_counted():
    assert Counter(turn["layout"] for turn in FIRST) == {"halves": 166, "pairs": 43}


@claim(PAGE, "All but *nanochat* turn the first of two columns toward the second")
def one_turns_the_other_way():
    away = [row["name"] for row, turn in zip(TURNING, FIRST) if turn["sense"] != 1]
    assert away == ["nanochat"]


@claim(PAGE, "In 43 families some columns of a head stay as they are, and in 16 of these it's not")
def some_turn_a_part():
    part = [turn for turn in FIRST if turn["turned"] < turn["head"]]
    assert (len(part), sum(bool(turn.get("from")) for turn in part)) == (43, 16)


@claim(
    PAGE, "13 have another base in some of their layers, and in 13 more, some layers don't rotate"
)
def layers_differ():
    assert sum("axes" in turn for turn in FIRST) == 50
    bases = {row["name"] for row in TURNING if len({entry["base"] for entry in row["turned"]}) > 1}
    still = {row["name"] for row in TURNING if "still" in row}
    assert (len(bases), len(still), len(bases & still)) == (13, 13, 0)


@claim(PAGE, "Of the 169 that rotate along a text and name its length, 146 have at least one hand")
def most_have_an_unfinished_hand():
    assert (len(SLOWEST), sum(turns < 1 for turns in SLOWEST.values())) == (169, 146)


@claim(
    PAGE, "which 105 of them keep, a text would need more than 50,000 positions before the last of"
)
def the_usual_base_takes_a_long_text():
    keep = [turn for row, turn in zip(TURNING, FIRST) if row["name"] in SLOWEST]
    assert sum(turn["base"] == 10_000 for turn in keep) == 105
    assert 50_000 < math.tau * 10_000 ** (63 / 64) < 60_000


@claim(PAGE, "five have `yarn`, three `llama3`, and three `proportional`")
def few_bring_a_rule():
    rules = Counter(turn["rule"] for turn in FIRST)
    assert (rules["yarn"], rules["llama3"], rules["proportional"]) == (5, 3, 3)
    assert rules.keys() - {None, "default", "axial"} == {"yarn", "llama3", "proportional"}


@claim(PAGE, "whose base of 10,000 and length of 2048 are the defaults above")
def llamas_defaults_are_the_first_llamas():
    assert (ROWS["llama"]["turned"][0]["base"], ROWS["llama"]["longest"]) == (10_000, 2048)


@claim(PAGE, "About half of them are made of families that we asked by themselves")
def half_of_those_without_a_row_are_no_loss():
    reasons = [row["reason"].startswith("made of other families") for row in RECORD["not asked"]]
    assert len(reasons) == 361
    assert 0.45 < sum(reasons) / len(reasons) < 0.55


@claim(PAGE, "All have base 10,000")
def tables_have_one_base(page):
    assert {table["base"] for table in page["programs"]["tables"]} == {10_000}


@claim(PAGE, "which ones and where their partners are")
@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("llama", "128 of 128"),
        ("gpt_neox", "24 of 96: 0 to 23, partner 12 further"),
        ("gptj", "64 of 256: 0 to 63, neighbors"),
        ("deepseek_v3", "64 of 192: 128 to 191, neighbors"),
        ("gemma4_text", "128 of 512: 0 to 63 and 256 to 319, partner 256 further"),
        ("qwen2_5_omni_dit", "64 of 64, in 1 head"),
    ],
)
def partial_rows_say_where_the_partner_is(page, family, words):
    assert page["columns_of"](ROWS[family]["turned"][0]) == words


@claim(PAGE, "an axis has a *block* of hands, or the axes are *interleaved*")
@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("qwen2_vl_text", "t, y, x in blocks"),
        ("qwen3_vl_text", "t, y, x interleaved"),
        ("dinov3_vit", "y, x in blocks"),
        ("kimi_k25_vision", "x, y interleaved"),
    ],
)
def axes_come_in_blocks_or_interleaved(page, family, words):
    assert page["axes_of"](ROWS[family]["turned"][0]) == words
