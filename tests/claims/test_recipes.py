"""Symptoms and recipes: each recipe mends what it's for, and agrees with the programs it names.

What transformers does is tried by `bench/recipes.py`, as a part of `make peers`, which records what
its functions compute.
"""

import re

import numpy as np
import pytest

from posenc.encodings import angular_frequencies
from posenc.layouts import bfloat16, load_field_guide, probe_rotary
from posenc.layouts import to_halves as reorder
from posenc.long_context import by_parts
from posenc.rules import which_rule

from . import ROOT, claim, text_of

PAGE = "recipes"
NEAR = {"rtol": 0, "atol": 1e-9}
FAMILIES = {row["name"]: row for row in load_field_guide()["rows"]}
with np.load(ROOT / "tests" / "peers" / "transformers.npz") as arrays:
    PEERS = {name.removeprefix("recipes_"): arrays[name] for name in arrays.files}
RECIPES = [
    part.partition("\n")[0]
    for part in re.split(r"^### ", text_of(PAGE), flags=re.M)[1:]
    if "```" in part
]


def scores(page, turn, start=0):
    """Return the scores of the page's text, from a start."""
    q, k, t = page["q"], page["k"], page["t"] + start
    return turn(q, t) @ turn(k, t).T


def outputs(page, x, positions, visible):
    """Return what the page's attention makes of rows that a table is added to."""
    x = x + page["table"][positions]
    return page["attend"](x, x, x, visible)


# --- the form ---


@claim(PAGE, "fixes it in a few lines of code, and ends with a test")
@pytest.mark.parametrize("recipe", RECIPES)
def a_recipe_is_short_and_narrow(recipe):
    (section,) = re.findall(rf"^### {re.escape(recipe)}\n(.*?)(?=^##)", text_of(PAGE), re.M | re.S)
    prose = re.sub(r"```.*?```|\]\([^)]*\)", "", section, flags=re.S)
    code = re.search(r"```[^\n]*\n(.*?)```", section, re.S)[1]
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 64
    assert len(prose.split()) <= 100
    assert re.search(r"^\s*(assert|print\(words)", lines[-1])


@claim(PAGE, "Look for yours in the list below")
def the_list_leads_to_every_recipe():
    listed = text_of(PAGE).partition("## What the recipes share")[0]
    for heading in re.findall(r"^### (.+)$", text_of(PAGE), re.M):
        words = re.sub(r"[^\w\s-]", "", heading).lower().replace(" ", "-")
        assert f"](#{words})" in listed, words


@claim(
    PAGE, "`turn` rotates halves, the way most models in *transformers* do, and `turn_neighbors`"
)
def the_two_programs_are_what_they_are_called(page):
    for name, layout in (("turn", "halves"), ("turn_neighbors", "pairs")):
        description = probe_rotary(page[name], 64)
        assert (description.layout, description.pairs.size) == (layout, 64)
        assert np.allclose(description.speeds, page["speeds"], rtol=1e-6)
    assert FAMILIES["llama"]["turned"][0]["layout"] == "halves"


# --- after loading weights ---


@claim(PAGE, "reorder the rows that produce queries and keys, head by head, and their biases")
@pytest.mark.parametrize("heads", [1, 2, 4])
def rows_are_reordered_by_head(page, heads):
    rng = np.random.default_rng(heads)
    for W in (rng.normal(size=(64, 48)), rng.normal(size=64)):
        assert np.array_equal(page["to_halves"](W, heads), reorder(W, heads))
    W, x, t = rng.normal(size=(2, 64 * heads, 64)), page["q"], page["t"]

    def all_scores(turn, weights):
        q, k = (turn((x @ rows.T).reshape(12, heads, 64).swapaxes(0, 1), t) for rows in weights)
        return q @ k.swapaxes(1, 2)

    before = all_scores(page["turn_neighbors"], W)
    assert not np.allclose(all_scores(page["turn"], W), before, atol=1)
    mended = [page["to_halves"](rows, heads) for rows in W]
    assert np.allclose(all_scores(page["turn"], mended), before, **NEAR)


@claim(PAGE, "GPT-NeoX rotates only the first quarter of each head, and GLM the first half")
def how_much_of_a_head_turns():
    for family, share in (("gpt_neox", 1 / 4), ("glm", 1 / 2)):
        (turn,) = FAMILIES[family]["turned"]
        assert turn["turned"] == share * turn["head"]
        assert turn["from"] == 0
        assert turn["P"] == turn["turned"] / 2


@claim(PAGE, "There's one exception: with `proportional`, as in Gemma 4")
def gemma_counts_by_the_whole_head():
    turn = FAMILIES["gemma4_text"]["turned"][0]
    assert turn["rule"] == "proportional"
    assert turn["P"] == turn["partner"] == turn["head"] / 2 > turn["turned"] / 2
    slow = PEERS["frequencies_proportional_double"]
    assert (slow[19:] == 0).all()
    assert (slow[:19] > 0).all()


@claim(PAGE, "the error in the angles grows with distance")
def a_narrower_head_has_its_own_exponent(page):
    description = probe_rotary(lambda x, positions: page["turn_part"](x, positions, 16), 64)
    assert (description.layout, description.pairs.size) == ("halves", 16)
    assert np.allclose(description.speeds, angular_frequencies(16), rtol=1e-6)
    off = abs(angular_frequencies(16) - page["speeds"][:8])
    assert off[1:].min() > 0.05


@claim(PAGE, "the two columns of a pair turn by different angles. The result isn't a rotation any")
def tiled_angles_on_neighbors_change_with_the_start(page):
    def wrong(x, positions):
        angles = np.tile(np.outer(positions, page["speeds"]), 2)
        partner = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)
        return x * np.cos(angles) + partner * np.sin(angles)

    assert not np.allclose(scores(page, wrong), scores(page, wrong, 1000), atol=1)
    with pytest.raises(ValueError, match="tiled"):
        probe_rotary(wrong, 64)
    for start in (0, 7):
        right = scores(page, page["turn_neighbors"], start)
        assert np.allclose(scores(page, page["mine"], start), right, **NEAR)


@claim(PAGE, "it rotates each head by the head's number and treats all tokens alike")
def the_wrong_axis_turns_heads(page):
    x = np.ones((2, 7, 5, 64))
    wrong = page["turn"](x, np.arange(5))  # counts along the axis before the last
    varies = [np.ptp(wrong, axis=axis).max() > 0 for axis in range(3)]
    assert varies == [False, False, True]


# --- in batches ---


@claim(PAGE, "If the model adds a table, as GPT-2 does, positions have to be counted by the mask")
def columns_are_the_wrong_positions(page):
    tri, mask = np.tri(8, dtype=bool), page["mask"]
    visible, x = tri & mask | np.eye(8, dtype=bool), page["q"][:8]
    alone = outputs(page, x[3:], np.arange(5), tri[:5, :5])
    counted = np.array([0, 0, 0, 0, 1, 2, 3, 4])
    assert np.allclose(outputs(page, x, counted, visible)[3:], alone, **NEAR)
    assert not np.allclose(outputs(page, x, np.arange(8), visible)[3:], alone, atol=0.01)
    assert FAMILIES["gpt2"]["kind"] == "added learned"


@claim(PAGE, "A rotary model doesn't care where a text begins, so if it suffers, suspect the mask")
def rotation_does_not_hear_where_a_text_begins(page):
    for start in (3, 1000):
        moved = scores(page, page["turn"], start)
        assert np.allclose(moved, scores(page, page["turn"]), **NEAR)


@claim(PAGE, "you get 0/0, which is NaN (with `finfo.min`, a plain average)")
def padding_with_nothing_to_look_at_is_nan(page):
    q = page["q"].astype(np.float32)
    with np.errstate(invalid="ignore"):
        rows = page["attend"](*q[None].repeat(3, axis=0), np.eye(12) == 2)
    assert np.isnan(rows).all()
    # As programs add it to the scores, in which it swallows them.
    hidden = q @ q.T + np.finfo(np.float32).min
    assert (hidden == hidden[0, 0]).all()


@claim(PAGE, "An added or learned table needs that, while with RoPE it changes no score inside a")
def restarting_matters_for_what_is_added(page):
    tri = np.tri(12, dtype=bool)
    sample = np.repeat([0, 1, 2], [5, 3, 4])
    visible = tri & (sample[:, None] == sample)
    again, on = np.r_[:5, :3, :4], np.arange(12)
    turn, q, k, v = (page[name] for name in ("turn", "q", "k", "v"))
    for rows, positions in ((slice(5, 8), again), (slice(5, 8), on)):
        turned = page["attend"](turn(q, positions), turn(k, positions), v, visible)
        assert np.allclose(turned[rows], page["alone"], **NEAR)
    added = [outputs(page, q, positions, visible)[5:8] for positions in (again, on)]
    alone = outputs(page, q[5:8], np.arange(3), tri[:3, :3])
    assert np.allclose(added[0], alone, **NEAR)
    assert not np.allclose(added[1], alone, atol=0.01)
    # A causal mask isn't enough.
    crossed = page["attend"](turn(q, again), turn(k, again), v, tri)
    assert not np.allclose(crossed[5:8], page["alone"], atol=0.01)


@claim(PAGE, "But 25 tokens back, some pairs already point the opposite way")
def a_wrong_base_shows_in_a_sentence(page):
    llama_2, llama_3 = (base ** (-np.arange(64) / 64) for base in (1e4, 5e5))
    difference = abs(llama_2 - llama_3).max()
    assert 24 * difference < np.pi < 25 * difference
    assert np.cos(llama_2 - llama_3).mean() > 0.99  # between neighbors
    assert page["base_of"](llama_2) == pytest.approx(1e4)


@claim(PAGE, "The token's score with itself stays right, its scores with the prompt are off by one")
def a_length_that_is_taken_too_late_is_one_too_many(page):
    turn, q, k = page["turn"], page["q"], page["k"]
    keys = np.vstack([turn(k[:8], np.arange(8)), turn(k[8], 9)])
    late = turn(q[8], 9) @ keys.T
    right = scores(page, turn)[8, :9]
    assert np.isclose(late[8], right[8], **NEAR)
    assert (abs(late - right)[:8] > 1e-3).all()
    assert np.allclose(late[:8], turn(q[8], 9) @ turn(k[:8], np.arange(8)).T, **NEAR)


@claim(PAGE, "With `dynamic`, the base grows with the text")
def dynamic_has_a_larger_base_in_a_longer_text():
    slowed = [PEERS[f"frequencies_{name}_double"] for name in ("default", "dynamic_factor_8")]
    base = (slowed[1][1] / slowed[0][1]) ** -64 * 10_000
    assert np.allclose(slowed[1], base ** (-np.arange(64) / 64), rtol=1e-6)
    assert base > 100_000


@claim(PAGE, "rotate each cached key by the difference, or cache keys before they're rotated")
def keys_are_turned_on_to_the_new_base(page):
    stale = page["cached"]
    assert not np.allclose(stale, page["turn"](page["k"], page["t"], page["larger"]), atol=0.1)


# --- in long texts ---


@claim(PAGE, "the first pair of Llama 2 gets to a new angle after 18,696 tokens")
def when_the_first_pair_meets_a_new_angle(page):
    speeds, base = angular_frequencies(128), 10_000 * 8 ** (128 / 126)
    slowed = base ** (-np.arange(64) / 64)
    known = np.minimum(4096 * speeds, 2 * np.pi)  # after a turn, no angle is new
    new = known < 2 * np.pi
    assert round((known / slowed)[new].min()) == 18_696 == round(page["reach"])
    assert round(base) == 82_685 == round(page["base"])
    assert round(page["reach"] / 4096, 2) == 4.56  # as on page 10


@claim(PAGE, "a model can read smoothly and still lose the one fact that's far back")
def a_passkey_that_is_too_far_back_is_lost(page):
    answers = {
        words: [page["model"](page["ask"](words, i / 4)) for i in range(5)] for words in (500, 2000)
    }
    assert answers == {500: [True] * 5, 2000: [False, False, False, True, True]}
    assert len(page["ask"](500, 0.5).split()) == 500 + 8


@claim(PAGE, "which runs between two limits that are rounded outward unless `truncate` is false")
@pytest.mark.parametrize(
    ("name", "base", "width", "factor", "truncate"),
    [
        ("yarn", 10_000, 128, 8, True),
        ("yarn_not_truncated", 10_000, 128, 8, False),
        ("yarn_gpt_oss", 150_000, 64, 32, False),
        ("yarn_deepseek", 10_000, 128, 40, True),
    ],
)
def programs_mix_by_number(page, name, base, width, factor, truncate):
    ours = page["yarn"](base, width, 4096, factor, truncate)
    assert np.allclose(ours, PEERS[f"frequencies_{name}_double"], rtol=1e-6, atol=0)
    other = page["yarn"](base, width, 4096, factor, not truncate)
    assert not np.allclose(ours, other, rtol=1e-3)


@claim(PAGE, "For gpt-oss, the two differ by up to a factor of 3.7")
def the_paper_differs_for_gpt_oss():
    paper = by_parts(angular_frequencies(64, base=150_000), 4096, 32, 1, 32)
    ratios = PEERS["frequencies_yarn_gpt_oss_double"] / paper
    assert round(max(ratios.max(), 1 / ratios.min()), 1) == 3.7


@claim(PAGE, "If an `inv_freq` is all you have, `which_rule` will find the rule and its settings")
def the_rule_is_found(page):
    rule = which_rule(PEERS["frequencies_yarn_gpt_oss"], 150_000, 4096).rule
    assert (rule.name, rule.parameters["factor"], rule.parameters["truncate"]) == (
        "yarn",
        32,
        False,
    )


@claim(PAGE, "If the config has both `mscale` and `mscale_all_dim`, it's a quotient instead")
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("yarn", (8,)),
        ("yarn_one_mscale", (8, 0.5)),
        ("yarn_deepseek", (40, 0.707, 0.707)),
        ("yarn_two_mscales", (40, 1, 0.707)),
    ],
)
def cosines_are_multiplied_as_transformers_does(page, name, settings):
    assert np.isclose(page["yarn_factors"](*settings)[0], PEERS[f"factor_{name}"], rtol=1e-6)


@claim(PAGE, "multiplies all scores once more, by 1.59 in DeepSeek-V2-Lite")
def deepseek_multiplies_scores(page):
    factor = PEERS["scores_deepseek"]
    assert np.isclose(page["yarn_factors"](40, 0.707, 0.707)[1], factor, rtol=1e-6)
    assert round(float(factor), 2) == 1.59


@claim(PAGE, "a short one up to `original_max_position_embeddings` and a long one beyond")
def longrope_has_two_lists(page):
    lists = [1 + k / 64 for k in range(64)], [*range(1, 65)]
    speeds = angular_frequencies(128)
    for name, tokens, factors in (
        ("longrope_short", 4096, lists[0]),
        ("longrope_long", 4097, lists[1]),
    ):
        assert np.allclose(PEERS[f"frequencies_{name}_double"], speeds / factors, rtol=1e-6)
        slowed, scale = page["longrope"](tokens, *np.array(lists)[:, :32], 4096, 8 * 4096)
        assert np.allclose(slowed, page["speeds"] / factors[:32], rtol=1e-12)
        assert np.isclose(scale, PEERS[f"factor_{name}"], rtol=1e-6)


@claim(
    PAGE,
    "so it can't represent 257, and positions up to 4095 are rounded to just 769 different",
)
def bfloat16_has_few_numbers():
    # Up to 256 all of them, and 128 in each octave from there.
    assert 257 + 4 * 128 == 769 == len({float(number) for number in bfloat16(np.arange(4096))})
    assert bfloat16([257])[0] != 257


@claim(PAGE, "and round after the cosine")
def what_is_rounded_early_is_lost(page):
    assert abs(np.cos(page["angles"]) - page["exact"]).max() > 1.9
    assert abs(bfloat16(page["exact"]) - page["exact"]).max() <= 2**-9


# --- pictures, cross-attention and formulas ---


@claim(PAGE, "from 37 patches to 43, rounding down 37 · (43/37) gives 42")
def a_scale_factor_may_lose_a_patch():
    assert np.floor(37 * (43 / 37)) == 42


@claim(PAGE, "ViT in *transformers* 5.23.0 does this with bicubic interpolation")
def pictures_are_resized_as_told(page):
    rows, resized = PEERS["vit_rows"], page["resize"](PEERS["vit_rows"], (8, 8), (12, 6))
    assert np.array_equal(resized[0], rows[0])
    assert np.allclose(resized[1:], PEERS["vit_bilinear"], rtol=0, atol=1e-5)
    assert np.allclose(PEERS["vit_resized"][1:], PEERS["vit_bicubic"], rtol=0, atol=1e-5)
    assert np.array_equal(PEERS["vit_resized"][0], rows[0])


@claim(
    PAGE, "A program that takes the square root of the number of patches makes a table for 16 × 16"
)
def a_square_grid_has_as_many_rows(page):
    assert page["oblong"].shape == page["square"].shape == (2, 16**2)
    assert page["agree"].sum() == 16
    assert len({*zip(*page["square"].tolist())}) == 256  # a row of its own for each


@claim(PAGE, "(A float16, or fp16, counts in steps of 16 near 32,768.)")
def float16_counts_in_steps_of_16():
    assert np.spacing(np.float16(32_700)) == 16


@claim(PAGE, "A `padding_idx` of 3 leaves 510")
def what_padding_leaves_of_514_rows():
    assert [514 - (padding + 1) for padding in (1, 3)] == [512, 510]


@claim(PAGE, "since adding a number to a whole row changes no weight")
def a_bias_may_count_from_either_end(page):
    scores = page["q"] @ page["k"].T / 8
    first, second = np.arange(-11, 1) * 0.5, np.arange(12) * 0.5
    raised = [np.exp(scores + bias) for bias in (first, second)]
    weights, shifted = (row / row.sum(axis=1, keepdims=True) for row in raised)
    assert np.allclose(weights, shifted, **NEAR)


@claim(PAGE, "scores depend on where the query is, and not on any offset")
def turning_only_the_queries_hears_a_place(page):
    cross = page["cross"]
    moved = cross(7, True, False)
    assert not np.allclose(moved, cross(0, True, False), atol=0.1)
    turned = page["turn"](page["q"][:5], page["t"][:5] + 7)
    assert np.allclose(moved, turned @ page["k"].T, **NEAR)  # keys may come in any order


@claim(PAGE, "For 8 heads, the slopes run from ½ to 1/256")
def eight_slopes(page):
    slopes = page["alibi_slopes"](8)
    assert np.allclose(slopes, [2.0**-n for n in range(1, 9)], rtol=1e-12)


@claim(PAGE, "BLOOM and MPT agree (*transformers* 5.23.0)")
@pytest.mark.parametrize("heads", [1, 2, 3, 8, 12, 20, 32, 71, 112])
def slopes_are_blooms(page, heads):
    assert np.allclose(page["alibi_slopes"](heads), PEERS[f"alibi_{heads}"], rtol=1e-5)


@claim(PAGE, "so a mirrored sentence comes out mirrored")
def alibi_without_a_mask_is_mirrored(page):
    x = page["q"]
    far = np.abs(np.subtract.outer(np.arange(12), np.arange(12)))

    def encoder(x):
        scores = x @ x.T / 8 - far / 4
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True) @ x

    assert np.allclose(encoder(x[::-1]), encoder(x)[::-1], **NEAR)


@claim(PAGE, "In the encoder, 16 buckets are for each direction: offsets 0 to 7 have one each")
def buckets_are_t5s(page):
    back = np.arange(-600, 601)
    for side, decoder in (("t5_encoder", False), ("t5_decoder", True)):
        assert np.array_equal(page["t5_bucket"](back, decoder), PEERS[side])
    ahead, behind = (PEERS["t5_encoder"][np.sign(back) == side] for side in (-1, 1))
    assert set(behind) <= set(range(16))
    assert set(ahead) <= set(range(16, 32))
    assert behind[:7].tolist() == [*range(1, 8)]
    assert set(PEERS["t5_decoder"]) == set(range(32))


@claim(PAGE, "larger ones share, and from 91 on, all are in the last")
def far_offsets_share_a_bucket():
    behind = PEERS["t5_encoder"][600:]
    assert (behind[91:] == 15).all()
    assert behind[90] == 14
    sizes = np.bincount(behind[:91], minlength=15)[:15]
    assert (sizes[:8] == 1).all()
    assert (sizes[8:] > 1).all()


@claim(PAGE, "so a head learns (2 · 7 − 1)² = 169 numbers")
def the_index_is_swins(page):
    assert np.array_equal(page["index"].ravel(), PEERS["swin_index"].ravel())
    assert len(np.unique(PEERS["swin_index"])) == (2 * 7 - 1) ** 2 == 169


@claim(PAGE, "so a far key counts less, most of all in the fast pairs")
def xpos_fades(page):
    zeta = page["zeta"]
    assert (np.diff(zeta[:32]) > 0).all()
    assert zeta.max() < 1
    # As torchscale writes it, around the middle of the text, for neighbors.
    t, width = np.arange(12), 64
    scale = (np.arange(0, width, 2) + 0.4 * width) / (1.4 * width)
    grown = np.repeat(scale ** ((t - 6)[:, None] / 512), 2, axis=1)
    turn, halves = page["turn_neighbors"], reorder(np.arange(64), 1)
    q, k = np.empty((2, 12, 64))
    q[:, halves], k[:, halves] = page["q"], page["k"]
    theirs = (turn(q, t) * grown) @ (turn(k, t) / grown).T
    assert np.allclose(page["xpos"](page["q"], page["k"], t), theirs, **NEAR)


# --- questions ---


@claim(PAGE, "It doesn't, because a row has many more numbers than it takes to say where it is")
@pytest.mark.parametrize("throw", range(3))
def a_tenth_of_a_row_is_not_missed(page, throw):
    rng, rows = np.random.default_rng(throw), page["rows"]
    positions = rng.integers(5000, size=300)
    dropped = rows[positions] * (rng.random((300, 512)) >= 0.1) / 0.9
    distances = (rows**2).sum(axis=1) - 2 * dropped @ rows.T
    assert np.array_equal(distances.argmin(axis=1), positions)


@claim(PAGE, "the position of 73% of the rows in new texts at the bottom, and still 60% after six")
def each_layer_adds_its_output(page):
    rng = np.random.default_rng(1)
    start = rng.normal(size=(400, 32, 64)) / 2 + page["table"][:32]

    def through(x, add):
        shares = [page["read"](x)]
        for W in rng.normal(size=(6, 3, 64, 64)) / 8:
            x = x * add + np.array([page["attend"](*(row @ W), True) for row in x])
            shares.append(page["read"](x))
        return shares

    with_residual, without = through(start, True), through(start, False)
    assert with_residual[0] == pytest.approx(0.73, abs=0.02)
    assert with_residual[6] == pytest.approx(0.60, abs=0.03)
    assert without[1] > 0.1
    assert max(without[2:]) < 1.3 / 32  # a guess is right once in 32


@claim(PAGE, "the factor of keys is too large for a float16 after 4532 tokens")
def the_factor_of_xpos_overflows(page):
    smallest = page["zeta"].min()
    assert smallest ** (-4532 / 512) < np.finfo(np.float16).max < smallest ** (-4533 / 512)


@claim(PAGE, "To go the other way, write `2, -1` in place of `-1, 2`")
def the_other_order_undoes_the_first(page):
    W = np.random.default_rng(0).normal(size=(64, 8))
    back = page["to_halves"](W, 4).reshape(4, 2, -1, 8).swapaxes(1, 2).reshape(W.shape)
    assert np.array_equal(back, W)
