"""How hypothesis looks for examples: the same each time, and however slow the machine is."""

from browsers import find_chromium
from hypothesis import settings

settings.register_profile("course", deadline=None, derandomize=True, database=None)
settings.load_profile("course")


def pytest_configure(config):
    """Without a browser, ask for no coverage of what drives it."""
    if find_chromium() is None:
        config.option.cov_fail_under = 0
