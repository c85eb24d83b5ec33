"""The checkers' tests are slow: each tries dozens of answers, each answer on dozens of cases."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(items):
    """Mark what stands in this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
