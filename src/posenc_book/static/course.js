// The search page fetches each result to show an excerpt, which a browser refuses to a page that was
// opened from the file system. There, results are shown without excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
