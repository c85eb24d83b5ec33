"""Records of other people's programs, written by `make peers`."""

import json
from importlib.resources import files

import numpy as np


def load_tables():
    """Return notebook 12's tables by other people's programs, named A to F."""
    with (files("posenc") / "data" / "tables.npz").open("rb") as file, np.load(file) as tables:
        return dict(tables)


def load_field_guide():
    """Return the field guide's record, a dict with "versions", "rows" and "not asked"."""
    path = files("posenc") / "data" / "families.json"
    return json.loads(path.read_text(encoding="utf-8"))
