"""The smaller programs: each does what it says, and refuses what it cannot do."""

from pathlib import Path

import browsers
import draw_social_card
import numpy as np
import pytest
import yaml
from matplotlib import pyplot as plt
from PIL import Image

ROOT = Path(__file__).parents[1]
TITLED = ("README.md", "CITATION.cff", "LICENSE", "book/index.md", "book/take_away/READ-ME.txt")


@pytest.mark.parametrize("name", [*TITLED, "pyproject.toml", "src/posenc/__init__.py"])
def test_the_title_is_the_same_everywhere(name):
    config = yaml.safe_load((ROOT / "book" / "_config.yml").read_text(encoding="utf-8"))
    assert config["title"] == draw_social_card.TITLE
    assert config["title"] in (ROOT / name).read_text(encoding="utf-8")


def test_the_card_is_what_its_program_draws(tmp_path):
    target = tmp_path / "card.png"
    draw_social_card.draw(target)
    plt.close("all")
    with Image.open(target) as drawn, Image.open(draw_social_card.TARGET) as kept:
        assert drawn.size == (1200, 630)
        apart = np.asarray(drawn.convert("RGB"), float) - np.asarray(kept.convert("RGB"), float)
    # Letters may differ a little between platforms.
    assert np.abs(apart).mean() < 1


def test_chromium_is_the_one_that_is_named_or_the_first_of_the_system(monkeypatch):
    programs = {"google-chrome": "/bin/google-chrome", "mine": "/bin/mine"}
    monkeypatch.setattr(browsers.shutil, "which", programs.get)
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert Path(browsers.launch_options()["executable_path"]).name == "google-chrome"
    monkeypatch.setenv("CHROMIUM", "mine")
    assert Path(browsers.launch_options()["executable_path"]).name == "mine"
    monkeypatch.setenv("CHROMIUM", "not there")
    with pytest.raises(FileNotFoundError, match="apt install chromium"):
        browsers.launch_options()
