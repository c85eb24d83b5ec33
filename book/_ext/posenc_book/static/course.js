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
