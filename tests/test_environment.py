"""The locks, the conda environment and the project name the same packages."""

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKS = ["requirements.txt", "bench/requirements.txt"]


def requirements(lines):
    """Return {name: Requirement}, without the project itself."""
    parsed = map(Requirement, lines)
    return {canonicalize_name(item.name): item for item in parsed if item.name != PROJECT["name"]}


DIRECT = requirements(sum(PROJECT["optional-dependencies"].values(), PROJECT["dependencies"]))


def test_every_dependency_is_locked_within_its_bounds():
    text = (ROOT / LOCKS[0]).read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([\w.-]+)(?:\[.+?\])?==([^ ;\\]+)", text, flags=re.MULTILINE))
    for name, requirement in DIRECT.items():
        assert requirement.specifier.contains(locked[name]), requirement


def test_conda_installs_the_course_within_the_same_bounds():
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    lines = [line for line in yaml.safe_load(text)["dependencies"] if isinstance(line, str)]
    named = requirements(line for line in lines if not line.startswith("python="))
    assert {"jupyterlab", "numpy", "matplotlib", "altair", "nbval", "jupytext"} <= named.keys()
    for name in named.keys() & DIRECT.keys():
        assert named[name].specifier == DIRECT[name].specifier, name
