"""Call `jupyter-book`, from a folder whose name may hold spaces.

Usage: python scripts/build_book.py build . ...
"""

import quick_jsonschema  # noqa: F401

# isort: split
from jupyter_book.cli.main import main

main()
