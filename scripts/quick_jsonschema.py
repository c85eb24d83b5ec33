"""Keep jsonschema from loading what takes two seconds: import this before it.

For formats of addresses, which nothing here checks, it builds a grammar (its issue 1428).
"""

import sys

sys.modules["rfc3987_syntax"] = None  # as if it were not installed
