"""How the course starts the kernels that execute its notebooks."""

import sys
import tempfile
from pathlib import Path

from jupyter_client.manager import AsyncKernelManager, KernelManager


class _OnFiles:
    """Start a kernel that listens on files of its own instead of network ports.

    Two kernels that start at the same moment may pick the same port, and then one of them never
    answers.
    """

    def __init__(self, **options):
        self._folder = tempfile.TemporaryDirectory(prefix="kernel-", ignore_cleanup_errors=True)
        # Windows has no such files.
        if sys.platform != "win32":
            connection_file = Path(self._folder.name) / "kernel.json"
            options |= {"transport": "ipc", "connection_file": str(connection_file)}
        super().__init__(**options)

    def cleanup_ipc_files(self):
        """Remove the folder with the files, unless the kernel is about to start again."""
        super().cleanup_ipc_files()
        if not Path(self.connection_file).is_file():
            self._folder.cleanup()


class FileKernelManager(_OnFiles, KernelManager):
    """The manager for nbval, which blocks while it waits for a message."""


class AsyncFileKernelManager(_OnFiles, AsyncKernelManager):
    """The manager for nbclient, which notices a cell that hangs only while nothing blocks it."""
