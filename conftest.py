"""How nbval starts its kernels."""

import nbval.kernel
from kernels import FileKernelManager

nbval.kernel.KernelManager = FileKernelManager
