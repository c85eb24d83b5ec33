"""The forge's workflow is well formed, runs what exists here, and fixes what it trusts."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from browsers import NAMES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "publish.yml"
JOBS = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]


def test_the_workflow_is_well_formed():
    # The schema comes with the tool; nothing is fetched.
    run = subprocess.run(
        [
            *(sys.executable, "-m", "check_jsonschema"),
            *("--builtin-schema", "vendor.github-workflows", WORKFLOW),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_it_tests_then_prints_then_publishes_the_book():
    commands = [step.get("run", step.get("uses", "")) for step in STEPS]
    order = [".ci/run", "make pdf", "actions/upload-pages-artifact@", "actions/deploy-pages@"]
    places = [next(n for n, it in enumerate(commands) if it.startswith(name)) for name in order]
    assert places == sorted(places)
    assert JOBS["publish"]["needs"] == "test"
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    folder = STEPS[places[2]]["with"]["path"]
    assert f"{folder}/index.html" in makefile
    assert re.search(r"^pdf:", makefile, flags=re.MULTILINE)
    assert f"cp book/_build/book.pdf {folder}/" in commands[places[1]]


def test_every_action_is_named_by_a_commit_and_only_publishing_may_write():
    for step in STEPS:
        if "uses" in step:
            assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"])
    rights = {name: job.get("permissions") for name, job in JOBS.items()}
    assert rights == {"test": None, "publish": {"pages": "write", "id-token": "write"}}
    assert yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["permissions"] == {
        "contents": "read"
    }


def test_ci_looks_for_the_browsers_that_the_tests_find():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert f"command -v {' '.join(NAMES)} >/dev/null" in script
