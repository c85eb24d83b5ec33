"""Describe a table in a file, from the shell."""

import argparse
import json
import pickle
import zipfile
from functools import partial
from pathlib import Path

import numpy as np

from posenc.layouts import describe

KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "V2", "C64": "<c8"}


def main(arguments=None):
    """Describe a table in a file; `arguments` are those of the command line."""
    about = "Say what a table of sinusoids is made of."
    parser = argparse.ArgumentParser("python -m posenc.layouts", description=about)
    parser.add_argument("file", type=Path, help=".npy, .npz, .pt or .safetensors")
    parser.add_argument("name", nargs="?", help="which table, if the file has several")
    parser.add_argument("--tensor", metavar="NAME", help="the same")
    parser.add_argument("--grid", type=int, nargs="+", help="sides of a picture (2) or a film (3)")
    given = parser.parse_args(arguments)
    try:
        tables = _tables(given.file)
        name = given.name or given.tensor or (min(tables) if len(tables) == 1 else None)
        if name not in tables:
            wanted = f"{name} isn't in the file" if name else "say which table"
            raise ValueError(f"{wanted}; it has {', '.join(tables) or 'none'}")
        table = tables[name]()
        if table.dtype == "V2":  # bfloat16, the upper half of a float32
            table = (table.view("<u2").astype("<u4") << 16).view("<f4")
        print(describe(table, grid=given.grid))
    except Exception as error:  # a broken file may raise anything in what reads it
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        parser.exit(1, f"{given.file}: {' '.join(words.split())}\n")


def _tables(path):
    """Return functions that read the tables of a file, by name."""
    content = np.memmap(path, mode="r")
    head, end = bytes(content[:9]), 8 + int.from_bytes(content[:8], "little")
    if head.startswith(b"\x93NUMPY"):
        return {path.stem: partial(np.load, path)}
    if head[8:] == b"{" and end <= len(content):
        tensors = json.loads(bytes(content[8:end]))
        tensors.pop("__metadata__", None)
        return {name: partial(_tensor, content[end:], **one) for name, one in tensors.items()}
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as file:
            names = file.namelist()
        if "data.pkl" not in str(names):
            return {name.removesuffix(".npy"): partial(_array, path, name) for name in names}
        return dict(_from_torch(path))
    if head.startswith(b"\x80"):
        return dict(_from_torch(path))
    raise ValueError("this is no .npy, .npz, .pt or .safetensors file, or not a whole one")


def _array(path, name):
    with np.load(path) as arrays:
        return arrays[name]


def _tensor(content, dtype, shape, data_offsets):
    if dtype not in KINDS:
        raise ValueError(f"the dtype must be one of {', '.join(KINDS)}, got {dtype}")
    return content[slice(*data_offsets)].view(KINDS[dtype]).reshape(shape)


def _from_torch(path):
    try:
        import torch
    except ImportError:
        raise ValueError("a .pt file takes PyTorch to read, which is not installed") from None
    try:
        held = {path.stem: torch.load(path, map_location="cpu", weights_only=True)}
    except pickle.UnpicklingError:
        raise ValueError("it has more than tensors, or is broken, and is not loaded") from None
    while held:
        name, one = held.popitem()
        if isinstance(one, dict):
            held |= {str(key): value for key, value in one.items()}
        elif isinstance(one, torch.Tensor):
            one = one.float() if one.dtype == torch.bfloat16 else one
            yield name, one.detach().numpy


if __name__ == "__main__":
    main()
