// Paper is light, whatever the screen is.
const paper = matchMedia("print");
const { dataset } = document.documentElement;
let onScreen;
paper.addEventListener("change", () => {
  if (paper.matches) onScreen = dataset.theme;
  dataset.theme = paper.matches ? "light" : onScreen;
});

// The theme (pydata-sphinx-theme) lets the keyboard scroll code and output that is wider than its
// place, but passes over what is folded away when the page is loaded.
addEventListener("DOMContentLoaded", () => {
  const unfolded = new ResizeObserver((resized) => {
    for (const { target: it } of resized)
      it.tabIndex = it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight ? 0 : -1;
  });
  const boxes = "pre, .cell_output > .output, .pst-scrollable-table-container";
  for (const it of document.querySelectorAll(`article :is(${boxes})`)) unfolded.observe(it);
});

// On a phone the list of sections lies over the page: a tap leads there, and closes it.
addEventListener("click", ({ target }) => {
  if (target.closest('dialog a[href*="#"]')) target.closest("dialog").close();
});

// The table of the field guide is searched, and sorted at its heads; without scripts it stands.
addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table.families")) {
    const [body] = table.tBodies, rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
    const place = table.closest(".output") ?? table, box = '<label>Search <input type="search"></label>';
    place.insertAdjacentHTML("beforebegin", `<p class="search-families">${box} <output></output></p>`);
    const [input, output] = place.previousElementSibling.querySelectorAll("input, output");
    (input.oninput = () => {
      const has = text => input.value.toLowerCase().split(/\s+/).every(it => text.includes(it));
      for (const it of rows) it.hidden = !has(it.textContent.toLowerCase());
      output.textContent = `${rows.filter(it => !it.hidden).length} of ${rows.length} families`;
    })();
    for (const [column, head] of heads.entries()) {
      const button = Object.assign(document.createElement("button"), { ariaLabel: `Sort by ${head.textContent}` });
      const key = ({ cells: { [column]: it } }) => it.dataset.sort ? +it.dataset.sort : it.textContent;
      button.onclick = () => {
        const sense = head.ariaSort === "ascending" ? -1 : 1;
        for (const it of heads) it.ariaSort = it !== head ? null : sense > 0 ? "ascending" : "descending";
        const after = (a, b) => (a === "") - (b === "") || sense * (a > b ? 1 : a < b ? -1 : 0); // empty ones last
        body.append(...rows.sort((a, b) => after(key(a), key(b))));
      };
      head.append(button);
    }
  }
});
