"""Measure the course itself: how long it takes to build, and how heavy its pages are.

Usage: .venv/bin/python bench/measure_course.py [step ...]

Steps: book again execute test weight (all by default). The first four run in a fresh clone of
the last commit, in a temporary folder; `weight` opens every page of the built book in Chromium,
with an empty cache. The results are merged into bench/results/course.json: what is not measured
stays as it was.
"""

import functools
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "bench" / "results" / "course.json"
TARGETS = {
    "book": ("fresh clone to finished book", "book"),
    "again": ("second `make book`, nothing changed", "book"),
    "execute": ("`make execute`, all notebooks", "execute"),
    "test": ("`make test`", "test"),
}


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that reports nothing."""

    def log_message(self, *arguments):
        """Say nothing."""


def weights(book):
    """Return what a new reader's browser receives for each page: files and kilobytes."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(ROOT / "scripts"))
    from browsers import HOW_TO_INSTALL, find_chromium

    browser_path = find_chromium()
    if browser_path is None:
        raise SystemExit(HOW_TO_INSTALL)
    server = http.server.ThreadingHTTPServer(
        ("localhost", 0), functools.partial(Quiet, directory=book)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages = sorted(p for folder in ("book", "notebooks") for p in (book / folder).glob("*.html"))
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for path in pages:
            name = path.relative_to(book).as_posix()
            page = browser.new_page()
            received = []
            page.on("requestfinished", lambda request, seen=received: seen.append(request))
            page.goto(f"http://localhost:{server.server_port}/{name}", wait_until="networkidle")
            sizes = [request.sizes()["responseBodySize"] for request in received]
            found[name] = {"files": len(sizes), "kilobytes": round(sum(sizes) / 1000)}
            page.close()
        browser.close()
    server.shutdown()
    return found


def main(steps):
    """Measure the steps and merge them into the results."""
    steps = steps or [*TARGETS, "weight"]
    result = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    seconds = result.setdefault("seconds", {})
    with tempfile.TemporaryDirectory() as temporary:
        clone, book = Path(temporary, "course"), ROOT / "book" / "_build" / "html"
        if set(steps) & set(TARGETS):
            begun = time.perf_counter()
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
            book = clone / "book" / "_build" / "html"
        for step, (what, target) in TARGETS.items():
            if step in steps:
                begun = begun if step == "book" else time.perf_counter()
                subprocess.run(["make", target], cwd=clone, check=True)
                seconds[what] = round(time.perf_counter() - begun)
        if "weight" in steps:
            result["pages"] = weights(book)
    result["load"] = round(os.getloadavg()[0], 1)
    result["cores"] = os.cpu_count()
    text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
