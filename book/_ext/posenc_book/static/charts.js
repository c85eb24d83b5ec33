// Draws the charts of a page with Vega-Embed, in the page's own width, and lets sliders run. A chart
// has its place at once; Vega is fetched when the first chart comes near.
// A classic script: a browser does not load modules from the file system.
(() => {
  "use strict";

  const NARROWEST = 160;
  const ROOM_FOR_AXES = 76;
  const PADDING = 10;
  const PICTURES_AFTER = 3000; // milliseconds
  const STILL = matchMedia("(prefers-reduced-motion: reduce)");
  const FINGER = matchMedia("(pointer: coarse)");
  // In seconds: after a rest of the whole page, motion goes on where it was.
  const LONGEST_FRAME = 0.1;
  const VEGA = new URL("vega.js", document.currentScript.src).href;

  function widthOf({ hconcat, vconcat = [], width }) {
    if (hconcat) return hconcat.reduce((sum, view) => sum + widthOf(view) + ROOM_FOR_AXES, 0);
    return width ?? Math.max(0, ...vconcat.map(widthOf));
  }

  // A chart's specification and its size; on a narrow page, that with views below each other.
  function choiceFor(chart, available) {
    const choices = JSON.parse(chart.querySelector("script").textContent);
    return choices.find(({ spec }) => widthOf(spec) <= available) ?? choices.at(-1);
  }

  // No view is wider than the page. A square stays a square, and dials stay round. Says by how much
  // the chart became lower.
  function shrink(spec, available) {
    const around = spec.name === "dials" ? PADDING : ROOM_FOR_AXES;
    const widest = Math.max(NARROWEST, available - around);
    let lower = 0;
    if (spec.width > widest) {
      if (spec.width === spec.height || spec.name === "dials") {
        lower = spec.height * (1 - widest / spec.width);
        spec.height -= lower;
      }
      spec.width = widest;
    }
    const views = spec.hconcat ?? spec.vconcat ?? [];
    return views.reduce((sum, view) => sum + shrink(view, available), lower);
  }

  // A chart that is folded away has no width of its own.
  const room = (chart) => chart.clientWidth || chart.closest("article").clientWidth;

  // A row like those that Vega will put in its place.
  function placeholder({ name, value, bind }) {
    const { input, min, max, step, labels } = bind;
    const limits = `min="${min}" max="${max}" step="${step}" value="${value}"`;
    const control = {
      range: `<input type="range" ${limits}><span>${value}</span>`,
      select: `<select><option>${labels?.[0]}</option></select>`,
    }[input];
    const row = document.createElement("div");
    row.className = "vega-bind";
    row.innerHTML = `<label><span class="vega-bind-name">${bind.name}</span>${control}</label>`;
    Object.assign(row.querySelector("input, select"), { name, disabled: true });
    return row;
  }

  function moveTo(slider, place) {
    slider.value = place;
    slider.dispatchEvent(new Event("input"));
  }

  // A button that lets a slider run, by `perSecond`. Meanwhile `draw` shows what lies between the
  // slider's steps. For readers who want no motion, a press moves it on by the way of a second.
  // If there is a `stage`, it runs by itself while a third of that is seen, until it's touched.
  function playButton(slider, name, perSecond, draw, stage) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "play" });
    const isAtEnd = () => Number(slider.value) >= Number(slider.max);
    let playing = null;

    function setMotion(motion) {
      // At rest the chart shows what the slider says.
      if (playing && !motion) moveTo(slider, slider.value);
      playing = motion;
      button.title = STILL.matches ? "Step" : playing ? "Pause" : "Play";
      button.setAttribute("aria-label", `${button.title}: ${name}`);
    }

    async function play() {
      const mine = {};
      setMotion(mine);
      let place = Number(isAtEnd() ? slider.min : slider.value);
      let last = performance.now();
      while (place < Number(slider.max)) {
        await draw(place);
        slider.nextElementSibling.textContent = slider.value;
        const now = await new Promise(requestAnimationFrame);
        if (playing !== mine) return;
        place += perSecond * Math.min((now - last) / 1000, LONGEST_FRAME);
        last = now;
      }
      slider.value = slider.max;
      setMotion(null);
    }

    const seen = new IntersectionObserver(
      ([{ isIntersecting }]) => (isIntersecting && !STILL.matches ? play() : setMotion(null)),
      { threshold: 0.3 }
    );
    if (stage) seen.observe(stage);
    stage?.addEventListener("pointerdown", () => {
      seen.disconnect();
      setMotion(null);
    });

    button.addEventListener("click", () => {
      seen.disconnect();
      if (playing) setMotion(null);
      else if (!STILL.matches) play();
      else moveTo(slider, isAtEnd() ? slider.min : Number(slider.value) + perSecond);
    });
    // Who takes the slider in hand moves it alone.
    slider.addEventListener("input", (event) => {
      if (!event.isTrusted) return;
      seen.disconnect();
      setMotion(null);
    });
    STILL.addEventListener("change", () => setMotion(null));
    setMotion(null);
    return button;
  }

  // A thumb can't put a slider with many steps on one of them: a button at either end.
  function addSteps(slider) {
    const { min, max, step, name } = slider;
    if (!FINGER.matches || (max - min) / step <= 100) return;
    const by = Number.isInteger(Number(step)) ? Number(step) : 10 * step;
    for (const [sign, word, at] of [["−", "less", -by], ["+", "more", by]]) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign });
      button.className = `step ${word}`;
      button.setAttribute("aria-label", `${name}: ${word}`);
      button.disabled = slider.disabled;
      button.addEventListener("click", () => moveTo(slider, Number(slider.value) + at));
      slider.closest("label").after(button);
    }
  }

  // A touch that turns out to scroll the page leaves a slider where it was.
  let touched = null;
  addEventListener("pointerdown", ({ target, pointerType }) => {
    touched = pointerType === "touch" && target.type === "range" ? [target, target.value] : null;
  }, true);
  addEventListener("pointercancel", ({ target }) => {
    if (touched?.[0] === target) moveTo(...touched);
  }, true);

  // Behind each slider that moves, a button that lets it run.
  function addButtons(controls, { motion = {}, starting = [] } = {}, view) {
    controls.querySelectorAll('input[type="range"]').forEach(addSteps);
    for (const [name, perSecond] of Object.entries(motion)) {
      const slider = controls.querySelector(`input[name="${name}"]`);
      const label = slider.closest("label");
      const draw = (place) => view.signal(name, place).runAsync();
      const stage = starting.includes(name) ? view?.container() : null;
      const button = playButton(slider, label.firstChild.textContent.trim(), perSecond, draw, stage);
      button.disabled = slider.disabled;
      label.after(button);
    }
  }

  let vega;
  function loadVega() {
    const script = document.createElement("script");
    vega ??= new Promise((onload, onerror) => {
      document.head.append(Object.assign(script, { src: VEGA, onload, onerror }));
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
      const { spec } = choiceFor(chart, room(chart));
      shrink(spec, room(chart));
      spec.background = "transparent";
      const reserved = chart.querySelector(".vega-bindings");
      const controls = reserved.cloneNode(false);
      const drawing = await window.vegaEmbed(view, spec, {
        actions: false,
        bind: controls,
        renderer: "svg",
        tooltip: { theme: "custom" },
      });
      addButtons(controls, spec.usermeta, drawing.view);
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
    (entries) => entries.forEach((it) => it.isIntersecting && draw(it.target)),
    { rootMargin: "100% 0%" }
  );

  addEventListener("beforeprint", () => waiting.forEach(draw));

  // On paper a picture stands in for a chart that is not drawn. Not every browser fetches it then:
  // it comes before the page's own button prints, and on a desk a while after the page.
  async function fetchPictures() {
    const pictures = [...document.querySelectorAll(".course-chart:not([data-drawn]) > img")];
    for (const picture of pictures) picture.loading = "eager";
    await Promise.allSettled(pictures.map((picture) => picture.decode()));
  }
  const print = window.print.bind(window);
  window.print = () => fetchPictures().then(print);
  if (matchMedia("(pointer: fine)").matches)
    addEventListener("DOMContentLoaded", () => setTimeout(fetchPictures, PICTURES_AFTER));

  // Called by the page behind each specification, before anything below the chart is shown.
  window.courseChart = (chart) => {
    chart.classList.add("alive");
    const available = room(chart);
    let { spec, size: [width, height] } = choiceFor(chart, available);
    width -= widthOf(spec);
    height -= shrink(spec, available);
    width += widthOf(spec);
    // What is still too wide, because of its labels, is shown smaller.
    const scale = Math.min(1, available / width);
    const view = chart.querySelector(".chart-view");
    view.style.minHeight = `${Math.round(scale * height)}px`;
    const controls = document.createElement("div");
    controls.className = "vega-bindings";
    controls.append(...(spec.params ?? []).filter((it) => it.bind).map(placeholder));
    addButtons(controls, spec.usermeta);
    view.after(controls);
    waiting.add(chart);
    near.observe(chart);
  };
})();
