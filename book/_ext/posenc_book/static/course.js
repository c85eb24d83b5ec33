// The search page fetches each result to show an excerpt, which a browser refuses to a page that was
// opened from the file system. There, results are shown without excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

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

// The table of the field guide is searched, and sorted at its heads; without scripts it stands.
addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table.families")) {
    const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
    const search = document.createElement("p");
    search.className = "search-families";
    search.innerHTML = '<label>Search <input type="search"></label> <output></output>';
    (table.closest(".output") ?? table).before(search);
    const [input, output] = search.querySelectorAll("input, output");
    (input.oninput = () => {
      const words = input.value.toLowerCase().split(/\s+/);
      for (const it of rows) it.hidden = !words.every(word => it.textContent.toLowerCase().includes(word));
      output.textContent = `${rows.filter(it => !it.hidden).length} of ${rows.length} families`;
    })();
    for (const [column, head] of heads.entries()) {
      const button = head.appendChild(document.createElement("button"));
      button.ariaLabel = `Sort by ${head.textContent}`;
      const key = ({ cells: { [column]: it } }) => it.dataset.sort ? +it.dataset.sort : it.textContent;
      const order = (a, b) => typeof a === "string" ? a.localeCompare(b) : a - b;
      button.onclick = () => {
        const sense = head.ariaSort === "ascending" ? -1 : 1;
        for (const it of heads) it.ariaSort = it === head ? ["descending", , "ascending"][sense + 1] : null;
        const after = (a, b) => (a === "") - (b === "") || sense * order(a, b);
        body.append(...rows.sort((a, b) => after(key(a), key(b))));
      };
    }
  }
});
