"""The forge's workflows run what exists here, and fix what they trust."""

import os
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from browsers import NAMES

ROOT = Path(__file__).parents[1]
WORKFLOWS = {path.stem: path for path in (ROOT / ".github" / "workflows").glob("*.yml")}
PARSED = {name: yaml.safe_load(path.read_text("utf-8")) for name, path in WORKFLOWS.items()}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def steps(workflow):
    """Return the steps of all jobs of a workflow."""
    return [step for job in PARSED[workflow]["jobs"].values() for step in job["steps"]]


def commands(workflow):
    """Return what each step runs or uses."""
    return [step.get("run", step.get("uses", "")) for step in steps(workflow)]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_action_is_named_by_a_commit_and_only_publishing_may_write(name):
    for step in steps(name):
        if "uses" in step:
            assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"])
    assert PARSED[name]["permissions"] == {"contents": "read"}
    for job, settings in PARSED[name]["jobs"].items():
        rights = {"pages": "write", "id-token": "write"} if job == "publish" else None
        assert settings.get("permissions") == rights


def test_one_workflow_tests_then_prints_then_publishes_the_book():
    run = commands("publish")
    order = [".ci/run", "make pdf", "actions/upload-pages-artifact@", "actions/deploy-pages@"]
    places = [next(n for n, it in enumerate(run) if it.startswith(name)) for name in order]
    assert places == sorted(places)
    assert PARSED["publish"]["jobs"]["publish"]["needs"] == "test"
    folder = steps("publish")[places[2]]["with"]["path"]
    assert f"{folder}/index.html" in MAKEFILE
    assert f"cp book/_build/book.pdf {folder}/" in run[places[1]]


def test_the_other_tests_the_oldest_python_and_a_newer_one_on_three_systems():
    jobs = PARSED["everywhere"]["jobs"]
    matrix = jobs["package"]["strategy"]["matrix"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, newest = matrix["python"]
    assert project["requires-python"] == f">={oldest}"
    assert tuple(map(int, newest.split("."))) > tuple(map(int, oldest.split(".")))
    assert [name.split("-")[0] for name in matrix["system"]] == ["ubuntu", "macos", "windows"]
    # YAML reads the key `on` as true.
    assert "schedule" in PARSED["everywhere"][True]


def test_what_they_call_is_there():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    run = "\n".join(command for name in WORKFLOWS for command in commands(name))
    called = set(re.findall(r"(?:make|\.ci/run) ([a-z-]+)", run))
    assert called >= {"pdf", "test-all"}
    for target in called:
        assert re.search(rf"^{target}:", MAKEFILE, flags=re.MULTILINE), target


def test_ci_looks_for_the_browsers_that_the_tests_find():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert f"command -v {' '.join(NAMES)} >/dev/null" in script
