"""Find the rule for longer texts behind given speeds.

A rule of `posenc.long_context` is *closed* if all speeds follow from a few numbers. Each closed
rule is fitted, and the speeds that it gives are compared with the given ones.
"""

from dataclasses import dataclass

import numpy as np

from posenc._validation import PAIRS, array, integer, number
from posenc.encodings import angular_frequencies
from posenc.layouts.tables import rounded_to_bfloat16
from posenc.long_context import by_parts, interpolate, proportional, yarn

USUAL = {"high_freq_factor": 4.0, "low_freq_factor": 1.0, "beta_fast": 32.0, "beta_slow": 1.0}


@dataclass(frozen=True)
class Rule:
    """A closed rule: its `rope_type`, and its parameters under their names in configurations.

    Those in `undetermined` may change without changing the speeds by more than rounding.
    """

    name: str
    parameters: dict
    undetermined: tuple = ()

    def speeds(self, width):
        """Return the speeds of a head of this width, with 0 for hands that don't turn.

        >>> Rule("linear", {"rope_theta": 10_000, "factor": 4}).speeds(4)
        array([0.25  , 0.0025])
        """
        p, name = self.parameters, self.name
        factor, length = p.get("factor", 1), p.get("original_max_position_embeddings")
        share = p.get("partial_rotary_factor", 1)
        turning = width if name == "proportional" else int(width * share)
        speeds = angular_frequencies(turning, base=p["rope_theta"])
        if name == "llama3":
            speeds = by_parts(speeds, length, factor, p["low_freq_factor"], p["high_freq_factor"])
        elif name == "yarn":
            borders = {key: p[key] for key in ("beta_fast", "beta_slow", "truncate")}
            speeds = yarn(speeds, length, factor, **borders)
        elif name == "proportional":
            speeds = proportional(speeds, share, stretch=factor)
        else:
            speeds = interpolate(speeds, factor)
        return np.pad(speeds, (0, (width - turning) // 2))

    def __str__(self):
        """Return the rule in a line."""
        words = ", ".join(f"{key} {value}" for key, value in self.parameters.items())
        loose = f"; not determined: {', '.join(self.undetermined)}" if self.undetermined else ""
        return f"{self.name}: {words}{loose}"


@dataclass(frozen=True, eq=False)
class Slowing:
    """How many times each hand is slowed (infinite: it stands still), and the rule, or None."""

    factors: np.ndarray
    rule: Rule | None

    def __str__(self):
        """Return the rule in a line, or else the factors."""
        factors = ", ".join(f"{factor:g}" for factor in self.factors)
        return str(self.rule or f"no closed rule was found; hands are slowed {factors} times")


def which_rule(speeds, base, context_length):
    """Find the closed rule of fewest parameters that gives these speeds.

    Parameters
    ----------
    speeds : array_like, shape (d/2,)
        Of all hands of a head, in radians per position; at least 0 and not all 0. `inv_freq` in
        programs. They are compared within the rounding of the first of bfloat16, float16, float32
        and float64 that holds them all.
    base : float
        The base before the rule; above 1. `rope_theta`.
    context_length : int
        Positions in a text of training; positive. `original_max_position_embeddings`.

    Returns
    -------
    Slowing
        The factors, and the rule with its usual borders or numbers of few digits. A larger base
        (NTK-aware, `dynamic`) is "default" with another `rope_theta`; borders on whole hands are
        taken for `truncate`. Where one or two hands are mixed, or none, "yarn" can make the same
        speeds as "llama3". Speeds in bfloat16 or float16 are too coarse for the two borders of
        these rules, so neither is named.

    Examples
    --------
    >>> print(which_rule([0.25, 0.0025], 10_000, 4096))
    linear: rope_theta 10000.0, factor 4.0
    >>> print(which_rule([1, 0.04, 0.004, 0.0001], 10_000, 4096))
    no closed rule was found; hands are slowed 1, 2.5, 2.5, 10 times
    """
    speeds = array("speeds", speeds, PAIRS)
    base, length = number("base", base, above=1), integer("context_length", context_length, least=1)
    if speeds.min() < 0 or speeds.max() == 0:
        raise ValueError(f"speeds must be at least 0 and not all 0, got {speeds.min()}")
    with np.errstate(all="ignore"):
        original = angular_frequencies(2 * len(speeds), base=base)
        formats = (rounded_to_bfloat16, 2.0**-7, 0), (np.float16, 2.0**-10, 2.0**-24)
        formats += (np.float32, 2.0**-20, 0), (np.float64, 2.0**-44, 0)
        unit, least = next(rest for form, *rest in formats if np.array_equal(form(speeds), speeds))
        # Programs compute in float32 first, and mix speeds that may be as large as `original`.
        errors = unit * speeds + min(unit, 2.0**-20) * original + least
        rules = (_simplest(speeds, errors, *fit) for fit in _fits(speeds, errors, base, length))
        return Slowing(original / speeds, next(filter(None, rules), None))


def _simplest(speeds, errors, name, known, fitted, undetermined):
    """Return the rule with simple numbers for the fitted ones, or None if it gives other speeds."""

    def makes(parameters):
        try:
            return (np.abs(Rule(name, parameters).speeds(2 * len(speeds)) - speeds) <= errors).all()
        except ValueError:  # if both borders are rounded to one number
            return False

    if not makes(parameters := known | fitted):
        return None
    for key, value in fitted.items():
        values = [USUAL.get(key, value), *(float(f"{value:.{digits}e}") for digits in range(17))]
        tries = (parameters | {key: value} for value in values[key not in USUAL :])
        parameters = next(filter(makes, tries))
    return Rule(name, parameters, tuple(key for key in parameters if key in undetermined))


def _fits(speeds, errors, base, length):
    """Yield names of rules, known parameters, fitted ones, and which are undetermined."""
    count, turning = len(speeds), int(np.flatnonzero(speeds)[-1]) + 1
    for hands in sorted({count, turning}, reverse=True):
        # In float16, slow hands are not exact.
        k = np.flatnonzero(errors[:hands] < 2.0**-6 * speeds[:hands])
        if len(k) == 0:
            continue
        slowed, original, known = speeds[k], base ** (-k / hands), {"rope_theta": base}
        # Off the border, where a product may come out too small.
        part = {"partial_rotary_factor": (hands + 0.25) / count} if hands < count else {}
        yield "default", known, part, part
        yield "linear", known, part | {"factor": (original / slowed).mean()}, part
        if part:
            slower = {"factor": max(1, (base ** (-k / count) / slowed).mean())}
            yield "proportional", known, part | slower, part
        larger = np.exp(-hands * np.log(slowed) @ k / (k @ k))
        yield "default", {}, part | {"rope_theta": larger}, part
        if errors[0] > 2.0**-16:  # two roundings of one speed would give two borders
            continue
        known = known | {"original_max_position_embeddings": length}
        turns = length / (2 * np.pi), base ** (-1 / hands)
        for fit in _mixtures(k, slowed / original, errors[k] / original, *turns):
            yield fit[0], known | fit[1], part | fit[2], {*part, *fit[3]}


def _mixtures(k, share, errors, turns, ratio):
    """Yield fits of rules with two borders, between which `share` falls from 1 to 1 / factor."""
    slowed, first = 1 - share, int(np.argmax(1 - share > errors))
    # The first hand that's slowed as much as the last.
    stop = int(np.argmax(share <= share[-1] + errors + errors[-1]))
    if stop == 0 or slowed[-1] <= errors[-1]:
        return
    edge, blur = stop - 1, 4 * errors.max()
    most = np.average(slowed[stop:], weights=errors[stop:] ** -2)
    few = edge <= first  # fewer than two hands are mixed
    before = max(edge - 1, 0) if few else first
    for name, fixed in ("llama3", {}), ("yarn", {"truncate": True}), ("yarn", {"truncate": False}):
        high, low = list(USUAL)[:2] if name == "llama3" else list(USUAL)[2:]
        line = k if name == "yarn" else -turns * ratio**k  # along which the fall is straight
        slope = least = np.nan_to_num((slowed[edge] - slowed[before]) / (line[edge] - line[before]))
        if few:
            slope = max(least, (most - slowed[edge]) / (line[stop] - line[edge]))
        begin = line[edge] - slowed[edge] / slope
        end = min(begin + most / slope, line[stop])
        loose = {high, low, *fixed} if few else set()
        reached = slowed[edge] + least * (line[-1] - line[edge])
        if reached <= most + blur and (stop == len(k) - 1 or not few):
            loose |= {"factor", low}  # the last hand may be mixed as well
        if fixed.get("truncate"):
            begin, end, loose = np.rint(begin) + 0.25, np.rint(end) - 0.25, loose | {high, low}
        elif name == "yarn" and begin <= blur / slope:  # before hand 0, the program has 0
            loose |= {high}
        borders = turns * ratio ** np.array([begin, end]) if name == "yarn" else (-begin, -end)
        yield name, fixed, {"factor": 1 / (1 - most), high: borders[0], low: borders[1]}, loose
