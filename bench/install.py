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
NEEDED = {"numpy", "mpmath", "hatchling"}
LOCKED = "--require-hashes", "--no-deps", "-r"


def install(*arguments):
    """Tell whether pip installs what the arguments name."""
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    return subprocess.run([*pip, *arguments], check=False).returncode == 0


def main(torch):
    """Install the lock, at once or else one by one, and PyTorch."""
    missing = []
    if not install(*LOCKED, str(LOCK)):
        entries = re.split(r"^(?=[a-zA-Z0-9])", LOCK.read_text(encoding="utf-8"), flags=re.M)[1:]
        with tempfile.TemporaryDirectory() as folder:
            one = Path(folder, "requirements.txt")
            for entry in entries:
                one.write_text(entry, encoding="utf-8")
                if not install(*LOCKED, str(one)):
                    missing.append(entry.partition("==")[0])
    if not install(*torch.split()):
        missing.append("torch")
    for name in missing:
        print(f"{name} cannot be installed and is left out of the measurement", file=sys.stderr)
    return 1 if NEEDED & set(missing) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
