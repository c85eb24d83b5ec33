// Draws the charts of a page with Vega-Embed, in the page's own colors and width. A chart has its
// place at once; Vega is fetched when the first chart comes near.
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
    text: { color: INK },
    title: { color: INK, subtitleColor: INK },
  };
  const NARROWEST = 160;
  const ROOM_FOR_AXES = 76;
  const VEGA = new URL("vega.js", document.currentScript.src).href;

  function withColors(config = {}) {
    const merged = { ...config };
    for (const [part, colors] of Object.entries(COLORS)) {
      merged[part] = { ...merged[part], ...colors };
    }
    return merged;
  }

  // On a narrow page, views that stand side by side stand one below the other. Says whether any do.
  function stack(spec, available) {
    const parts = spec.hconcat || spec.vconcat || [];
    const stacked = Boolean(spec.hconcat) && widthOf(spec) > available;
    if (stacked) {
      spec.vconcat = spec.hconcat;
      spec.center = true;
      delete spec.hconcat;
    }
    return parts.map((part) => stack(part, available)).includes(true) || stacked;
  }

  // No view is wider than the page, and a square stays a square. Says by how much the chart became
  // lower.
  function shrink(spec, available) {
    const widest = Math.max(NARROWEST, available - ROOM_FOR_AXES);
    let lower = 0;
    if (typeof spec.width === "number" && spec.width > widest) {
      if (spec.width === spec.height) {
        lower = spec.height - widest;
        spec.height = widest;
      }
      spec.width = widest;
    }
    const parts = spec.hconcat || spec.vconcat || [];
    return parts.reduce((sum, part) => sum + shrink(part, available), lower);
  }

  function widthOf(spec) {
    const parts = spec.hconcat || [];
    if (parts.length) return parts.reduce((sum, part) => sum + widthOf(part) + ROOM_FOR_AXES, 0);
    const stacked = (spec.vconcat || []).map(widthOf);
    return typeof spec.width === "number" ? spec.width : Math.max(0, ...stacked);
  }

  // A chart that is folded away has no width of its own.
  function room(chart) {
    return chart.clientWidth || chart.closest("article").clientWidth;
  }

  function specOf(chart) {
    return JSON.parse(chart.querySelector("script").textContent);
  }

  // A row like those that Vega will put in its place.
  function placeholder({ name, value, bind }) {
    const row = document.createElement("div");
    row.className = "vega-bind";
    row.innerHTML = '<label><span class="vega-bind-name"></span></label>';
    const label = row.firstChild;
    label.firstChild.textContent = bind.name;
    const control = document.createElement(bind.input === "select" ? "select" : "input");
    Object.assign(control, { name, disabled: true });
    if (bind.input === "select") control.add(new Option(bind.labels[0]));
    else control.type = bind.input;
    if (bind.input === "checkbox") control.checked = value;
    label.append(control);
    if (bind.input === "range") {
      for (const limit of ["min", "max", "step"]) control[limit] = bind[limit];
      control.value = value;
      label.append(Object.assign(document.createElement("span"), { textContent: value }));
    }
    return row;
  }

  // Behind each slider that moves, a button that lets it run.
  function addButtons(controls, motion = {}, drawn) {
    for (const [name, perSecond] of Object.entries(motion)) {
      const slider = controls.querySelector(`input[name="${name}"]`);
      const label = slider.closest("label");
      const button = window.playButton(slider, label.firstChild.textContent.trim(), perSecond, drawn);
      button.disabled = slider.disabled;
      label.after(button);
    }
  }

  let vega;
  function loadVega() {
    vega ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      Object.assign(script, { src: VEGA, onload: resolve, onerror: reject });
      document.head.append(script);
    });
    return vega;
  }

  const waiting = new Set();

  async function draw(chart) {
    if (!waiting.delete(chart)) return;
    near.unobserve(chart);
    try {
      await loadVega();
      const view = chart.querySelector(".chart-view");
      const spec = specOf(chart);
      stack(spec, room(chart));
      shrink(spec, room(chart));
      spec.config = withColors(spec.config);
      spec.background = "transparent";
      const reserved = chart.querySelector(".vega-bindings");
      const controls = reserved.cloneNode(false);
      const drawing = await window.vegaEmbed(view, spec, {
        actions: false,
        renderer: "svg",
        tooltip: { theme: "custom" },
        bind: controls,
      });
      addButtons(controls, spec.usermeta?.motion, () => drawing.view.runAsync());
      reserved.replaceWith(controls);
      // To a screen reader the chart is one picture with its description.
      const svg = view.querySelector("svg");
      svg.querySelector("g").setAttribute("aria-hidden", "true");
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", spec.description);
      chart.dataset.drawn = "true";
    } catch (error) {
      // The picture says what the chart would have said.
      chart.classList.remove("alive");
      throw error;
    }
  }

  // A screen ahead of the reader.
  const near = new IntersectionObserver(
    (entries) => entries.filter((it) => it.isIntersecting).forEach((it) => draw(it.target)),
    { rootMargin: "100% 0%" }
  );
  addEventListener("beforeprint", () => waiting.forEach(draw));

  // Called by the page behind each specification, before anything below the chart is shown.
  window.courseChart = (chart) => {
    chart.classList.add("alive");
    const spec = specOf(chart);
    const available = room(chart);
    let [width, height] = JSON.parse(chart.dataset.sizes)[stack(spec, available) ? 1 : 0];
    width -= widthOf(spec);
    height -= shrink(spec, available);
    width += widthOf(spec);
    // What is still too wide, because of its labels, is shown smaller.
    const scale = Math.min(1, available / width);
    const view = chart.querySelector(".chart-view");
    view.style.minHeight = `${Math.round(scale * height)}px`;
    const controls = document.createElement("div");
    controls.className = "vega-bindings";
    controls.append(...(spec.params || []).filter((it) => it.bind).map(placeholder));
    addButtons(controls, spec.usermeta?.motion);
    view.after(controls);
    waiting.add(chart);
    near.observe(chart);
  };
})();
