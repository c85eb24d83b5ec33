"""A notebook is as short as the course promises, and says truly how long it takes."""

import re

import nbformat

from .conftest import ROOT, TEXTS, is_lab, prose
from .reading import ASKED, count_parts, exercise_minutes, minutes, stated_minutes

MOST_MINUTES, MOST_IN_A_LAB, MOST_ASSERTS = 20, 25, 8


def test_the_road_is_short(text_path, notebook):
    road = count_parts(notebook)["road"]
    assert road["asserts"] <= MOST_ASSERTS, text_path.stem
    most = MOST_IN_A_LAB if is_lab(text_path) else MOST_MINUTES
    assert minutes(road) <= most, f"{text_path.stem}: {minutes(road):.1f} minutes"


def test_the_time_that_it_states_is_the_time_that_it_takes(text_path, notebook):
    stated, parts = stated_minutes(notebook), count_parts(notebook)
    for part in ("road", "deeper"):
        taken = minutes(parts[part])
        assert abs(stated[part] - taken) <= 1, f"{text_path.stem}, {part}: {taken:.1f} minutes"
    assert stated["exercises"] == sum(exercise_minutes(notebook)), text_path.stem


def test_optional_sections_say_what_they_are_for_and_lead_past_themselves(text_path, notebook):
    for section in re.split(r"^(?=## )", prose(notebook), flags=re.MULTILINE):
        if section.startswith("## Going deeper"):
            opening = section.split("\n\n")[1]
            assert opening.startswith("*For whoever"), f"{text_path.stem}: {section[:60]}"
            past = "(#exercises)" if is_lab(text_path) else "(#check-yourself)"
            assert past in opening, f"{text_path.stem}: {section[:60]}"


def test_four_questions_whose_choices_answer(text_path, notebook):
    if is_lab(text_path):
        return
    questions = re.split(r"^## Check yourself$", prose(notebook), flags=re.MULTILINE)[1]
    questions = re.split(r"^## ", questions, maxsplit=1, flags=re.MULTILINE)[0]
    asked = ASKED.split(questions)[1:]
    assert len(asked) == 4, text_path.stem
    for question in asked:
        answers = re.findall(r"^:::\{dropdown\} [A-C]\. .+\n(.+)", question, re.MULTILINE)
        assert len(answers) == 3, f"{text_path.stem}: {question[:60]}"
        right = [answer for answer in answers if answer.startswith("Right")]
        assert len(right) == 1, f"{text_path.stem}: {question[:60]}"


def test_the_landing_page_and_the_teachers_tell_the_same_times(text_path, notebook):
    stated = stated_minutes(notebook)
    road, deeper, exercises = (stated[part] for part in ("road", "deeper", "exercises"))
    for page, times in (
        ("index", f"| {road} | {exercises} |"),
        ("teachers", f"| {road} + {deeper} + {exercises} |"),
    ):
        lines = (ROOT / "book" / f"{page}.md").read_text(encoding="utf-8").splitlines()
        named = f"(../notebooks/{text_path.stem}.ipynb)"
        rows = [line for line in lines if named in line and line.startswith("|")]
        assert any(row.endswith(times) for row in rows), f"book/{page}.md: {named} … {times}"


def test_the_landing_page_adds_up_what_the_pages_state():
    page = (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    stated = {
        path.stem: stated_minutes(nbformat.read(path.with_suffix(".ipynb"), as_version=4))
        for path in TEXTS
    }
    roads = {"ten_minutes": 10} | {name: times["road"] for name, times in stated.items()}
    paths = re.findall(r"^- \*\*.+\*\*, (\d+) minutes:(.+(?:\n  .+)*)", page, re.MULTILINE)
    for said, text in paths:
        assert int(said) == sum(roads[it] for it in re.findall(r"(\w+)\.ipynb", text)), text
    assert len(paths) == 2
    labs = {path.stem for path in TEXTS if is_lab(path)}
    assert f"four labs take {sum(roads[it] for it in labs)} minutes" in page
    for what, words in (
        ("road", " for the twelve pages"),
        ("exercises", " more for their exercises"),
    ):
        total = sum(times[what] for name, times in stated.items() if name not in labs)
        assert re.search(rf"\b{total / 60:.0f} hours{words}", " ".join(page.split())), total


def test_the_course_in_ten_minutes_is_short_shows_no_code_and_leads_to_every_notebook():
    page = nbformat.read(ROOT / "book" / "ten_minutes.ipynb", as_version=4)
    code = [cell for cell in page.cells if cell.cell_type == "code"]
    assert all({"remove-input", "remove-cell"} & set(cell.metadata.tags) for cell in code)
    captions = [cell.metadata.get("mystnb", {}).get("figure", {}).get("caption") for cell in code]
    text = re.sub(r"\]\([^)]*\)", "]", " ".join([prose(page), *filter(None, captions)]))
    assert len(re.findall(r"\w[\w'’-]*", text)) <= 900
    counted = count_parts(page)["road"]
    assert (counted["figures"], counted["charts"], counted["formulas"]) == (4, 1, 0)
    assert round(minutes(counted)) == 10
    assert {path.stem for path in TEXTS} <= set(re.findall(r"notebooks/(\w+)\.ipynb", prose(page)))


def test_the_teachers_picture_shows_what_each_notebook_says_to_read_first():
    page = (ROOT / "book" / "teachers.md").read_text(encoding="utf-8")
    trunk, aside = re.search(r'aria-label="[^:]*: ([\d, ]+)\. Aside: ([^"]*)\."', page).groups()
    trunk = re.findall(r"\d+", trunk)
    below = [*zip(trunk[1:], trunk, strict=False), *re.findall(r"(\d+) on (\d+)", aside)]
    first = {
        str(int(path.stem[:2])): re.search(r"Read first:.*", path.read_text(encoding="utf-8"))[0]
        for path in TEXTS
        if not is_lab(path)
    }
    assert first.keys() == {trunk[0], *dict(below)}
    assert all(f"[notebook {read}]" in first[notebook] for notebook, read in below)
    assert sorted(re.findall(r"<text[^>]*>(\d+) ", page), key=int) == sorted(first, key=int)
