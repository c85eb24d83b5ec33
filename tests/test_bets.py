"""A bet: what stands in its HTML, and what it refuses."""

import re

import pytest
from matplotlib import pyplot as plt

from posenc.bets import bet

QUESTION, REPLIES = "Is 2 *prime*?", {"`yes`": "By 1 and 2 < 3.", "no": "Divide it."}


def line():
    figure, axes = plt.subplots(figsize=(4, 2), dpi=100)
    axes.plot([0, 1])
    return figure


def test_each_choice_unfolds_its_own_reply():
    page = bet(QUESTION, REPLIES, right="`yes`")._repr_html_()
    assert "<strong>Is 2 <em>prime</em>?</strong>" in page
    folds = re.findall(r"<details.*?</details>", page, re.DOTALL)
    assert "><code>yes</code></summary>" in folds[0]
    assert " Right. By 1 and 2 &lt; 3.</p>" in folds[0]
    assert ">no</summary>" in folds[1]
    assert " No. Divide it.</p>" in folds[1]
    assert " open" not in page


def test_the_figure_stands_in_the_replies_alone():
    figure = line()
    page = bet(QUESTION, REPLIES, right="no", figure=figure, alt='A "line".')._repr_html_()
    assert not plt.fignum_exists(figure.number)
    outside = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    assert "<img" not in outside
    assert page.count('alt="A &quot;line&quot;."') == 2


def test_each_reply_shows_several_figures():
    page = bet(
        QUESTION, REPLIES, right="no", figure=[line(), line()], alt=["one", "two"]
    )._repr_html_()
    assert [page.count(f'alt="{words}"') for words in ("one", "two")] == [2, 2]


def test_a_terminal_shows_the_question_and_its_choices():
    assert repr(bet(QUESTION, REPLIES, right="no")) == "Is 2 *prime*?\n- `yes`\n- no"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"right": "maybe"}, "right must be one of `yes`, no, got maybe"),
        ({"right": "no", "alt": "A line."}, "alt must say what figure shows"),
    ],
)
def test_a_bet_that_cannot_be_shown_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bet(QUESTION, REPLIES, **options)


def test_a_figure_without_words_is_refused():
    with pytest.raises(ValueError, match="alt must say what figure shows"):
        bet(QUESTION, REPLIES, right="no", figure=line())
    with pytest.raises(ValueError, match="alt must say what figure shows"):
        bet(QUESTION, REPLIES, right="no", figure=[line(), line()], alt=["one"])
