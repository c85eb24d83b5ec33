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


def test_the_figure_stands_in_the_replies_alone():
    figure = line()
    page = bet(QUESTION, REPLIES, right="no", figure=figure, alt='A "line".')._repr_html_()
    assert not plt.fignum_exists(figure.number)
    outside = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    assert "<img" not in outside
    assert page.count('alt="A &quot;line&quot;."') == 2


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
