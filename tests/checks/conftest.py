"""The checkers' tests are slow: each tries dozens of answers, each answer on dozens of cases."""

import pytest


def pytest_itemcollected(item):
    """Mark what stands in this folder."""
    item.add_marker(pytest.mark.slow)
