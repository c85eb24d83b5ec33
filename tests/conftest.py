"""How hypothesis looks for examples, and what coverage is asked for where there is no browser."""

from browsers import find_chromium
from hypothesis import settings

# The same examples each time, and however slow the machine is.
settings.register_profile("course", deadline=None, derandomize=True, database=None)
settings.load_profile("course")


def pytest_configure(config):
    """Without a browser, ask for no coverage of what drives it."""
    if find_chromium() is None:
        # Where pytest-cov looks for its options.
        config.known_args_namespace.cov_fail_under = 0
