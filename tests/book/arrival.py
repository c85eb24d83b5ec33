"""How a page arrives on a slow line: its text first, then its pictures, charts and fonts."""

from types import SimpleNamespace

from browsers import show_all

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
HEIGHTS = """() => Object.fromEntries(
    [...document.querySelectorAll("article img, .course-chart")]
    .filter(it => it.checkVisibility())
    .map(it => [it.getAttribute("src") ?? it.querySelector("[aria-label]").ariaLabel.slice(0, 60),
                it.getBoundingClientRect().height]))"""
ARRIVED = """() => scrollY === 0 && document.fonts.status === "loaded"
    && [...document.querySelectorAll(".course-chart")].every(
        it => it.dataset.drawn || it.getBoundingClientRect().top > 2 * innerHeight)"""


def arrive(page, address):
    """Open a page as it arrives; return its `shifts`, what it `asked` for at first, and heights.

    The heights are those of pictures and charts, `before` any has arrived and `after` all have,
    those far down the page, too.
    """
    late, all_may_come = [], False

    def hold(route):
        asked = route.request
        is_late = asked.resource_type in ("image", "font") or asked.url.endswith("/vega.js")
        if is_late and not all_may_come:
            late.append(route)
        else:
            route.continue_()

    page.add_init_script(WATCH)
    page.route("**/*", hold)
    page.goto(address, wait_until="domcontentloaded")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    page.evaluate(TWO_FRAMES)
    before = page.evaluate(HEIGHTS)
    all_may_come = True
    # Each moves what has come before it. Fonts come last, since they move most.
    for route in sorted(late, key=lambda it: it.request.resource_type == "font"):
        route.continue_()
    page.wait_for_function(ARRIVED)
    page.wait_for_load_state("networkidle")
    shifts, asked = page.evaluate("window.shifts"), list(page.addresses)
    show_all(page)
    page.evaluate(TWO_FRAMES)
    page.unroute_all()
    after = page.evaluate(HEIGHTS)
    return SimpleNamespace(shifts=shifts, asked=asked, before=before, after=after)
