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


def pip(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "pip", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


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


def test_conda_takes_python_and_pip_and_leaves_the_rest_to_the_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *conda, last = environment["dependencies"]
    assert [re.match(r"\w+", name).group() for name in conda] == ["python", "pip"]
    python = re.search(r"[\d.]+", conda[0]).group()
    assert tuple(map(int, python.split("."))) >= (3, 11)
    assert last == {"pip": ["--requirement requirements.txt"]}


@pytest.mark.slow
def test_what_the_conda_environment_says_is_what_pip_has_installed(tmp_path):
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    # Conda hands these lines to pip in a file that it writes beside environment.yml.
    words = [word for line in environment["dependencies"][-1]["pip"] for word in shlex.split(line)]
    run = pip("install", "--dry-run", "--no-index", *words)
    assert run.returncode == 0, run.stderr
    assert "Would install" not in run.stdout


@pytest.mark.slow
def test_the_project_is_installed_after_the_lock_without_a_download():
    script = (ROOT / "postBuild").read_text(encoding="utf-8").splitlines()[-1]
    exec_, python, dash_m, pip_, *words = shlex.split(script)
    assert [exec_, python, dash_m, pip_] == ["exec", "python", "-m", "pip"]
    assert " ".join(words[1:]) in (ROOT / "environment.yml").read_text(encoding="utf-8")
    run = pip(*words, "--dry-run", "--no-index")
    assert run.returncode == 0, run.stderr
    assert re.search(rf"Would install posenc-{re.escape(PROJECT['version'])}\s*$", run.stdout)
