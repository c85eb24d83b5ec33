"""Draw the picture in the README and on other sites' links to the book.

Usage: python scripts/draw_social_card.py
"""

from pathlib import Path

import matplotlib.pyplot as plt

from posenc.encodings import sinusoidal
from posenc.figures import color_map, use_course_style
from posenc.palette import SINE

TARGET = Path(__file__).resolve().parents[1] / "book" / "_static" / "social-card.png"
TITLE = "Positional Encoding, from Clocks to RoPE"


def draw(target):
    """Draw the table of 200 positions and the sines of four pairs, 1200 by 630 pixels."""
    use_course_style()
    table = sinusoidal(200, 256)
    figure, (image, waves) = plt.subplots(2, 1, figsize=(12, 6.3), height_ratios=(3, 2))
    figure.get_layout_engine().set(w_pad=0.25, h_pad=0.2)
    # The cosines look alike, and without them a row gets more than one pixel.
    image.imshow(table[:, 0::2].T, cmap=color_map(), origin="lower")
    image.set(ylabel="pair", xticks=[], yticks=[0, 32, 64, 96, 127])
    image.set_title(TITLE, fontsize=24, loc="left", pad=14)
    for pair, width in ((8, 1), (16, 2), (32, 3), (48, 4)):
        waves.plot(table[:, 2 * pair], color=SINE, linewidth=width, label=f"pair {pair}")
    waves.set(xlabel="position", ylabel="sine", xlim=(0, 199), yticks=[-1, 0, 1])
    waves.legend(ncols=4, loc="upper right", bbox_to_anchor=(1, 1.18))
    figure.savefig(target, dpi=100, metadata={"Software": None})


if __name__ == "__main__":
    draw(TARGET)
