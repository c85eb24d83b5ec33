"""Cut fonts down to what the book shows: 16 of 1400 icons, and a few of MathJax's letters."""

import re
from pathlib import Path

from fontTools import subset, ttLib

ICONS = "_static/vendor/fontawesome/webfonts/fa-solid-900.ttf"


def cut(source, target, text="", glyphs=()):
    """Write a font with only the letters of `text` and the named glyphs."""
    options = subset.Options(layout_features=[], notdef_outline=True, ignore_missing_glyphs=True)
    options.drop_tables += ["FFTM"]  # a date, in a table that it can't subset
    # Building twice gives the same bytes.
    font = ttLib.TTFont(source, recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(text=text, glyphs=glyphs)
    cutter.subset(font)
    font.flavor = "woff"
    target.parent.mkdir(parents=True, exist_ok=True)
    font.save(target)


def letters_of(style):
    """Return the letters that a style sheet adds to a page."""
    texts = " ".join(re.findall(r'(?:content|--pst-icon-[a-z-]+): ?["\']([^"\']*)', style))
    return re.sub(r"\\([0-9A-Fa-f]{1,6}) ?", lambda code: chr(int(code[1], 16)), texts)


def cut_icons(book):
    """Write the icons that pages name, or style sheets outside the theme's list of icons.

    For any other icon, a browser falls back on the theme's whole font.
    """
    pages = "".join(path.read_text(encoding="utf-8") for path in book.rglob("*.html"))
    names = sorted(set(re.findall(r"\bfa-([a-z-]+)", pages)))
    sheets = "".join(path.read_text(encoding="utf-8") for path in book.rglob("*.css"))
    letters = letters_of(re.sub(r"\.fa-[^{}]*\{[^}]*\}", "", sheets))
    cut(book / ICONS, book / "_static" / "icons.woff", letters, names)


def cut_letters(fonts, style, target):
    """Write the fonts of formulas, with the letters in their style sheet."""
    # The only letter of MathJax_Zero, which sets the height of lines and can't be empty.
    letters = letters_of(style) + "\ueffc"
    for font in Path(fonts).glob("*.woff"):
        cut(font, target / font.name, letters)
