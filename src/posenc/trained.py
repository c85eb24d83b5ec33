"""The heads that `make train` trained: measurements, and the weights of some.

`scripts/train_heads.py` says how they were trained and what each measure is.
"""

from importlib.resources import files

import numpy as np

_DATA = files("posenc") / "data"


def load_results():
    """Return everything that was measured of the trained heads, one number a row.

    Returns
    -------
    pandas.DataFrame
        With the columns

        task, way
            What the head was trained to do, and how it was told positions.
        rule
            How the frequencies of a rotary head, or the offsets that it hears, were changed for
            longer texts, before it was trained on or measured.
        seed
            Of the head, 0 to 23.
        measure
            What `value` is, such as "accuracy".
        part, heard
            Which part of W was left, and what queries and keys heard of the letters, where a
            measure varies these.
        length, start
            Letters in a text, and the position of the first.
        item
            Which pair, offset or step of training, where a measure has one number for each.
        value
            The number.

        Where a column doesn't apply, it has an empty text or 0.

    Examples
    --------
    >>> table = load_results()
    >>> heads = table.query("task == 'three back' and way == 'rotary' and measure == 'accuracy'")
    >>> float(heads.query("length == 32 and start == 100").value.max())
    1.0
    """
    import pandas as pd  # here, since most notebooks don't need it

    with (_DATA / "heads.csv.bz2").open("rb") as file:
        return pd.read_csv(file, compression="bz2", keep_default_na=False)


def load_heads(task, way):
    """Return the parameters of trained heads, rounded to hundredths as they were measured.

    Parameters
    ----------
    task, way : str
        As in the table of `load_results`.

    Returns
    -------
    dict
        From seeds to the parameters of a head, a dict of ndarray; of most ways to train only the
        head of seed 0 is kept.

    Examples
    --------
    >>> heads = load_heads("three back", "rotary")
    >>> len(heads), heads[0]["query"].shape
    (24, (32, 32))
    """
    with (_DATA / "heads.npz").open("rb") as file, np.load(file) as arrays:
        names = [name for name in arrays if name.startswith(f"{task}/{way}/")]
        if not names:
            known = sorted({" / ".join(name.split("/")[:2]) for name in arrays})
            raise ValueError(f"task and way must be one of {known}, got {task} / {way}")
        stacks = {name.split("/")[-1]: arrays[name] / 100 for name in names}
    count = len(next(iter(stacks.values())))
    return {seed: {name: stack[seed] for name, stack in stacks.items()} for seed in range(count)}
