// A button that lets a slider run, for sliders that stand for time, a position or an offset.
(() => {
  "use strict";
  const STILL = matchMedia("(prefers-reduced-motion: reduce)");
  // After a rest of the whole page, motion goes on where it was.
  const LONGEST_FRAME = 0.1;

  // Returns the button. `perSecond` is by how much the slider moves; `drawn` promises that the
  // picture follows it. For readers who want no motion, a press moves it on at once by the way
  // of a second.
  window.playButton = (slider, name, perSecond, drawn) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "play";
    let playing = null;
    let place = 0;

    function show() {
      const word = STILL.matches ? "Step" : playing ? "Pause" : "Play";
      button.setAttribute("aria-label", `${word}: ${name}`);
      button.title = word;
    }

    function pause() {
      playing = null;
      show();
    }

    function begin() {
      const [value, least, greatest] = [slider.value, slider.min, slider.max].map(Number);
      place = value < greatest ? value : least;
      moveTo(place);
    }

    // The slider rounds to its own steps.
    function moveTo(value) {
      const before = slider.value;
      slider.value = value;
      if (slider.value !== before) slider.dispatchEvent(new Event("input"));
      if (value >= Number(slider.max)) pause();
    }

    async function play() {
      const mine = (playing = {});
      show();
      begin();
      let last = performance.now();
      for (;;) {
        const now = await new Promise(requestAnimationFrame);
        if (playing !== mine) return;
        place += perSecond * Math.min((now - last) / 1000, LONGEST_FRAME);
        last = now;
        moveTo(place);
        await drawn();
      }
    }

    function step() {
      const again = Number(slider.value) >= Number(slider.max);
      begin();
      if (!again) moveTo(place + perSecond);
    }

    button.addEventListener("click", () => {
      if (playing) pause();
      else if (STILL.matches) step();
      else play();
    });
    // Who takes the slider in hand moves it alone.
    slider.addEventListener("input", (event) => event.isTrusted && pause());
    STILL.addEventListener("change", pause);
    show();
    return button;
  };
})();
