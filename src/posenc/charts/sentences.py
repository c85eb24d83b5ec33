"""The charts of notebooks 07 and 09: a sentence whose words ask, answer, and move along a text."""

import altair as alt
import numpy as np

from posenc.attention import softmax
from posenc.charts import components as parts
from posenc.charts.components import choice, finish, rounded, rows, said, slider, title, tooltips
from posenc.encodings import sinusoidal
from posenc.palette import FAINT, GRAY, INK, KEY, POSITION, WORD

MOST_TOKENS = 12
WAYS = ("adding", "rotating")

# The mixed terms are pale, with the outline of what asks.
_PARTS = {
    "word to word": (WORD, WORD),
    "place to place": (POSITION, POSITION),
    "word to place": ("#B3ABE0", WORD),
    "place to word": ("#A3E3CC", POSITION),
}
_MIXED = list(_PARTS)[2:]
_ROW = 25  # the height of a key's row
_BAR = {"band": 0.62}
_BOTH = 390  # the width of scores and weights together
# Scores lie from 0 to 1, and beside them are weights: where they begin and how long a 1 is.
_LEFT, _SPAN = 1.16, 0.8
_EDGE = 2.12

# Of one pair of the query and of the key, as _Sentence.draw_sums knows them.
_WORDS = "datum.qs * datum.xs + datum.qc * datum.xc"
_PLACES = "cos(datum.w * (asks - datum.t))"


def _mixed(start):
    """Return the summands of the mixed terms, for a sentence that begins at `start`."""
    key, query = f"datum.w * ({start} + datum.t)", f"datum.w * ({start} + asks)"
    return (
        f"datum.qs * sin({key}) + datum.qc * cos({key})",
        f"sin({query}) * datum.xs + cos({query}) * datum.xc",
    )


def _rotated(start):
    """Return the summand of a score whose query and key are rotated, each by its own place."""

    def hand(word, place):
        angle, sine, cosine = f"(datum.w * ({start} + {place}))", f"datum.{word}s", f"datum.{word}c"
        yield f"({sine} * cos{angle} + {cosine} * sin{angle})"
        yield f"({cosine} * cos{angle} - {sine} * sin{angle})"

    numbers = zip(hand("q", "asks"), hand("x", "datum.t"))
    return " + ".join(f"{query} * {key}" for query, key in numbers)


class _Sentence:
    """The words of a sentence, one of which asks, and what a browser computes of them."""

    def __init__(self, tokens, words, query):
        self.count, self.text = len(tokens), " ".join(tokens)
        if not 2 <= self.count <= MOST_TOKENS:
            raise ValueError(f"tokens must be 2 to {MOST_TOKENS} words, got {self.count}")
        # Rounded, so that no digit depends on the machine and a page is small.
        self.words = np.round(words, 3) + 0.0
        self.width = self.words.shape[1]
        self.root = self.width**0.5
        self.names = [f"{place} {token}" for place, token in enumerate(tokens)]
        self.asks = self.choose("asks", "who asks", query)
        self.known = alt.param("names", value=self.names)
        # Downwards in the order of the sentence.
        keys = alt.Y("key:N", title=None).scale(domain=self.names)
        self.keys = keys.axis(ticks=False, domain=False, labelLimit=120, labelPadding=6)

    def choose(self, name, label, place):
        """Return the parameter `name`, a place in the sentence, with a list of all tokens."""
        options = {"options": list(range(self.count)), "labels": self.names}
        return alt.param(name, value=place, bind=alt.binding_select(name=f"{label} ", **options))

    def terms(self):
        """Return the four terms of each query with each key, without the positions' start."""
        words, places = self.words, sinusoidal(*self.words.shape)
        pairs = (words, words), (places, places), (words, places), (places, words)
        terms = np.array([queries @ keys.T for queries, keys in pairs]) / self.root
        # Zero is added so that none is written as minus zero.
        return np.moveaxis(terms, 0, -1).round(4) + 0.0

    def draw(self, layers, weights, **fields):
        """Return layers with a row for each key, with fields and the softmax of some as weights."""
        return self._weigh(rows(self.count, "t", **fields), layers, weights)

    def draw_sums(self, layers, weights, **sums):
        """Return such layers whose fields are sums over the pairs, divided by √d."""
        pairs = self.width // 2
        chart = rows(self.count * pairs, "row").transform_calculate(
            t=f"floor(datum.row / {pairs})",
            k=f"datum.row % {pairs}",
            w=parts.angular_frequency("datum.k", width=self.width),
            qs="numbers[asks][2 * datum.k]",
            qc="numbers[asks][2 * datum.k + 1]",
            xs="numbers[datum.t][2 * datum.k]",
            xc="numbers[datum.t][2 * datum.k + 1]",
        )
        # Divided before they are added up, which comes to the same.
        divided = {name: f"({part}) / {self.root!r}" for name, part in sums.items()}
        chart = chart.transform_calculate(**divided)
        chart = chart.transform_aggregate(**{name: f"sum({name})" for name in sums}, groupby=["t"])
        return self._weigh(chart, layers, weights)

    def _weigh(self, chart, layers, weights):
        chart = chart.transform_calculate(key="names[datum.t]")
        for name, score in weights.items():
            chart = chart.transform_calculate(**{f"e_{name}": f"exp(datum.{score})"})
            chart = chart.transform_joinaggregate(**{f"all_{name}": f"sum(e_{name})"})
            chart = chart.transform_calculate(**{name: f"datum.e_{name} / datum.all_{name}"})
        size = {"width": _BOTH, "height": _ROW * self.count}
        return alt.layer(*layers, data=chart.data, transform=chart.transform, **size)

    def bars(self, x, left, right, *, part=None, **style):
        """Return a bar for each key, from one place on the axis to another."""
        ends = {"left": f"{left}", "right": f"{right}"} | ({"part": f"'{part}'"} if part else {})
        bars = alt.Chart().transform_calculate(**ends).mark_bar(**({"height": _BAR} | style))
        return bars.encode(x, self.keys, alt.X2("right:Q"))

    def marks(self, x, left, color, thickness, band=1):
        """Return a vertical mark for each key, which fills so much of its row."""
        look = {"color": color, "opacity": 1, "thickness": thickness, "height": {"band": band}}
        return alt.Chart().transform_calculate(left=left).mark_tick(**look).encode(x, self.keys)

    def weights(self, x, *, left=_LEFT, span=_SPAN, apart=_SPAN / 20, before=False):
        """Return bars of the field `weight` with numbers and, if asked for, outlines of `before`.

        They begin at `left` and, for a weight of 1, are as long as `span`, in units of the axis.
        """
        bars = self.bars(x, left, f"{left} + {span} * datum.weight", color=KEY)
        yield bars.encode(tooltip=tooltips("key:N", weight=".4f"))
        if before:
            look = {"fill": "transparent", "stroke": GRAY, "strokeWidth": 1.5, "aria": False}
            end = f"{left} + {span} * datum.before"
            yield self.bars(x, left, end, height={"band": 0.86}, **look)
        numbers = alt.Chart().transform_calculate(
            left=f"{left} + {span} * max(datum.weight, datum.before || 0) + {apart:.4f}",
            number=rounded("datum.weight", 3),
        )
        numbers = numbers.mark_text(align="left", aria=False)
        yield numbers.encode(x, self.keys, text="number:N")


def _beside(ticks, label, head):
    """Return the axis of scores and of weights, which lie in one view, and the heads of both.

    So a narrow page keeps them side by side. Of scores there are the ticks, from 0 to 1, the
    expression of their label, and the head.
    """
    values = [*ticks, _LEFT, _LEFT + _SPAN / 2, _LEFT + _SPAN]
    label = f"datum.value <= 1 ? {label} : format((datum.value - {_LEFT}) / {_SPAN}, '~g')"
    look = {"labelExpr": label, "labelOverlap": False, "grid": False, "domain": False}
    x = parts.axis(alt.X, "left", None, [0, _EDGE], values=values, **look)
    heads = rows([{"left": 0, "head": head}, {"left": _LEFT, "head": "attention weight"}])
    heads = heads.mark_text(align="left", aria=False)
    return x, heads.encode(x, y=alt.value(-9), text="head:N")


def _legend(terms):
    """Return channels that give each of the terms its colors, with a legend below the chart."""
    legend = {"columns": 2, "symbolType": "square", "symbolSize": 110}
    looks = zip(*(_PARTS[term] for term in terms))
    return parts.meanings("part", terms, *looks, channels=(alt.Fill, alt.Stroke), **legend)


def asking_words(tokens, words, *, query=0):
    """Draw the scores of one query with all keys and, beside them, the weights they become.

    Parameters
    ----------
    tokens : sequence of str
        The n words of the sentence, 2 to 12.
    words : array_like, shape (n, d)
        The words' rows, of even width. They are queries and keys, and rounded to 3 decimals.
    query : int, default: 0
        The place of the word that asks first.
    """
    sentence = _Sentence(tokens, words, query)
    most = float(np.ceil((sentence.words @ sentence.words.T).max() / sentence.root))
    x, heads = _beside([0, 0.5, 1], f"format(datum.value * {most}, '~g')", "attention score")
    scores = sentence.bars(x, 0, f"datum.score / {most}", color=WORD)
    layers = scores.encode(tooltip=tooltips("key:N", score=".3f")), *sentence.weights(x), heads
    return finish(
        sentence.draw(layers, {"weight": "score"}, score="terms[asks][datum.t]"),
        sentence.asks,
        sentence.known,
        alt.param("terms", value=sentence.terms()[..., 0].tolist()),
        title=title(said("{} asks", "names[asks]")),
        description=f"""
        Two columns of bars side by side, with a bar in each for every word of the sentence
        “{sentence.text}”. On the left the attention scores of one word, the query, with all words
        as keys; on the right the attention weights that a softmax makes of them, which add up to 1.
        A list chooses the word that asks. Words that occur twice have bars of the same length as
        keys, and none of the bars changes if one asks instead of the other.
        """,
    )


def score_terms(tokens, words, *, query=0, key=0):
    """Draw the scores of one query as bars that grow term by term, beside the weights.

    Parameters
    ----------
    tokens, words
        As those of `asking_words`. The sinusoidal encoding is added to the words' rows.
    query, key : int, default: 0
        The places of the words whose score is written out first.
    """
    sentence = _Sentence(tokens, words, query)
    answers = sentence.choose("told", "who answers", key)
    values, term = sentence.terms(), "parts[asks][datum.t]"
    # Which term is shown by itself, or -1.
    only = f"indexof({list(_PARTS)}, show)"
    fields = {}
    for number in range(4):
        added = f"{only} < 0 ? clamp(terms - {number}, 0, 1) : {only} == {number} ? 1 : 0"
        fields[f"part{number}"] = f"({added}) * {term}[{number}]"
    fields["score"] = " + ".join(f"datum.part{number}" for number in range(4))
    fields["words"] = f"{term}[0]"
    ticks, zero, unit = _scale_of_terms(values, only)
    label = f"replace(format((datum.value - {zero}) / {unit}, '.3~g'), '-', '−')"
    x, heads = _beside(ticks, label, f"terms ÷ {sentence.root:.3g}")
    answer = sentence.bars(x, 0, _EDGE, color=FAINT, height={"band": 1}, opacity=0.6, aria=False)
    answer = answer.transform_filter("datum.t == told")
    sums = sentence.marks(x, f"{zero} + {unit} * datum.score", INK, 2.5, 0.9)
    layers = (
        answer,
        *_stacked_bars(sentence, x, zero, unit),
        sentence.marks(x, zero, GRAY, 1),
        sums.encode(tooltip=tooltips("key:N", score=("score", ".3f"))),
        *sentence.weights(x, before=True),
        heads,
    )
    first = (f"{weight:.3f}" for weight in softmax(np.cumsum(values[query], axis=1).T)[:, key])
    return finish(
        sentence.draw(layers, {"weight": "score", "before": "words"}, **fields),
        sentence.asks,
        answers,
        choice("show", "show", ["the sum", *_PARTS]),
        slider("terms", "terms in the sum", 1, least=1, greatest=4, step=0.25, per_second=0.5),
        sentence.known,
        alt.param("parts", value=values.tolist()),
        title=title(_sum(only)),
        description=f"""
        Two columns of bars side by side, with a row for every word of the sentence
        “{sentence.text}” as a key. On the left is the attention score of one word, the query, with
        each key, as a bar of up to four parts: word to word, place to place, word to place and
        place to word. Parts below 0 lie to the left of 0, and a black mark shows the sum. On the
        right are the attention weights, with gray outlines of those that word to word gives by
        itself. Two lists choose the word that asks and the one that answers, whose row is shaded
        and whose sum is written above. A third list shows one of the terms by itself, and a slider
        adds one after another. Where {tokens[query]} asks, the weight of {tokens[key]} is
        {"{}, {}, {} and {}".format(*first)} with one to four terms.
        """,
    )


def _scale_of_terms(values, only):
    """Return ticks of the terms, from a low one to 1, and the expressions of a zero and a unit."""
    # The sum, a term that makes most of it, and a mixed one, whose zero is in the middle.
    most = float(np.ceil(values.clip(min=0).sum(axis=-1).max()))
    half = float(np.ceil(values[..., :2].max()))
    mixed = float(np.ceil(abs(values[..., 2:]).max()))
    below = max(values.clip(max=0).sum(axis=-1).min() / -most, values[..., :2].min() / -half, 0)
    low = round(float(below / (1 + below)) + 0.02, 3)
    middle = (low + 1) / 2
    zero = f"({only} < 2 ? {low} : {middle})"
    unit = f"({1 - low} / ({only} < 0 ? {most} : {only} < 2 ? {half} : {2 * mixed}))"
    return [low, middle, 1], zero, unit


def _sum(only):
    """Return the expression that writes out the chosen pair's terms, as many as are shown."""
    part = "parts[asks][told]"
    more = (
        f" + (terms > {number} ? ({part}[{number}] < 0 ? ' − ' : ' + ') + "
        f"{rounded(f'abs({part}[{number}])', 2)} : '')"
        for number in range(1, 4)
    )
    single = said("{} {}", "show", rounded(f"{part}[{only}]", 2))
    added = f"({rounded(f'{part}[0]', 2)}{''.join(more)})"
    terms = f"{only} < 0 ? {added} : {single}"
    return said("{} asks {}: {}", "names[asks]", "names[told]", terms)


def _stacked_bars(sentence, x, zero, unit):
    """Return scores as bars of up to four parts; those below 0 are stacked to its left."""
    fill, stroke = _legend(_PARTS)
    for number, part in enumerate(_PARTS):
        term, before = f"datum.part{number}", range(number)
        left, right = (
            " + ".join(["0", *(f"{side}(0, datum.part{other})" for other in before)])
            for side in ("min", "max")
        )
        begin = f"({term} < 0 ? {left} : {right})"
        ends = f"{zero} + {unit} * {begin}", f"{zero} + {unit} * ({begin} + {term})"
        # Without a width, there's no outline either.
        outline = parts.where(f"{term} == 0", 0, 1.2)
        yield sentence.bars(x, *ends, part=part).encode(fill, stroke, strokeWidth=outline)


def moving_sentence(tokens, words, *, query=0, way="adding", starts=range(1001)):
    """Draw the weights of one query while the sentence begins farther and farther on in a text.

    Where positions are added, and only then, the mixed terms of the scores are beside them.

    Parameters
    ----------
    tokens, words, query
        As those of `asking_words`.
    way : {"adding", None}, default: "adding"
        Whether the positions' encodings are added to the rows, so that the weights depend on where
        the sentence begins, or a list chooses between this and rotating queries and keys by them.
    starts : range, default: range(1001)
        The slider's positions, the first of which is 0.
    """
    sentence, adds = _Sentence(tokens, words, query), way == "adding"

    def score(start):
        added = " + ".join((_WORDS, _PLACES, *_mixed(start)))
        return added if adds else f"way == 'rotating' ? {_rotated(start)} : {added}"

    sums = {"now": score("start"), "first": score("0")}
    if adds:
        fields = dict(zip(("word_to_place", "place_to_word"), _mixed("start")))
        layers, lists, width = _mixed_bars(sentence, starts, fields), [], _BOTH
        sums, bars = sums | fields, "change with every step"
        does = ", and on the left the two terms of its score that multiply a word by a place"
    else:
        x = alt.X("left:Q", title="attention weight").scale(domain=[0, 1])
        x = x.axis(values=[0, 0.5, 1], grid=False)
        lists, width = [choice("way", "positions come in by", WAYS)], 320
        layers = sentence.weights(x, left=0, span=1, apart=9 / width, before=True)
        bars = "change with every step when adding, and never leave their outlines when rotating"
        does = " or, as a list chooses, queries and keys are rotated by their positions"
    steps = {"greatest": starts[-1], "step": starts.step, "per_second": max(5, starts.step)}
    return finish(
        sentence.draw_sums(layers, {"weight": "now", "before": "first"}, **sums),
        sentence.asks,
        *lists,
        slider("start", "sentence begins at", 0, **steps),
        sentence.known,
        alt.param("numbers", value=sentence.words.tolist()),
        width=width,
        title=title(said("{} asks, at position {}", "names[asks]", "format(start + asks, '.0f')")),
        description=f"""
        A bar for every word of the sentence “{sentence.text}” as a key, with its attention weight
        while one word asks and the encoding of its position is added to each word{does}. Gray
        outlines keep the weights of a sentence that begins at position 0. A list chooses the word
        that asks. A slider moves the whole sentence along a text, to positions from 0 to
        {starts[-1]}. The bars {bars}.
        """,
    )


def _mixed_bars(sentence, starts, fields):
    """Return the weights and, beside them, both mixed terms as bars that begin in the middle."""
    products = sinusoidal(starts[-1] + sentence.count, sentence.width) @ sentence.words.T
    most = float(np.ceil(2 * abs(products / sentence.root).max())) / 2
    # Away from the edges, where a narrow page has no room for numbers.
    tick = (1 if most > 1 else 0.5 * most) / (2 * most)
    ticks = [0.5 - tick, 0.5, 0.5 + tick]
    label = f"replace(format({2 * most} * (datum.value - 0.5), '.2~g'), '-', '−')"
    x, heads = _beside(ticks, label, f"mixed terms ÷ {sentence.root:.3g}")
    fill, stroke = _legend(_MIXED)
    yield from sentence.weights(x, before=True)
    yield sentence.marks(x, "0.5", GRAY, 1)
    for part, field, aside in zip(_MIXED, fields, (-4.5, 4.5)):
        look = {"part": part, "height": 8, "yOffset": aside, "strokeWidth": 1.2, "aria": False}
        bars = sentence.bars(x, 0.5, f"0.5 + datum.{field} / {2 * most}", **look)
        yield bars.encode(fill, stroke)
    yield heads
