"""Call `jupyter-book`: `python -m posenc_book build .`, from a folder whose name may hold spaces.

It begins two seconds earlier, without what jsonschema would load for formats of addresses, which
no setting has (jsonschema's issue 1428).
"""

import sys

sys.modules["rfc3987_syntax"] = None  # as if it were not installed

from jupyter_book.cli.main import main

main()
