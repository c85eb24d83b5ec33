"""Slips that happen in every exercise: what is said of them, and what is returned then."""

from functools import partial

import numpy as np

from posenc.encodings import angular_frequencies

# What may become of a result or of an argument.
_CHANGES = {
    "with True and False exchanged": np.invert,
    "with the sign reversed": np.negative,
    "without its sign": np.abs,
    "in its shape alone, with every number 0": lambda x: x - x,
    "twice as large": lambda x: 2 * x,
    "half as large": lambda x: x / 2,
    "squared": np.square,
    "too large by 1": lambda x: x + 1,
    "too small by 1": lambda x: x - 1,
    "times 57.3, as radians become degrees": np.degrees,
    "divided by 57.3, as degrees become radians": np.radians,
    "with rows and columns exchanged": np.transpose,
    "in reverse order": lambda x: x[::-1],
    "in sorted order": np.sort,
    "in falling order": lambda x: -np.sort(-x),
    "with its columns in reverse order": lambda x: x[:, ::-1],
    "with the two numbers of each pair exchanged": lambda x: x[..., np.arange(x.shape[-1]) ^ 1],
    "without decimals, as `int` and arrays of integers cut them off": np.trunc,
    **{f"rounded to {n} decimals": partial(np.round, decimals=n) for n in range(5)},
}
# What may be taken for an argument besides.
_ARGUMENTS = {
    "if `{}` were 1": lambda x: x**0,
    "if `{}` were 0": lambda x: 0 * x,
    "if `{}` were 0, 1, 2 and so on": lambda x: np.arange(len(x)),
    "if the first half of `{}` were sines": lambda x: x.reshape(2, -1).T.ravel(),
}
_FREQUENCIES = {
    "if `{}` were 1": np.ones_like,
    "if `{}` were those of base 10 000": lambda w: angular_frequencies(2 * len(w)),
}


def slips(exercise):
    """Yield the words for each known mistake and common slip, and the results that it leads to.

    The results are computed one by one: those of most slips differ in the first case already.
    """
    for words, mistake in exercise.mistakes.items():
        yield words, exercise.results_of(mistake)
    if exercise.cases and not exercise.judge:
        for words, change in _CHANGES.items():
            changed = (x if x is None else change(x) for x in exercise.solutions)
            yield f"It returns the right result {words}.", changed
    # With truth values, or a few whole numbers, a slip in an argument may agree by chance, and
    # where many answers are right, one that agrees says little.
    numbers = {number for x in exercise.solutions for number in np.ravel(x).tolist()} - {None}
    telling = len(numbers) > 9 or any(number % 1 for number in numbers)
    for i, name in enumerate(exercise.parameters):
        given = exercise.results_of(lambda *arguments, i=i: arguments[i])
        yield f"It returns `{name}` as it was given.", given
        if exercise.judge or not telling:
            continue
        truth = np.asarray(exercise.all_cases[0].arguments[i]).dtype == bool
        changes = {f"for `{{}}` {w}": x for w, x in _CHANGES.items() if (x == np.invert) == truth}
        taken_for = _FREQUENCIES if name == "frequencies" else _ARGUMENTS | changes
        for words, change in taken_for.items():

            def taken(*given, i=i, change=change):
                return exercise.reference(*given[:i], change(given[i]), *given[i + 1 :])

            said = f"It returns what would be right {words.format(name)}."
            yield said, exercise.results_of(taken)
