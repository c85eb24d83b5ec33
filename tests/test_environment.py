"""The locks, the conda environment and the project name the same packages."""

import re
import tomllib
from importlib.metadata import requires, version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from posenc_book import course_file

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.txt"
BENCH = ROOT / "bench" / "requirements.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# What Google Colab had in August 2026 (googlecolab/backend-info): there, installing the package
# must not exchange what the running notebook has loaded already.
COLAB = {
    "altair": "5.5.0",
    "ipython": "7.34.0",
    "matplotlib": "3.10.0",
    "numpy": "2.1.3",
    "pandas": "2.2.3",
    "pillow": "11.3.0",
    "tqdm": "4.67.3",
}


def requirements(lines):
    """Return {name: Requirement}, without the project itself."""
    parsed = map(Requirement, lines)
    return {canonicalize_name(item.name): item for item in parsed if item.name != PROJECT["name"]}


FOR_NOTEBOOKS = requirements(PROJECT["dependencies"] + EXTRAS["notebooks"])
DIRECT = FOR_NOTEBOOKS | requirements(EXTRAS["dev"])


def locked(text):
    """Return {name: {entry, ...}} of a lock; a package may be locked once for each Python."""
    entries = {}
    for block in re.split(r"^(?=[a-zA-Z])", text, flags=re.MULTILINE):
        if block and not block.startswith("#"):
            # Which packages need this one differs between the locks.
            entry = block.partition("    # via")[0].strip()
            entries.setdefault(re.match(r"[\w.-]+", entry).group(), set()).add(entry)
    return entries


def needs(name, extras):
    """Return {(name, extras), ...} of what an installed package needs on this machine."""
    environments = [{"extra": extra} for extra in ("", *extras)]
    return {
        (canonicalize_name(need.name), frozenset(need.extras))
        for need in map(Requirement, requires(name) or [])
        if not need.marker or any(map(need.marker.evaluate, environments))
    }


@pytest.mark.parametrize("lock", [LOCK, BENCH], ids=["course", "bench"])
def test_a_lock_names_packages_and_hashes_only(lock):
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
    for entry in (entry for entries in locked(text).values() for entry in entries):
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


@pytest.mark.parametrize("requirement", DIRECT.values(), ids=DIRECT)
def test_every_dependency_is_locked_within_its_bounds(requirement):
    assert any(str(part).startswith(">=") for part in requirement.specifier)
    for entry in locked(LOCK.read_text(encoding="utf-8"))[canonicalize_name(requirement.name)]:
        (pin,) = Requirement(entry.partition("\\")[0]).specifier
        assert pin.operator == "=="
        assert requirement.specifier.contains(pin.version)
    assert requirement.specifier.contains(version(requirement.name))


def test_the_download_locks_what_running_notebooks_needs():
    text = LOCK.read_text(encoding="utf-8")
    course = locked(course_file.part_of_lock(text, course_file.needed_to_run(ROOT)))
    assert course.items() <= locked(text).items()
    assert course.keys().isdisjoint({"jupyter-book", "playwright", "pytest", "sphinx", "uv"})
    visited = set()
    remaining = {(name, frozenset(item.extras)) for name, item in FOR_NOTEBOOKS.items()}
    while remaining:
        visited |= remaining
        remaining = set().union(*(needs(*item) for item in remaining)) - visited
    names = {name for name, _ in visited}
    assert names >= {"pyzmq", "tornado"}  # needed only by what others need
    assert names <= course.keys()


def test_the_package_leaves_alone_what_colab_has():
    for requirement in requirements(PROJECT["dependencies"]).values():
        if requirement.name in COLAB:
            assert requirement.specifier.contains(COLAB[requirement.name]), requirement


def test_conda_installs_the_course_within_the_same_bounds():
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    python, pip, *lines, by_pip = yaml.safe_load(text)["dependencies"]
    assert SpecifierSet(PROJECT["requires-python"]).contains(python.removeprefix("python="))
    assert pip == "pip"
    named = requirements(lines)
    assert named.keys() >= {
        "altair",
        "jupyterlab",
        "jupytext",
        "matplotlib",
        "nbval",
        "numpy",
        "pandas",
    }
    for name, requirement in named.items():
        assert requirement.specifier == DIRECT[name].specifier, name
    # pip adds the rest, within the project's own bounds.
    assert by_pip == {"pip": ["-e .[dev]"]}
