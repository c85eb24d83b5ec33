"""Each of the theme's icons shows one outline, although the theme's icon script is left out."""

import pytest

PAGES = ["book/index.html", "notebooks/01_formula.html", "search.html"]
# A code point for private use that no icon has.
NO_ICON = "\uf8fe"

# The ink of each icon that is seen, drawn large, and that of a letter that the font lacks.
DRAWN = """async (missing) => {
  const canvas = new OffscreenCanvas(100, 100);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const ink = (font, letter) => {
    context.reset();
    context.font = font;
    context.fillText(letter, 20, 70);
    return context.getImageData(0, 0, 100, 100).data.filter((_, i) => i % 4 === 3).join("");
  };
  const icons = [...document.querySelectorAll("[class^='fa-'], [class*=' fa-'], .fas, .fab")];
  const seen = [];
  for (const icon of icons.filter((it) => it.checkVisibility())) {
    const before = getComputedStyle(icon, "::before");
    const letter = before.content.replaceAll('"', "");
    const font = `${before.fontWeight} 50px ${before.fontFamily}`;
    await document.fonts.load(font, letter);
    seen.push({
      name: icon.className,
      letters: [...letter].length,
      children: icon.childNodes.length,
      drawn: ink(font, letter),
      missing: ink(font, missing),
    });
  }
  return seen;
}"""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_each_icon_shows_one_outline(open_page, site, name, width):
    seen = open_page(site + name, width=width).evaluate(DRAWN, NO_ICON)
    assert len(seen) > 3
    for icon in seen:
        assert icon["letters"] == 1, icon["name"]
        assert icon["children"] == 0, icon["name"]
        assert "1" in icon["drawn"], icon["name"]
        assert icon["drawn"] != icon["missing"], icon["name"]
    outlines = {frozenset(icon["name"].split()): icon["drawn"] for icon in seen}
    assert len(set(outlines.values())) >= len(outlines) - 2
