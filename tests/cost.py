"""What a call costs, counted and not timed: bytes."""

import tracemalloc


def peak_memory(function, *arguments, **options):
    """Return the result of a call and the most bytes that it held at once."""
    tracemalloc.start()
    try:
        result = function(*arguments, **options)
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
