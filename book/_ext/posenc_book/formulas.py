"""Set every formula while the book is built, so that pages show it at once and load no script.

MathJax comes in the package sphinx-mathjax-offline, and Node.js, in which it runs, in Playwright's.
What is known of their insides stands in this module.
"""

import html
import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

from playwright._impl._driver import compute_driver_executable
from sphinx.errors import ExtensionError

SCRIPT = Path(__file__).with_name("formulas.js")
MATHJAX = Path(find_spec("sphinx-mathjax-offline").submodule_search_locations[0], "static/mathjax")
STYLE = "formulas.css"
# What Sphinx writes for MathJax in a browser: an element, the formula's number, and TeX. What is
# written without a space before and behind it stays with it.
FORMULA = re.compile(
    r"(?P<before>[(“]*)"
    r'(?P<start><(?P<tag>span|div) class="(?:[^"]* )?math notranslate nohighlight"[^>]*>'
    r'(?:\s*<span class="eqno">.*?</a></span>)?)'
    r"\s*(?:\\[(\[])?(?P<tex>[^<]+?)(?:\\[)\]])?\s*(?P<end></(?P=tag)>)(?P<after>[.,;:?!)”’]*)"
)


def set_all(pages, static):
    """Set the formulas of `pages`, a dictionary of HTML, and write their style sheet and fonts."""
    found = sorted({it.group("tex", "tag") for it in FORMULA.finditer("".join(pages.values()))})
    asked = [[html.unescape(tex), tag == "div"] for tex, tag in found]
    command = [compute_driver_executable()[0], SCRIPT, MATHJAX]
    answer = subprocess.check_output(command, input=json.dumps(asked), encoding="utf-8")
    written, style = json.loads(answer)
    for (tex, _), formula in zip(asked, written):
        for error in re.findall(r'<mjx-merror data-mjx-error="([^"]*)"', formula):
            raise ExtensionError(f"MathJax refuses {tex!r}: {error}")
    (static / STYLE).write_text(style, encoding="utf-8")
    shutil.copytree(MATHJAX / "output/chtml/fonts/woff-v2", static / "mathjax")
    done = dict(zip(found, written, strict=True))

    def put(it):
        formula = it["start"] + done[it.group("tex", "tag")] + it["end"]
        if it["before"] or it["after"]:
            return f'<span class="unbroken">{it["before"]}{formula}{it["after"]}</span>'
        return formula

    for name, page in pages.items():
        page = FORMULA.sub(put, page)
        pages[name] = page.replace(f'/{STYLE}"', f'/{STYLE}?v={crc32(style.encode()):08x}"')
