"""Cut fonts down to what the book shows: of 1400 icons it uses sixteen, of MathJax few letters."""

import re
from pathlib import Path

from fontTools import subset, ttLib

ICONS = "_static/vendor/fontawesome/webfonts/fa-solid-900.ttf"


def cut(source, target, text="", glyphs=()):
    """Write a font that holds only the letters of `text` and the glyphs of these names."""
    options = subset.Options(layout_features=[], notdef_outline=True, ignore_missing_glyphs=True)
    options.drop_tables += ["FFTM"]  # when the font was made, which it can't cut
    # Building twice gives the same bytes.
    font = ttLib.TTFont(source, recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(text=text, glyphs=glyphs)
    cutter.subset(font)
    font.flavor = "woff"
    target.parent.mkdir(parents=True, exist_ok=True)
    font.save(target)


def letters_of(style):
    """Return the letters that a style sheet puts into a page."""
    drawn = " ".join(re.findall(r'(?:content|--pst-icon-[a-z-]+): ?["\']([^"\']*)', style))
    return re.sub(r"\\([0-9A-Fa-f]{1,6}) ?", lambda code: chr(int(code[1], 16)), drawn)


def cut_icons(book):
    """Write the icons that pages name, or style sheets outside the theme's list of icons.

    A browser falls back on the theme's whole font for any other.
    """
    pages = "".join(path.read_text(encoding="utf-8") for path in book.rglob("*.html"))
    names = sorted(set(re.findall(r"\bfa-([a-z-]+)", pages)))
    sheets = "".join(path.read_text(encoding="utf-8") for path in book.rglob("*.css"))
    letters = letters_of(re.sub(r"\.fa-[^{}]*\{[^}]*\}", "", sheets))
    cut(book / ICONS, book / "_static" / "icons.woff", letters, names)


def cut_letters(fonts, style, target):
    """Write the fonts of formulas with the letters that their style sheet draws."""
    # The only letter of MathJax_Zero, which lends lines its height: browsers want one in a font.
    letters = letters_of(style) + "\ueffc"
    for font in Path(fonts).glob("*.woff"):
        cut(font, target / font.name, letters)
