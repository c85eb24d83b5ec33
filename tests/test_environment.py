"""The locks, the conda environment and the project name the same packages."""

import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
# The whole environment, and what a student installs to run the notebooks.
LOCKS = [ROOT / "requirements.txt", ROOT / "book" / "take_away" / "requirements.txt"]
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
    """Return {name: Requirement} of what the project asks for, itself left out."""
    parsed = map(Requirement, lines)
    return {it.name: it for it in parsed if it.name != PROJECT["name"]}


FOR_NOTEBOOKS = requirements(PROJECT["dependencies"] + EXTRAS["notebooks"])
DIRECT = FOR_NOTEBOOKS | requirements(EXTRAS["dev"])


def locked(lock):
    """Return {name: {entry, ...}}; a package may be locked once for each Python."""
    entries = {}
    for block in re.split(r"^(?=[a-zA-Z])", lock.read_text(encoding="utf-8"), flags=re.MULTILINE):
        if not block.startswith("#"):
            # Who asks for the package differs between the locks.
            entry = block.partition("    # via")[0].strip()
            entries.setdefault(re.match(r"[\w.-]+", entry).group(), set()).add(entry)
    return entries


def pip_would(arguments):
    """Return what pip would do in this environment, offline."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.mark.parametrize("lock", [*LOCKS, BENCH], ids=["all", "course", "bench"])
def test_a_lock_names_packages_and_hashes_only(lock):
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
    for entry in (entry for entries in locked(lock).values() for entry in entries):
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


@pytest.mark.parametrize("requirement", DIRECT.values(), ids=DIRECT)
def test_every_direct_dependency_is_locked_within_its_bounds(requirement):
    assert any(str(part).startswith(">=") for part in requirement.specifier)
    for entry in locked(LOCKS[0])[requirement.name]:
        (pin,) = Requirement(entry.partition("\\")[0]).specifier
        assert pin.operator == "=="
        assert requirement.specifier.contains(pin.version)
    assert requirement.specifier.contains(version(requirement.name))


def test_a_student_gets_what_the_notebooks_need_in_the_versions_that_are_tested():
    everything, course = map(locked, LOCKS)
    assert course.keys() >= FOR_NOTEBOOKS.keys()
    assert course.items() <= everything.items()
    assert course.keys().isdisjoint({"jupyter-book", "playwright", "pytest"})


def test_the_package_leaves_alone_what_colab_has():
    for requirement in requirements(PROJECT["dependencies"]).values():
        if requirement.name in COLAB:
            assert requirement.specifier.contains(COLAB[requirement.name]), requirement


@pytest.mark.slow
def test_conda_and_binder_install_the_lock_and_after_it_the_project_without_a_download():
    conda = (ROOT / "environment.yml").read_text(encoding="utf-8")
    *names, last = yaml.safe_load(conda)["dependencies"]
    assert [re.match(r"\w+", name).group() for name in names] == ["python", "pip"]
    # Conda hands these lines to pip in a file that it writes beside environment.yml.
    lock = pip_would(shlex.split(*last["pip"]))
    assert lock.returncode == 0, lock.stderr
    assert "Would install" not in lock.stdout
    binder = (ROOT / "postBuild").read_text(encoding="utf-8").splitlines()[-1]
    command = binder.removeprefix("exec python -m pip install ")
    assert command in conda
    project = pip_would(shlex.split(command))
    assert project.returncode == 0, project.stderr
    assert re.search(rf"Would install posenc-{re.escape(PROJECT['version'])}\s*$", project.stdout)
