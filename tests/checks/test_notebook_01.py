"""The exercises of notebook 1."""

import math

import numpy as np
import sympy

from posenc import checks

from .exercise_laws import hold, is_blank, is_right, is_wrong


def test_slow_pairs():
    hold(
        checks.slow_pairs,
        right=[
            79,
            79.0,
            sympy.Integer(79),
            np.sum(2 * np.pi * 10_000 ** (np.arange(0, 256, 2) / 256) > 200),
            len([k for k in range(128) if 2 * math.pi * 10_000 ** (2 * k / 256) > 200]),
            np.array([79]),
        ],
        wrong=[
            (80, "Do you round down?"),
            (49, "do finish a turn"),
            (128 - 49 - 1, "off by one"),
            (158, "two"),
            (98, "columns of the pairs that do"),
            (70, "half a turn"),
            (50, "counted from 1"),
            (128, "all of them"),
            (256, "Fewer pairs"),
            (0, "More pairs"),
            (-79, "More pairs"),
            ("79", "the text '79'"),
            (np.arange(49, 128), "an array of shape (79,)"),
            (79.5, "Fewer pairs"),
            (np.sum(10_000 ** (np.arange(0, 256, 2) / 256) > 200), "one radian"),
            (range(49, 128), "an array of shape (79,)"),
            ((49, 127), "an array of shape (2,)"),
            (True, "More pairs"),
            (lambda: 79, "a value of type `function`"),
        ],
    )


def by_numbers(positions, width):
    table = []
    for t in positions:
        row = []
        for k in range(width // 2):
            angle = t / 10_000 ** (2 * k / width)
            row += [math.sin(angle), math.cos(angle)]
        table.append(row)
    return table


def by_slices(positions, width):
    angles = np.asarray(positions)[:, None] * 10_000.0 ** (-np.arange(0, width, 2) / width)
    table = np.zeros((len(positions), width))
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def by_outer(positions, width):
    columns = np.arange(width)
    angles = np.outer(positions, 10_000.0 ** (-(columns - columns % 2) / width))
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


def by_complex_numbers(positions, width):
    frequencies = np.exp(-np.log(10_000) * np.arange(width // 2) * 2 / width)
    z = 1j * np.exp(-1j * np.multiply.outer(np.array(positions, dtype=float), frequencies))
    return np.ascontiguousarray(z).view(float)


def by_columns(positions, width):
    return np.column_stack(
        [
            function(np.array(positions) / 10_000 ** (2 * k / width))
            for k in range(width // 2)
            for function in (np.sin, np.cos)
        ]
    )


def by_row_numbers(positions, width):
    table = np.zeros((len(positions), width))
    for i in range(len(positions)):
        for k in range(width // 2):
            table[i, 2 * k] = np.sin(i / 10_000 ** (2 * k / width))
            table[i, 2 * k + 1] = np.cos(i / 10_000 ** (2 * k / width))
    return table


def into_integers(positions, width):
    table = np.zeros((len(positions), width), dtype=int)
    table[:] = by_numbers(positions, width)
    return table


def with_a_returned_row(positions, width):
    table = np.zeros((len(positions), width))
    for i, t in enumerate(positions):
        for k in range(width // 2):
            table[i, 2 * k] = math.sin(t / 10_000 ** (2 * k / width))
            table[i, 2 * k + 1] = math.cos(t / 10_000 ** (2 * k / width))
        return table


def with_a_caret(positions, width):
    return [
        [f(t / 10_000 ^ (2 * k // width)) for k in range(width // 2) for f in (math.sin, math.cos)]
        for t in positions
    ]


def with_a_silent_caret(positions, width):
    p = np.asarray(positions, dtype=float)[:, None]
    angles = p / (10_000 ^ (2 * np.arange(width // 2) // width))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(p), -1)


def that_prints(positions, width):
    print(by_numbers(positions, width))


def without_return(positions, width):
    by_numbers(positions, width)


def without_import(positions, width):
    return [[maths.sin(t) for k in range(width)] for t in positions]  # noqa: F821


def for_arrays_only(positions, width):
    return by_slices(positions[:, None][:, 0], width)


def sorted_in_place(positions, width):
    positions.sort()
    return by_slices(positions, width)


def with_math_and_arrays(positions, width):
    return math.sin(np.asarray(positions) * 1.0)


def one_row_short(positions, width):
    return by_numbers(positions, width)[:-1]


def shared_exponent_of_columns(positions, width):
    columns = np.arange(width)
    angles = np.outer(positions, 10_000.0 ** (-columns / width))
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


def exchanged(width, positions):
    return by_slices(positions, width)


def test_encoding():
    hold(
        checks.encoding,
        right=[by_numbers, by_slices, by_outer, by_complex_numbers, by_columns],
        wrong=[
            (lambda p, d: by_slices(p[0] + np.arange(len(p)), d), "Row 1 is the encoding of 8"),
            (lambda p, d: by_slices(np.floor(p), d), "Row 1 is the encoding of 2"),
            (lambda p, d: by_slices(list(dict.fromkeys(p)), d), "has three rows"),
            (by_row_numbers, "It takes the numbers of the rows for positions"),
            (into_integers, "The decimals are cut off"),
            (with_a_returned_row, "A `return` stands inside a loop"),
            (with_a_caret, "`^` is not a power"),
            (with_a_silent_caret, "`^` is not a power"),
            (that_prints, "write `return` in place of `print`"),
            (without_return, "It returns nothing: end it with `return`"),
            (without_import, "Is `maths` misspelled, or an `import` missing?"),
            (for_arrays_only, "makes an array of a list"),
            (sorted_in_place, "It sorts the positions"),
            (with_math_and_arrays, "`math` takes one number at a time"),
            (one_row_short, "where an array of shape"),
            (shared_exponent_of_columns, "not 1. Look at the exponent of the cosine"),
            (exchanged, "It should take `positions`, `width`, by position"),
            (lambda p, d: by_slices(np.sort(p), d), "It sorts the positions"),
            (lambda p, d: by_slices([int(t) for t in p], d), "It rounds the positions"),
            (lambda p, d: by_slices(range(len(p)), d), "numbers of the rows for positions"),
            (lambda p, d: np.transpose(by_numbers(p, d)), "Rows and columns are exchanged"),
            (lambda p, d: by_slices(p, d)[:, [*range(0, d, 2), *range(1, d, 2)]], "All sines come"),
            (lambda p, d: np.round(by_slices(p, d), 3), "rounded to 3 decimals"),
            (lambda p, d: np.sin(np.degrees(1) * np.ones((len(p), d))), "sin² + cos² must be 1"),
            (lambda p, d: by_outer(np.radians(p), d), "taken for degrees"),
            (lambda p, d: by_outer(np.multiply(p, 2 * np.pi), d), "a factor of 2π too much"),
            (lambda p, d: by_outer(p, d) * np.nan, "NaN (not a number) at row 0, column 0"),
            (lambda p, d: by_outer(p, d)[:, ::-1], "The row of position 0"),
            (lambda p, d: by_outer(np.add(p, 1), d), "The row of position 0 should be"),
            (lambda p, d: by_outer(p, 2 * d)[:, :d], "Right for position 0 and width 2, but not"),
            (lambda p, d: np.sin(np.outer(p, np.ones(d))), "sin² + cos² must be 1"),
            (lambda p: by_outer(p, 8), "It should take `positions`, `width`"),
            (lambda p, *, width: by_outer(p, width), "by position and in this order"),
            (by_outer([0, 1], 4), "without calling it"),
        ],
    )


def formula(table):
    length, width = np.shape(table)
    return np.array(by_numbers(range(length), width))


def by_loops(table):
    length, width = table.shape
    for t in range(length):
        for k in range(width // 2):
            angle = t / 10_000 ** (2 * k / width)
            wrong = abs(table[t, 2 * k] - math.sin(angle)) > 1e-6
            if wrong or abs(table[t, 2 * k + 1] - math.cos(angle)) > 1e-6:
                return t, k
    return None


def by_argwhere(table):
    places = np.argwhere(~np.isclose(table, formula(table), rtol=0, atol=1e-6))
    if len(places) == 0:
        return None
    return [places[0][0], places[0][1] // 2]


def by_pairs(table):
    errors = np.abs(table - formula(table)).reshape(len(table), -1, 2).max(axis=2)
    return next((place for place, error in np.ndenumerate(errors) if error > 1e-6), None)


def by_argmax(table):
    wrong = np.abs(table - formula(table)) > 1e-6
    if wrong.any():
        position, column = divmod(int(wrong.argmax()), table.shape[1])
        return np.array([position, column // 2])


def by_nonzero(table):
    rows, columns = np.nonzero(np.abs(formula(table) - table) > 1e-6)
    return (float(rows[0]), float(columns[0] // 2)) if rows.size else None


def wrong_by(test, place=lambda t, column: (t, column // 2), nothing=None):
    """Return a search along the rows with a test of its own."""

    def search(table):
        for t, row in enumerate(formula(table)):
            for column, value in enumerate(row):
                if test(table[t, column], value):
                    return place(t, column)
        return nothing

    return search


def differs(x, y):
    return abs(x - y) > 1e-6


def down_the_columns(table):
    wrong = np.abs(table - formula(table)) > 1e-6
    for k in range(table.shape[1] // 2):
        for t in range(len(table)):
            if wrong[t, 2 * k : 2 * k + 2].any():
                return t, k


def largest_error(table):
    errors = np.abs(table - formula(table))
    t, column = np.unravel_index(errors.argmax(), errors.shape)
    return (t, column // 2) if errors.max() > 1e-6 else None


def returns_at_once(table):
    for t, row in enumerate(formula(table)):
        for column, value in enumerate(row):
            if abs(table[t, column] - value) > 1e-6:
                return t, column // 2
            else:
                return None


def from_row_to_row(table):
    """Turn each row to compare it with the next, so that a slow drift is never seen."""
    z = np.asarray(table)[:, 1::2] + 1j * np.asarray(table)[:, 0::2]
    turned = z[:-1] * np.exp(1j * 10_000.0 ** (-2 * np.arange(z.shape[1]) / z.shape[1] / 2))
    errors = z - np.vstack([np.ones(z.shape[1]), turned])
    places = np.argwhere(np.maximum(abs(errors.real), abs(errors.imag)) > 1e-6)
    return tuple(places[0].tolist()) if len(places) else None


def on_the_circle(table):
    sines, cosines = np.asarray(table)[:, 0::2], np.asarray(table)[:, 1::2]
    places = np.argwhere(abs(sines**2 + cosines**2 - 1) > 1e-6)
    return places[0] if len(places) else None


def test_first_wrong():
    hold(
        checks.first_wrong,
        right=[by_loops, by_argwhere, by_pairs, by_argmax, by_nonzero],
        wrong=[
            (on_the_circle, "which it is at every angle"),
            (wrong_by(differs, lambda t, column: (t, column)), "You give the column"),
            (wrong_by(differs, lambda t, column: (t + 1, column // 2 + 1)), "You count positions"),
            (wrong_by(differs, lambda t, column: (t + 1, column // 2)), "You count the positions"),
            (wrong_by(differs, lambda t, column: (t, column // 2 + 1)), "You count the pairs"),
            (wrong_by(differs, lambda t, column: (column // 2, t)), "exchanged"),
            (wrong_by(lambda x, y: x != y), "It is right up to rounding, about 1e-16"),
            (wrong_by(lambda x, y: abs(x - y) > 1e-12), "Your tolerance is smaller"),
            (wrong_by(lambda x, y: not math.isclose(x, y)), "Your tolerance is smaller"),
            (wrong_by(lambda x, y: not np.isclose(x, y)), "two tolerances"),
            (wrong_by(lambda x, y: abs(x - y) > 0.01), "where (4, 3) should be"),
            (wrong_by(lambda x, y: x - y > 1e-6), "An error can be negative"),
            (wrong_by(differs, nothing=False), "you return `False`"),
            (wrong_by(differs, nothing=(-1, -1)), "you return (−1, −1)"),
            (wrong_by(differs, nothing="none"), "the text 'none'"),
            (wrong_by(differs, nothing=[]), "shape (0,), where `None` should be"),
            (wrong_by(differs, lambda t, column: t), "You give the position alone"),
            (wrong_by(differs, lambda t, column: f"{t}, {column // 2}"), "the text '3, 2'"),
            (from_row_to_row, "the errors add up"),
            (down_the_columns, "You look down the columns"),
            (largest_error, "the largest error"),
            (returns_at_once, "A `return` stands inside a loop"),
            (lambda table: by_loops(table[::2]), "(1, 0), where `None`"),
            (lambda table: print(by_loops(table)), "write `return` in place of `print`"),
            (
                lambda table: np.argwhere(np.abs(table - formula(table)) > 1e-6),
                "of shape (1, 2), where",
            ),
            (
                lambda table: bool((table != formula(table)).any()),
                "returns 1, where (3, 2) should be",
            ),
            (lambda table: by_loops(table[1:]), "where `None` should be"),
        ],
    )


def waves(frequencies):
    def function(length, width):
        angles = np.outer(np.arange(length), frequencies(width))
        return np.hstack([np.sin(angles), np.cos(angles)])

    return function


def gray_code(length, width):
    positions = np.arange(length)
    return 2.0 * ((positions ^ positions >> 1)[:, None] >> np.arange(width) & 1) - 1


def gray_zeros_and_ones(length, width):
    rows = [[(t ^ t >> 1) >> i & 1 for i in range(width)] for t in range(length)]
    return rows


def turned_at_random(length, width):
    matrix = np.linalg.qr(np.random.default_rng(1).normal(size=(width, width)))[0]
    row = np.full(width, 1 / np.sqrt(width))
    rows = []
    for _ in range(length):
        rows.append(row)
        row = matrix @ row
    return np.array(rows)


def harmonics(length, width):
    angles = np.outer(np.arange(length), 2 * np.pi / 5000 * np.arange(1, width // 2 + 1) ** 2.5)
    return np.hstack([np.cos(angles), np.sin(angles)])


def page_table(length, width):
    return np.array(by_numbers(range(length), width))


def own_shuffled(length, width):
    return -page_table(length, width)[:, np.random.default_rng(2).permutation(width)]


def one_hot(length, width):
    return np.eye(width)[np.arange(length) % width]


def random_rows(length, width):
    return np.random.default_rng(0).uniform(-1, 1, (length, width))


def unseeded(length, width):
    frequencies = np.random.default_rng().uniform(0.1, 3, width // 2)
    return waves(lambda width: frequencies)(length, width)


def relative(length, width):
    angles = np.outer(np.arange(length) / length, 2 * np.pi * np.arange(1, width // 2 + 1))
    return np.hstack([np.cos(angles), np.sin(angles)])


def test_my_encoding():
    hold(
        checks.my_encoding,
        right=[
            waves(lambda width: 30.0 ** (-2 * np.arange(width // 2) / width)),
            waves(lambda width: np.random.default_rng(5).uniform(0, np.pi, width // 2)),
            gray_code,
            gray_zeros_and_ones,
            turned_at_random,
            harmonics,
        ],
        wrong=[
            (lambda n, d: np.sin(np.outer(np.arange(n), 1e4 ** -np.linspace(0, 1, d))), "a cosine"),
            (
                lambda n, d: waves(lambda d: np.arange(1, d // 2 + 1) / 300)(n, d),
                "as all neighbors are",
            ),
            (page_table, "the page's own encoding"),
            (own_shuffled, "the page's own encoding"),
            (lambda n, d: 0.5 * page_table(n, d), "the page's own encoding"),
            (lambda n, d: page_table(n + 1, d)[1:], "the page's own encoding"),
            (
                lambda n, d: page_table(n, d)[:, [*range(1, d, 2), *range(0, d, 2)]],
                "the page's own",
            ),
            (lambda n, d: np.outer(np.arange(n), np.ones(d)), "It counts"),
            (lambda n, d: np.outer(np.arange(n), np.ones(d)) / n, "It divides by the length"),
            (lambda n, d: np.outer(np.linspace(-1, 1, n), np.ones(d)), "is another one for length"),
            (lambda n, d: (np.arange(n)[:, None] >> np.arange(d)) % 2, "Bits are bounded"),
            (lambda n, d: (np.arange(n)[:, None] >> np.arange(d)) % 2 * 2 - 1, "not equal"),
            (one_hot, "rows 0 and 16 are only 0 apart"),
            (random_rows, "The steps are not equal"),
            (unseeded, "Is there chance in it?"),
            (relative, "is another one for length"),
            (lambda n, d: np.zeros((n, d)), "rows 0 and 1 are only 0 apart"),
            (lambda n, d: np.ones((n, d)), "rows 0 and 1 are only 0 apart"),
            (waves(lambda d: np.full(d // 2, 2 * np.pi / 50)), "It is not unique: rows"),
            (waves(lambda d: 1e-4 * np.arange(1, d // 2 + 1)), "It is not unique: rows"),
            (lambda n, d: 3 * gray_code(n, d), "It is not bounded: -3 stands in row 0"),
            (lambda n, d: np.sin(np.outer(np.arange(n), 1 / np.arange(1, d + 1))), "not equal"),
            (lambda n, d: waves(lambda d: np.arange(1, d))(n, d), "of shape (40, 30)"),
            (lambda n, d: gray_code(n, d)[: n - 1], "of shape (39, 16)"),
            (lambda n, d: gray_code(n, d).T, "of shape (16, 40)"),
            (lambda n, d: gray_code(n, d) + np.nan, "NaN"),
        ],
    )
    in_float32 = is_wrong(checks.my_encoding, lambda n, d: harmonics(n, d).astype(np.float32))
    assert "The steps are not equal" in in_float32
    is_right(checks.my_encoding, lambda n, d: harmonics(n, d) / 2)

    def only_words(length, width):
        """Each of the three calls returns nothing."""

    is_blank(checks.my_encoding, only_words)
