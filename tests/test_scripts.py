"""The smaller programs: each does what it says, and refuses what it cannot do."""

import urllib.request
from pathlib import Path

import browsers
import cut_glove
import draw_social_card
import numpy as np
import print_book
import pytest
from matplotlib import pyplot as plt
from PIL import Image


@pytest.mark.parametrize("count", [0, -1])
def test_at_least_one_word_is_cut(count):
    source = {"dimensions": 1, "wordIndex": 1, "vectors": {"the": [0.5, 0], "of": [1.5, 1]}}
    with pytest.raises(ValueError, match=f"^count must be at least 1, got {count}$"):
        cut_glove.cut(source, count)


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
    assert Path(browsers.find_chromium()).name == "google-chrome"
    monkeypatch.setenv("CHROMIUM", "mine")
    assert Path(browsers.find_chromium()).name == "mine"
    monkeypatch.setenv("CHROMIUM", "not there")
    assert browsers.find_chromium() is None


def test_without_chromium_it_is_said_how_to_install_it(monkeypatch):
    monkeypatch.setattr(browsers, "find_chromium", lambda: None)
    with pytest.raises(SystemExit, match="apt install chromium"):
        print_book.main()


def test_a_folder_is_served_without_a_line_for_each_file(tmp_path, capsys):
    (tmp_path / "page.html").write_text("a page", encoding="utf-8")
    with browsers.serve(tmp_path) as address, urllib.request.urlopen(address + "page.html") as page:
        assert page.read() == b"a page"
    assert capsys.readouterr() == ("", "")


def test_the_server_reports_every_error_but_a_reader_who_hangs_up(capsys):
    with browsers.QuietServer(("127.0.0.1", 0), None) as server:
        for error in (BrokenPipeError("hung up"), OSError("the disk is gone")):
            try:
                raise error
            except OSError:
                server.handle_error(None, "reader")
    shown = capsys.readouterr().err
    assert "hung up" not in shown
    assert "the disk is gone" in shown
