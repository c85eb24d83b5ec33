"""Describe a table in a file, from the shell."""

import argparse
import json
import pickle
from pathlib import Path

import numpy as np

from posenc.layouts import describe

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "C64": "<c8"}


def main(arguments=None):
    """Describe a table in a file; `arguments` are those of the command line."""
    about = "Say what a table of sinusoids is made of."
    parser = argparse.ArgumentParser("python -m posenc.layouts", description=about)
    parser.add_argument("file", type=Path, help=".npy, .npz, .pt or .safetensors")
    parser.add_argument("name", nargs="?", help="which table, if the file has several")
    parser.add_argument("--tensor", metavar="NAME", help="the same")
    parser.add_argument("--grid", type=int, nargs="+", help="sides of a picture (2) or a film (3)")
    options = parser.parse_args(arguments)
    try:
        names, table = _tables(options.file)
        name = options.name or options.tensor or (names[0] if len(names) == 1 else None)
        if name not in names:
            wanted = f"{name} isn't in the file" if name else "say which table"
            raise ValueError(f"{wanted}; it has {', '.join(names) or 'none'}")
        print(describe(table(name), grid=options.grid))
    except Exception as error:  # a broken file may raise anything in what reads it
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        parser.exit(1, f"{options.file}: {' '.join(words.split())}\n")


def _tables(path):
    """Return the names of a file's tables, and a function that reads one."""
    content = np.memmap(path, mode="r")
    head, end = bytes(content[:9]), 8 + int.from_bytes(content[:8], "little")
    if head.startswith(b"\x93NUMPY"):
        return [path.stem], lambda name: np.load(path)
    if head[8:] == b"{" and end <= len(content):
        tensors = json.loads(bytes(content[8:end]))
        names = [name for name in tensors if name != "__metadata__"]
        return names, lambda name: _tensor(content[end:], **tensors[name])
    if head.startswith(b"PK"):
        arrays = np.load(path)
        if not any(name.endswith("data.pkl") for name in arrays.files):
            return arrays.files, arrays.__getitem__
    elif not head.startswith(b"\x80"):
        raise ValueError("this is no .npy, .npz, .pt or .safetensors file, or not a whole one")
    tensors = dict(_from_torch(path))
    return list(tensors), lambda name: tensors[name].numpy()


def _tensor(content, dtype, shape, data_offsets):
    if dtype not in DTYPES:
        raise ValueError(f"the dtype must be one of {', '.join(DTYPES)}, got {dtype}")
    numbers = content[slice(*data_offsets)].view(DTYPES[dtype]).reshape(shape)
    if dtype == "BF16":  # the upper half of a float32
        numbers = (numbers.astype("<u4") << 16).view("<f4")
    return numbers


def _from_torch(path):
    try:
        import torch
    except ImportError:
        raise ValueError("a .pt file takes PyTorch to read, which is not installed") from None
    try:
        entries = {path.stem: torch.load(path, map_location="cpu", weights_only=True)}
    except pickle.UnpicklingError:
        raise ValueError("it has more than tensors, or is broken, and is not loaded") from None
    while entries:
        name, entry = entries.popitem()
        if isinstance(entry, dict):
            entries |= {str(key): value for key, value in entry.items()}
        elif isinstance(entry, torch.Tensor):
            yield name, (entry.float() if entry.dtype == torch.bfloat16 else entry).detach()


if __name__ == "__main__":
    main()
