"""The lock, the conda environment and the project name the same packages."""

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
LOCK = (ROOT / "requirements.txt").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DIRECT = [
    Requirement(line) for line in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
]


def locked():
    """Return {name: [Requirement, ...]}; a package may be locked once for each Python."""
    entries = {}
    for line in LOCK.splitlines():
        if line and line[0] not in " #":
            requirement = Requirement(line.rstrip("\\").strip())
            entries.setdefault(requirement.name, []).append(requirement)
    return entries


def pip(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "pip", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


def test_the_lock_names_packages_and_hashes_only():
    assert "://" not in LOCK
    assert "index-url" not in LOCK
    for block in re.split(r"^(?=[a-zA-Z])", LOCK, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in block, block.splitlines()[0]


@pytest.mark.parametrize("requirement", DIRECT, ids=lambda requirement: requirement.name)
def test_every_direct_dependency_is_locked_within_its_bounds(requirement):
    assert any(str(part).startswith(">=") for part in requirement.specifier)
    for entry in locked()[requirement.name]:
        (pin,) = entry.specifier
        assert pin.operator == "=="
        assert requirement.specifier.contains(pin.version)
    assert requirement.specifier.contains(version(requirement.name))


def test_conda_takes_python_and_pip_and_leaves_the_rest_to_the_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *conda, last = environment["dependencies"]
    assert [re.match(r"\w+", name).group() for name in conda] == ["python", "pip"]
    python = re.search(r"[\d.]+", conda[0]).group()
    assert tuple(map(int, python.split("."))) >= (3, 11)
    assert last == {"pip": ["--requirement requirements.txt"]}


def test_what_the_conda_environment_says_is_what_pip_has_installed(tmp_path):
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    # Conda hands these lines to pip in a file that it writes beside environment.yml.
    words = [word for line in environment["dependencies"][-1]["pip"] for word in shlex.split(line)]
    run = pip("install", "--dry-run", "--no-index", *words)
    assert run.returncode == 0, run.stderr
    assert "Would install" not in run.stdout


def test_the_project_is_installed_after_the_lock_without_a_download():
    script = (ROOT / "postBuild").read_text(encoding="utf-8").splitlines()[-1]
    exec_, python, dash_m, pip_, *words = shlex.split(script)
    assert [exec_, python, dash_m, pip_] == ["exec", "python", "-m", "pip"]
    assert " ".join(words[1:]) in (ROOT / "environment.yml").read_text(encoding="utf-8")
    run = pip(*words, "--dry-run", "--no-index")
    assert run.returncode == 0, run.stderr
    assert re.search(rf"Would install posenc-{re.escape(PROJECT['version'])}\s*$", run.stdout)
