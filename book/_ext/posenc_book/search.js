// Answers on Sphinx's search page with the best section of each page. Sphinx splits and stems words,
// and knows those without weight. The file goes on with what is searched: of each section the
// address, the titles of its page and its own, its text, and the key words of a page's beginning.
Search.query = (query) => {
  const stemmer = new Stemmer();
  const asking = "do does has have how i my what when where which who why".split(" ");
  const light = new Set([...stopwords, ...asking]);
  // ω_k and ωₖ are one word.
  const plain = (text) => text.normalize("NFKC").replaceAll("_", "").toLowerCase();
  const stem = (word) => stemmer.stemWord(word);
  const stems = (text) => splitQuery(plain(text)).filter((it) => !light.has(it)).map(stem);
  // Words, and pairs of neighbors.
  const terms = (text) => {
    const words = stems(text);
    return [...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)];
  };
  const asked = [...new Set(terms(query))];

  // Okapi BM25 with its usual constants. A title counts five times, and so do key words. What
  // explains is worth more than what names, and twice as much as what is looked up, asks the reader,
  // or tries something.
  const names = /^book.(glossary|notation)/;
  const aside = /^book.(api|corr|ref|speed|teach)|lab_|#(sources|exercises|check-yourself)$/;
  const worth = (address) => (aside.test(address) ? 0.5 : names.test(address) ? 0.75 : 1);
  const sections = Search._index.map(([address, page, title, text, keywords]) => {
    const words = [page, ...Array(5).fill([title, keywords]).flat(), text].flatMap(terms);
    const counts = asked.map((it) => words.filter((word) => word === it).length);
    return { address, page, title, text, keywords, counts, length: words.length };
  });
  const mean = sections.reduce((sum, it) => sum + it.length, 0) / sections.length;
  const weights = asked.map((_, i) => {
    const having = sections.filter((it) => it.counts[i]).length;
    return Math.log(1 + (sections.length - having + 0.5) / (having + 0.5));
  });
  const best = new Map();
  for (const it of sections) {
    const spread = 1.2 * (0.25 + (0.75 * it.length) / mean);
    const parts = it.counts.map((count, i) => (2.2 * weights[i] * count) / (count + spread));
    it.score = worth(it.address) * parts.reduce((sum, part) => sum + part, 0);
    if (it.score > (best.get(it.page)?.score ?? 0)) best.set(it.page, it);
  }
  const found = [...best.values()].sort((a, b) => b.score - a.score);

  const make = (tag, properties, ...inside) => {
    const it = Object.assign(document.createElement(tag), properties);
    it.append(...inside);
    return it;
  };
  const isAsked = (word) => stems(word).find((it) => asked.includes(it));
  const marked = (words) => words.flatMap((it) => [isAsked(it) ? make("mark", {}, it) : it, " "]);
  for (const { address, page, title, text, keywords } of found) {
    const words = `${text} ${keywords && `Key words: ${keywords}.`}`.trim().split(" ");
    // From the first forty words that hold most of what is asked.
    const hits = words.map(isAsked);
    const held = words.map((_, i) => new Set(hits.slice(i, i + 40).filter(Boolean)).size);
    const start = held.indexOf(Math.max(...held));
    const excerpt = [start ? "… " : "", ...marked(words.slice(start, start + 40)), "…"];
    const heading = marked((page === title ? page : `${page} › ${title}`).split(" "));
    const link = make("a", { href: address }, ...heading);
    Search.output.append(make("li", {}, link, make("p", { className: "context" }, ...excerpt)));
  }
  _finishSearch(found.length);
};
