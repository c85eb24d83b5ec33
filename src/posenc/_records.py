"""What `make peers` recorded of other people's programs."""

import json
from importlib.resources import files

import numpy as np


def load_tables():
    """Return the tables of notebook 12, which other people's programs made, by letters A to F."""
    with (files("posenc") / "data" / "tables.npz").open("rb") as file, np.load(file) as tables:
        return dict(tables)


def load_field_guide():
    """Return the field guide's record: "rows", families "not asked", and "versions" of packages."""
    path = files("posenc") / "data" / "families.json"
    return json.loads(path.read_text(encoding="utf-8"))
