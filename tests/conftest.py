"""How hypothesis looks for examples: the same each time, and however slow the machine is."""

from hypothesis import settings

settings.register_profile("course", deadline=None, derandomize=True, database=None)
settings.load_profile("course")
