"""The contrast that other tests ask for is that of the guidelines."""

import pytest
from colors import contrast


def test_contrast_is_that_of_the_guidelines():
    # Black and white, by definition, and the lightest gray that is legible on white.
    assert contrast([0, 0, 0], [255, 255, 255]) == pytest.approx(21)
    assert contrast([119] * 3, [255] * 3) < 4.5 < contrast([118] * 3, [255] * 3)
    assert contrast([255] * 3, [[118] * 3, [0] * 3])[1] == pytest.approx(21)
