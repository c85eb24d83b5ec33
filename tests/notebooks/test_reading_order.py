"""The teachers' picture agrees with what each notebook says to read first."""

import re

from .conftest import ROOT, TEXTS


def test_the_teachers_picture_matches_each_read_first():
    page = (ROOT / "book" / "teachers.md").read_text(encoding="utf-8")
    trunk, aside = re.search(r'aria-label="[^:]*: ([\d, ]+)\. Aside: ([^"]*)\."', page).groups()
    trunk = re.findall(r"\d+", trunk)
    below = [*zip(trunk[1:], trunk, strict=False), *re.findall(r"(\d+) on (\d+)", aside)]
    read_first = {
        str(int(path.stem[:2])): re.findall(r"Read first:.*", path.read_text(encoding="utf-8"))
        for path in TEXTS
        if path.stem[0].isdigit()
    }
    assert read_first.keys() == {trunk[0], *dict(below)}
    assert all(f"[notebook {first}]" in str(read_first[later]) for later, first in below)
    numbers = re.findall(r"<text[^>]*>(\d+) ", page)
    assert sorted(numbers, key=int) == sorted(read_first, key=int)
