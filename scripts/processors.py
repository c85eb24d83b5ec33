"""Run a command as on older processors, one after another.

Usage: python scripts/processors.py COMMAND [ARGUMENT ...]

NumPy and OpenBLAS choose their loops by the processor, and the loops round differently.
Two environment variables hide what a Nehalem (no AVX) and a Haswell (AVX2, no AVX-512) lack.
"""

import os
import subprocess
import sys

import numpy as np


def older_processors(features):
    """Return environment variables by processor, given the features that NumPy uses on this one."""
    if "X86_V3" not in features:
        return {}
    hidden = {"Nehalem": features, "Haswell": [name for name in features if name != "X86_V3"]}
    return {
        processor: {"NPY_DISABLE_CPU_FEATURES": " ".join(names), "OPENBLAS_CORETYPE": processor}
        for processor, names in hidden.items()
    }


def main(command):
    """Run a command as on each processor; return how many times it failed."""
    features = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    processors = older_processors(features)
    if not processors:
        print("This processor can't stand in for an older one.")
    failures = 0
    for processor, variables in processors.items():
        print(f"\n==> As on a {processor}", flush=True)
        result = subprocess.run(command, env=os.environ | variables, check=False)
        failures += result.returncode != 0
    return failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
