// Draws every chart of a page with Vega-Embed, in the page's own colors and width.
// A classic script: a browser does not load modules from the file system.
(() => {
  "use strict";

  // Custom properties are resolved by the browser, so a chart follows the theme at once,
  // without being drawn again.
  const INK = "var(--pst-color-text-base)";
  const MUTED = "var(--pst-color-text-muted)";
  const FAINT = "var(--pst-color-border)";
  const COLORS = {
    axis: { labelColor: INK, titleColor: INK, domainColor: MUTED, tickColor: MUTED, gridColor: FAINT },
    legend: { labelColor: INK, titleColor: INK },
    header: { labelColor: INK, titleColor: INK },
    title: { color: INK, subtitleColor: INK },
  };
  const NARROWEST = 160;
  const ROOM_FOR_AXES = 76;

  function withColors(config = {}) {
    const merged = { ...config };
    for (const [part, colors] of Object.entries(COLORS)) {
      merged[part] = { ...merged[part], ...colors };
    }
    return merged;
  }

  // On a narrow page, charts that stand side by side stand one below the other, and each is no
  // wider than the page. A square stays a square.
  function fit(spec, available) {
    if (spec.hconcat) {
      const wide = spec.hconcat.reduce((sum, part) => sum + widthOf(part) + ROOM_FOR_AXES, 0);
      if (wide > available) {
        spec.vconcat = spec.hconcat;
        spec.center = true;
        delete spec.hconcat;
      }
    }
    const widest = Math.max(NARROWEST, available - ROOM_FOR_AXES);
    if (typeof spec.width === "number" && spec.width > widest) {
      if (spec.width === spec.height) spec.height = widest;
      spec.width = widest;
    }
    for (const part of spec.hconcat || spec.vconcat || []) fit(part, available);
  }

  function widthOf(spec) {
    const parts = spec.hconcat || [];
    if (parts.length) return parts.reduce((sum, part) => sum + widthOf(part) + ROOM_FOR_AXES, 0);
    const stacked = (spec.vconcat || []).map(widthOf);
    return typeof spec.width === "number" ? spec.width : Math.max(0, ...stacked);
  }

  async function draw(chart) {
    const view = chart.querySelector(".chart-view");
    try {
      const spec = JSON.parse(chart.querySelector("script").textContent);
      fit(spec, chart.clientWidth);
      spec.config = withColors(spec.config);
      spec.background = "transparent";
      await window.vegaEmbed(view, spec, { actions: false, renderer: "svg", tooltip: { theme: "custom" } });
      // To a screen reader the chart is one picture with its description.
      const svg = view.querySelector("svg");
      svg.querySelector("g").setAttribute("aria-hidden", "true");
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", spec.description);
      chart.dataset.drawn = "true";
    } catch (error) {
      // The picture says what the chart would have said.
      view.innerHTML = chart.querySelector("noscript").textContent;
      throw error;
    }
  }

  function drawAll() {
    document.querySelectorAll(".course-chart").forEach(draw);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", drawAll);
  else drawAll();
})();
