"""The charts of notebook 01 about hands: positions to be found by one hand, and by four."""

import altair as alt

from posenc.charts.canvas import NAME
from posenc.charts.components import choice, finish, rows, said, slider, title
from posenc.charts.dials import Dials
from posenc.palette import GRAY, POSITION

# The hands of width 8, and by how many degrees one may be off and still look right.
SPEEDS = (1, 0.1, 0.01, 0.001)
CLOSE = 3.5
LAST = 199
SECRET, SECRETS = 57, {"A": 23, "B": 152, "C": 188}
# The second ones have room for their numbers below, on a phone as well.
_DIALS, _NUMBERED = Dials(2, 2, apart=2.9, margin=1.35), Dials(2, 2, apart=3.8, margin=1.9)
_TITLE = title("'you are at position ' + round(position)", offset=12)


def find_position():
    """Draw a hand somebody left, and the reader's own, with a slider for up to four hands."""
    return finish(
        alt.layer(*_hands(_DIALS, _turned(SECRET, "hands"))),
        slider("position", "position t", 0, greatest=LAST, per_second=8),
        slider("hands", "number of hands", 1, least=1, greatest=len(SPEEDS)),
        name=NAME,
        size=(420, 420),
        title=_TITLE,
        description=f"""
        Four dials. On the first a broad gray hand points where an unknown position put it, and a
        thin green hand points straight up, at position 0. A slider moves the green hand on by 1
        radian a position, to position {LAST} at most. Above the dial is written by how many degrees
        the two are apart, or that they fit. A second slider adds hands, up to four: they turn by
        0.1, 0.01 and 0.001 radians a position. One hand fits at five positions, and two or more
        fit at a single one.
        """,
    )


def name_row():
    """Draw a row of eight numbers as four hands, for the reader to find its position."""
    secret = f"{[*SECRETS.values()]}[indexof({[*SECRETS]}, which)]"
    pairs = _turned(secret, len(SPEEDS))
    return finish(
        alt.layer(
            *_hands(_NUMBERED, pairs),
            _numbers(pairs, "row", "theirs", 15),
            _numbers(pairs, "you", "mine", 29),
        ),
        choice("which", "row to name", SECRETS),
        slider("position", "position t", 0, greatest=LAST, per_second=8),
        name=NAME,
        size=(420, 420),
        title=_TITLE,
        description=f"""
        Four dials. On each a broad gray hand points where an unknown position put it, with its sine
        and its cosine written below in gray: together they are a row of eight numbers. A thin
        green hand is the reader's own, with its own two numbers. A slider moves the four green
        hands on, by 1, 0.1, 0.01 and 0.001 radians a position, to position {LAST} at most. Above
        each dial is written by how many degrees the two hands are apart, or that they fit. A list
        chooses one of three rows.
        """,
    )


def _turned(secret, hands):
    """Return a chart of the first `hands` pairs, and how far each is off the secret position."""
    pairs = rows([{"dial": k, "speed": speed} for k, speed in enumerate(SPEEDS)])
    pairs = pairs.transform_filter(f"datum.dial < {hands}").transform_calculate(
        theirs=f"datum.speed * {secret}",
        mine="datum.speed * position",
        apart=f"datum.speed * (position - {secret})",
    )
    return pairs.transform_calculate(
        off="abs(atan2(sin(datum.apart), cos(datum.apart))) * 180 / PI", fits=f"datum.off < {CLOSE}"
    )


def _hands(dials, pairs):
    """Return the dials with the secret's hands and the reader's, and whether they fit."""
    verdict = f"datum.fits ? '✓ fits' : {said('{}° off', 'round(datum.off)')}"
    words = said("hand {}: {}", "datum.dial", verdict)
    return (
        *dials.rims(),
        dials.hands(pairs, "datum.theirs", color=GRAY, strokeWidth=11),
        dials.hands(pairs, "datum.mine", color=POSITION, strokeWidth=3.5),
        dials.tips(pairs, "datum.mine", color=POSITION, size=90),
        dials.names(pairs, words),
    )


def _numbers(pairs, who, angle, dy):
    """Write the sine and the cosine of an angle below each dial."""
    numbers = (f"format({wave}(datum.{angle}), '.2f')" for wave in ("sin", "cos"))
    words = said("{}: {}, {}", f"'{who}'", *numbers)
    return _NUMBERED.names(pairs, words, -1, baseline="middle", dy=dy)
