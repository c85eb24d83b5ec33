"""Tables as people keep them: their shape, their axes, and what fits where they are refused."""

from dataclasses import replace

import numpy as np

from posenc._validation import array, integer
from posenc.layouts.description import Description
from posenc.layouts.hands import MANY, bfloat16, described, rounded_to_bfloat16, rounding

__all__ = ["Description", "bfloat16", "describe"]


def describe(table, *, grid=None):
    r"""Say what a table of sinusoids is made of, from its numbers alone.

    Angles of pair k in row t are to be :math:`f\, r^{-k} (t + s)`. Slopes of the unwrapped angles
    give f and r, a slow pair gives the start s, and all pairs sharpen the three.

    Parameters
    ----------
    table : array_like, shape (n, d)
        At least 8 rows that are not zero, of at least 4 columns, in any precision; bfloat16 as
        float32. A last column of zeros that fills an odd width is left out, and the last partners
        may be cut off. A picture may have shape (rows, columns, d), a film one side more, and a
        cache of turns may be complex, or of shape (n, d, 2), (n, d, 2, 2) or (2, n, d). Sides of 1
        do not matter. Speeds are below π radians a row, and row 0 stands at most 4200 rows before
        and 10,000 after position zero. If rising and falling positions explain the table alike,
        they rise.
    grid : (int, int) or (int, int, int), optional
        Rows and columns of a picture, where the table has a row for each place, row by row; of a
        film, with the number of pictures in front.

    Returns
    -------
    Description
        Layout, first of sine and cosine, speeds, start and errors, also in print. A ValueError
        says which limit was crossed, and what fits instead, if that was found.

    Examples
    --------
    >>> from posenc.encodings import sinusoidal
    >>> print(describe(sinusoidal(100, 16, base=500, start=5).astype(np.float16)))
    pairs, sine first, 8 pairs of length 1.0000 ± 0.0005
    speed of pair 0: 1.00000 ± 3e-05 radians a row
    speed over that of the next pair: 2.17456 ± 9e-05
    base 500.0 ± 0.2 if 1/base is the next speed (P = 8)
    base 229.93 ± 0.07 if 1/base is the last speed (P = 7)
    position of row 0: 5.000 ± 0.002
    in order: pairs
    such order and base: none of those that were asked
    """
    values, sides, form = _arranged(table)
    if grid is not None:
        grid = tuple(integer("grid", side, least=3) for side in grid)
    elif len(sides) > 2:
        grid = sides[:-1]
    with np.errstate(all="ignore"):  # of what is no table of sinusoids, numbers may overflow
        try:
            return _read(values, grid, form)
        except ValueError as error:
            raise ValueError(f"{error}{_instead(values, sides, grid)}") from None


def _arranged(table):
    """Return a table in rows of columns, in its own precision, its sides, and a cache's form."""
    values, form = np.asarray(table) if hasattr(table, "dtype") else array("table", table), ""
    if values.dtype == "bfloat16":
        values = values.astype(np.float32)
    if values.dtype.kind == "c" and values.ndim > 1:
        values, form = np.stack([values.real, values.imag], axis=-1), "complex"
        values = values.reshape(*values.shape[:-2], -1)
    if values.dtype not in (np.float16, np.float32) or not np.isfinite(values).all():
        values = array("table", values)
    sides = values.shape if values.ndim == 2 else tuple(n for n in values.shape if n != 1)
    if len(sides) == 4 and sides[2:] == (2, 2):  # cosine, -sine, sine, cosine
        turns = values.reshape(sides)
        cosine, sine = turns[..., 0, 0], turns[..., 1, 0]
        if np.array_equal(turns[..., 1], np.stack([-sine, cosine], axis=-1)):
            values, form, sides = turns[..., 0], "matrices", sides[:3]
    if len(sides) == 3 and sides[2] == 2:
        sides = sides[0], 2 * sides[1]
    elif len(sides) == 3 and sides[0] == 2 and np.ptp(values.reshape(sides), axis=0).any():
        values, sides = np.hstack(values.reshape(sides)), (sides[1], 2 * sides[2])
    if not 2 <= len(sides) <= 4:
        raise ValueError(
            "table must have shape (n, d), or of a picture (rows, columns, d), or of a film one "
            f"side more in front, and else sides of 1; got shape {values.shape}"
        )
    return values.reshape(int(np.prod(sides[:-1])), sides[-1]), sides, form


def _read(values, grid, form=""):
    """Describe a table, but for rows and columns of zeros, and for columns that come twice."""
    filled = bool(values.shape[1] % 2 and not values[:, -1].any())
    told, width = values.any(axis=1), values.shape[1] - filled
    rows, blank = np.flatnonzero(told), tuple(np.flatnonzero(~told).tolist())
    table, columns = values if told.all() else values[told], np.arange(width)
    for kind, count in {"columns twice": width // 2, "halves twice": 2}.items():
        if count and width and width % (2 * count) == 0:
            one, other = columns.reshape(count, 2, -1).swapaxes(0, 1).reshape(2, -1)
            first = table[:8]  # tells most tables, and saves memory
            if all(np.array_equal(part[:, one], part[:, other]) for part in (first, table)):
                columns, form = one, kind
                break
    table = table[:, columns] if form.endswith("twice") else table[:, :width]
    if len(rows) < 8 or len(columns) < 4:
        raise ValueError(
            "table must have at least 8 rows that are not zero, and at least 4 columns that do not "
            f"come twice; it has {len(rows)} and {len(columns)}"
        )
    if grid and (len(grid) not in (2, 3) or np.prod(grid) != len(rows)):
        raise ValueError(
            f"grid must have two or three sides and {len(rows)} places, one for each row that is "
            f"not zero; got {grid}"
        )
    result = _by_axes(table, rows, grid or (len(rows),), rounding(table))
    axes = {name: replace(one, columns=columns[one.columns]) for name, one in result.axes.items()}
    return replace(result, axes=axes, columns=columns, blank=blank, filled=filled, form=form)


def _by_axes(table, rows, sides, errors, trained=False):
    """Describe the columns that depend on one axis alone, axis by axis."""
    width, count, refusal = table.shape[1], len(sides), None
    if count == 1:
        return described(table, rows, errors, trained)
    places = table.reshape(*sides, width)
    lines = [np.moveaxis(places, i, 0).reshape(side, -1, width) for i, side in enumerate(sides)]
    if trained:
        lines = [line.mean(axis=1, dtype=float, keepdims=True) for line in lines]
    moves = np.array([np.ptp(line, axis=0).max(axis=0) for line in lines])
    allowed = moves.max() / 2 if trained else 2 * (errors[0] * np.abs(table).max() + errors[1])
    moving, columns, half = moves > allowed, np.arange(width), -(-width // 2)
    for side in np.flatnonzero(~moving.any(axis=1) & (not trained)):
        raise ValueError(
            f"table must change along each side of the grid {sides}; along the "
            f"{('first', 'second', 'third')[side]} all tables are the same; give one of them"
        )
    firsts = np.where(moving.any(axis=1), moving.argmax(axis=1), width)
    order = np.argsort(firsts)
    for owner in (
        order[np.searchsorted(firsts[order], columns, side="right") - 1],  # axis after axis
        order[columns % half * count // half],  # first columns of all, then second ones
        order[columns // 2 % count],  # pair by pair
    ):
        parts = {axis: np.flatnonzero(owner == axis) for axis in order}
        others = moving & (owner != np.arange(count)[:, None])
        if others.any() or min(map(len, parts.values())) < 4:
            continue
        try:
            axes = {}
            for axis, part in parts.items():
                one = described(lines[axis][:, 0, part], np.arange(sides[axis]), errors, trained)
                axes["tyx"[axis - count]] = replace(one, columns=part)
            return _shared(axes, columns)
        except ValueError as error:
            refusal = refusal or error
    column = int(np.sort(moves, axis=0)[-2].argmax())
    changes = ", ".join(f"{move:.1e}" for move in moves[:, column])
    raise refusal or ValueError(
        f"table must have columns that change along one axis of the grid {sides} alone, axis after "
        f"axis, or in each half, or pair by pair; column {column} changes by up to {changes} along "
        f"the axes, which begin in columns {firsts.tolist()}, and rounding explains {allowed:.1e}"
    )


def _shared(axes, columns):
    """Return a description of what the axes share."""
    every = list(axes.values())
    names = set(every[0].errors).intersection(*(one.errors for one in every))
    off, shared = {name: sum(one.errors[name] for one in every) for name in names}, []
    for name in ("layout", "first", "pairs", "amplitude", "fastest", "ratio", "start"):
        values = [getattr(one, name) for one in every]
        near = len(set(values)) == 1
        if name in off and None not in values:
            near = max(values) - min(values) <= off[name]
        shared.append(values[0] if near else None)
    starts = every[0].starts if shared.pop() is not None else ()
    worst = max(one.worst for one in every) if "worst" in off else None
    return Description(*shared, starts, errors=off, worst=worst, columns=columns, axes=axes)


def _attempt(function, *arguments):
    """Return what a function returns, or None if it refuses."""
    try:
        return function(*arguments)
    except ValueError:
        return None


def _instead(values, sides, grid):
    """Return in words in what other reading a table fits, if any was found."""
    if not values.any():
        return ""
    turned = np.moveaxis(values.reshape(sides), 0, -1)
    over = turned.shape[:-1] if len(sides) > 2 else grid
    turned = turned.reshape(-1, sides[0])[: None if over else 2**21 // sides[0]]
    if sides[0] < 2**14 and _attempt(_read, turned, over):
        return "; its channels come first: with the axes transposed, it can be described"
    rows = np.flatnonzero(values.any(axis=1))
    told, small, count = values[rows], values.size < 2**21, len(rows)
    if count < 8 or values.shape[1] < 4:
        return ""
    if grid:
        able = small and np.prod(grid) == count
        return _nearest(told, rows, grid, rounding(told)) if able else ""
    for side in range(3, count // 3 + 1) if small else [round(count**0.5)]:
        if count % side == 0 and _attempt(_read, told, (side, count // side)):
            return f"; with grid=({side}, {count // side}) it can be described"
    errors = rounding(told)
    roundings = {"float16": (np.float16, 2**11), "bfloat16": (rounded_to_bfloat16, 2**8)}
    for name, (rounded, most) in roundings.items():
        one = count > most and _attempt(described, told[:most], rows[:most], errors)
        if one and one.starts:
            first = np.round(one.starts[0])
            off = np.abs(one.table(rounded(rows + first).astype(float) - first) - told).max()
            if off <= one.errors["worst"] + 8 * one.errors["fastest"] * count:
                return f"; positions rounded to {name} explain it, up to {off:.1e}"
    return _nearest(told[:MANY], rows[:MANY], (min(count, MANY),), errors)


def _nearest(table, rows, sides, errors):
    """Return in words which sinusoids are nearest, if a table is near to any."""
    one, off, words = _attempt(_by_axes, table, rows, sides, errors, True), table.astype(float), []
    size = np.sqrt(np.mean(off**2))
    for name, axis in (one.axes or {"x": one}).items() if one else ():
        if not axis.starts:
            return ""
        at = np.indices(sides)["tyx".index(name) - 3].ravel() if one.axes else rows
        off[:, axis.columns] -= axis.table(at)
        words.append(
            f"{axis.layout}, {axis.first} first, speed of pair 0 {axis.fastest:.4g}, ratio "
            f"{axis.ratio:.4g}, position of row 0 {round(axis.starts[0], 4) + 0:g}"
        )
    most, mean = np.abs(off).max(), np.sqrt(np.mean(off**2))
    if not mean < size / 2:
        return ""
    # What was trained on is near, and no number and no column is much farther off than others.
    spread = most < 8 * mean and np.sqrt(np.mean(off**2, axis=0)).max() < 2 * mean
    # A tenth of the amplitude at most, and more than rounding.
    near = spread and errors[0] < mean / size < 1 / 7
    trained = ", as if it began as these and was trained on" if near else ""
    return (
        f"; the nearest sinusoids that were found ({'; '.join(words)}) differ by up to {most:.1e}, "
        f"and by {mean:.1e} in the root mean square{trained}"
    )
