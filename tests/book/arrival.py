"""How a page arrives on a slow line: its text first, then its pictures, charts and fonts."""

from types import SimpleNamespace

from browsers import wait_until_drawn

# Notes each shift as a browser does for its reports, and what moved. Reports leave out what follows
# an input within half a second; nobody touches this page, but setting its size counts as one.
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const it of list.getEntries())
    window.shifts.push([it.value, it.sources.map(({ node, previousRect, currentRect }) =>
      `${node?.nodeName} ${(node?.textContent ?? "").slice(0, 40)}: `
      + `${previousRect.y} → ${currentRect.y}`)]);
}).observe({ type: "layout-shift", buffered: true });
"""
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
BOXES = """() => [...document.querySelectorAll("article img, .course-chart")]
    .filter(it => it.checkVisibility())
    .map(it => [it.getAttribute("src") ?? it.querySelector("[aria-label]").ariaLabel.slice(0, 60),
                it.getBoundingClientRect().height])"""


class Held:
    """A page whose pictures, fonts and chart scripts wait until they are released."""

    def __init__(self, page):
        self.page = page
        self.waiting = []
        self.free = set()
        self.arriving = set()
        page.route("**/*", self._answer)
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda request: self.arriving.discard(request))

    def _answer(self, route):
        request = route.request
        kind = request.resource_type
        late = kind in ("image", "font") or request.url.endswith("/vega.js")
        if late and kind not in self.free:
            self.waiting.append(route)
        else:
            self._let_go(route)

    def _let_go(self, route):
        self.arriving.add(route.request)
        route.continue_()

    def release(self, kind):
        """Let all files of a kind arrive, now and later."""
        self.free.add(kind)
        released = [route for route in self.waiting if route.request.resource_type == kind]
        self.waiting = [route for route in self.waiting if route not in released]
        for route in released:
            self._let_go(route)
        self.settle()

    def settle(self):
        """Wait until everything that is on its way has arrived and is shown."""
        self.page.evaluate(TWO_FRAMES)
        while self.arriving:
            self.page.evaluate(TWO_FRAMES)
        self.page.evaluate(TWO_FRAMES)


def look_at_pictures(page):
    """Ask for every picture, as who scrolls to it does, and wait until all are there."""
    page.locator("img:visible").evaluate_all(
        """its => Promise.all(its.map(it => {
            it.loading = "eager";
            return it.decode().catch(() => {});
        }))"""
    )


def arrive(page, address):
    """Open a page as it arrives; return its `shifts`, what it `asked` for at first, and heights.

    The heights are those of pictures and charts, `before` any has arrived and `after` all have,
    those far down the page, too.
    """
    page.add_init_script(WATCH)
    held = Held(page)
    page.goto(address, wait_until="domcontentloaded")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    held.settle()
    before = dict(page.evaluate(BOXES))

    # Whatever comes last moves what the others have left.
    for kind in ("image", "script", "font"):
        held.release(kind)
    page.wait_for_function(
        "scrollY === 0 && document.fonts.status === 'loaded' &&"
        " [...document.querySelectorAll('.course-chart')].every(it => it.dataset.drawn"
        "  || it.getBoundingClientRect().top > 2 * innerHeight)"
    )
    held.settle()
    shifts, asked = page.evaluate("window.shifts"), list(page.addresses)

    look_at_pictures(page)
    wait_until_drawn(page)
    held.settle()
    page.unroute_all()
    return SimpleNamespace(
        shifts=shifts, asked=asked, before=before, after=dict(page.evaluate(BOXES))
    )
