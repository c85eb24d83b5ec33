"""Build the book: `jupyter-book`, two seconds sooner, from a folder whose name may hold spaces.

Usage: python scripts/build_book.py build . ...          (`make book` names the rest)
"""

import quick_jsonschema  # noqa: F401

# isort: split
from jupyter_book.cli.main import main

if __name__ == "__main__":
    main()
