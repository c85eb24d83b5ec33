"""Colors stand out by day and by night, when the book swaps black and white."""

import numpy as np
import pytest
from colors import DAY, ENOUGH, NIGHT, by_night, contrast
from PIL.ImageColor import getrgb

from posenc import figures, palette


def test_every_color_of_the_palette_stands_out_on_both_pages():
    colors = {name: color for name, color in vars(palette).items() if str(color).startswith("#")}
    del colors["FAINT"]
    for name, color in colors.items():
        by_day = getrgb(color)
        assert min(contrast(by_day, DAY), contrast(by_night(by_day), NIGHT)) >= 3, name


@pytest.mark.parametrize("centered", [True, False])
def test_a_map_has_no_color_at_zero_and_keeps_its_hues_in_the_dark(centered):
    colors = figures.color_map(centered=centered)
    zero = (colors.N - 1) // 2 if centered else 0
    assert colors(zero) == (1, 1, 1, 1)
    for end, strongest in ((0, 2), (colors.N - 1, 0)):
        if end != zero:
            by_day = 255 * np.array(colors(end)[:3])
            assert by_day.argmax() == by_night(by_day).argmax() == strongest
            assert min(contrast(by_day, DAY), contrast(by_night(by_day), NIGHT)) > ENOUGH
