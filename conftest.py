"""How nbval starts its kernels."""

import sys
import tempfile
from pathlib import Path

import nbval.kernel
from jupyter_client.manager import KernelManager


class KernelManagerWithoutPorts(KernelManager):
    """Start a kernel that listens on files of its own.

    Two kernels that start at the same moment may pick the same network port, and then one of them
    never answers.
    """

    def __init__(self, **options):
        folder = Path(tempfile.mkdtemp(prefix="nbval-"))
        super().__init__(transport="ipc", connection_file=str(folder / "kernel.json"), **options)


# Windows has no such files.
if sys.platform != "win32":
    nbval.kernel.KernelManager = KernelManagerWithoutPorts
