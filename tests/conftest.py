"""What holds for every test: Hypothesis tries the same examples each time and looks at no clock."""

from hypothesis import settings

settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")
