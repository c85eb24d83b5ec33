"""The course has one title, and the card that other sites show says it."""

from pathlib import Path

import draw_social_card
import numpy as np
import yaml
from matplotlib import pyplot as plt
from PIL import Image

ROOT = Path(__file__).parents[1]
TITLED = ("README.md", "CITATION.cff", "book/index.md", "pyproject.toml")


def test_the_title_is_the_same_everywhere():
    config = yaml.safe_load((ROOT / "book" / "_config.yml").read_text(encoding="utf-8"))
    assert config["title"] == draw_social_card.TITLE
    for name in TITLED:
        assert config["title"] in (ROOT / name).read_text(encoding="utf-8"), name


def test_the_card_is_what_its_program_draws(tmp_path):
    target = tmp_path / "card.png"
    draw_social_card.draw(target)
    plt.close("all")
    with Image.open(target) as drawn, Image.open(draw_social_card.TARGET) as kept:
        assert drawn.size == (1200, 630)
        apart = np.asarray(drawn.convert("RGB"), float) - np.asarray(kept.convert("RGB"), float)
    # Letters may differ a little between platforms.
    assert np.abs(apart).mean() < 1
