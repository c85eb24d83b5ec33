"""Run a command as on older processors, one after another.

Usage: python scripts/processors.py COMMAND [ARGUMENT ...]

NumPy and OpenBLAS choose their loops by what the processor has, and the loops round differently.
Two environment variables hide what a Nehalem (no AVX) and a Haswell (AVX2, no AVX-512) lack.
"""

import os
import subprocess
import sys

import numpy as np


def settings(features):
    """Return {processor: its environment variables}, given what NumPy uses on this processor."""
    if "X86_V3" not in features:
        return {}
    lacking = {"Nehalem": features, "Haswell": [name for name in features if name != "X86_V3"]}
    return {
        processor: {"NPY_DISABLE_CPU_FEATURES": " ".join(names), "OPENBLAS_CORETYPE": processor}
        for processor, names in lacking.items()
    }


def main(command):
    """Run a command in each setting; return how many times it failed."""
    features = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    variables = settings(features)
    if not variables:
        print("This processor can't stand in for an older one.")
    failures = 0
    for processor, hidden in variables.items():
        print(f"\n==> As on a {processor}", flush=True)
        failures += subprocess.run(command, env=os.environ | hidden, check=False).returncode != 0
    return failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
