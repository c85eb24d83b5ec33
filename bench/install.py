"""Install what the measurement compares and needs, and name the packages that cannot be had.

Usage: .venv-bench/bin/python bench/install.py TORCH

TORCH is what pip is asked for as PyTorch. What cannot be installed is named, and then missing
from the measurement; only without what the measurement itself needs does this program fail.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

LOCK = Path(__file__).resolve().with_name("requirements.txt")
NEEDED = {"numpy", "pandas", "tqdm", "mpmath", "pyperf", "hatchling"}


def entries(lock):
    """Return the name and the text of each entry of a lock with hashes."""
    found = re.split(r"^(?=[a-zA-Z0-9])", lock, flags=re.MULTILINE)[1:]
    return [(entry.partition("==")[0], entry) for entry in found]


def install(*arguments):
    """Tell whether pip installs what the arguments name."""
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    return subprocess.run([*pip, *arguments], check=False).returncode == 0


def install_each(lock):
    """Install each entry of a lock by itself; return the names of those that fail."""
    missing = []
    with tempfile.TemporaryDirectory() as folder:
        for name, entry in entries(lock):
            one = Path(folder, "requirements.txt")
            one.write_text(entry, encoding="utf-8")
            if not install("--require-hashes", "--no-deps", "-r", str(one)):
                missing.append(name)
    return missing


def main(torch):
    """Install the lock, at once or else one by one, and PyTorch."""
    missing = []
    if not install("--require-hashes", "--no-deps", "-r", str(LOCK)):
        missing += install_each(LOCK.read_text(encoding="utf-8"))
    if not install(*torch.split()):
        missing.append("torch")
    for name in missing:
        print(f"{name} cannot be installed and is left out of the measurement", file=sys.stderr)
    return 1 if NEEDED & set(missing) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
