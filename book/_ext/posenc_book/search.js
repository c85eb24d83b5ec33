// Answers on Sphinx's search page, with Sphinx's stems and words without weight. The file goes on
// with what is searched: of each page title and key words, then address, title, text of sections.
Search.query = (query) => {
  const stemmer = new Stemmer();
  const asking = `about am an any can could do does from has have how i me my question s should so t
    than use using versus vs we what when where which who why would you`.split(/\s+/);
  const stems = new Map([...stopwords, ...asking].map((word) => [word, ""]));
  const stem = (word) => stems.get(word) ?? stems.set(word, stemmer.stemWord(word)).get(word);
  // Words, and neighbors as one: position_ids is position ids, 10,000 is 10000, and ω_k is ωₖ.
  const terms = (text) => {
    const apart = text.normalize("NFKC").replace(/([a-z]{3})(?=[A-Z])/g, "$1 ").toLowerCase();
    const words = (apart.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem).filter(Boolean);
    return [words, words.slice(1).map((word, i) => words[i] + word)];
  };
  const asked = [...new Set(terms(query).flat())];
  const hits = (text) => terms(text).flat().filter((it) => asked.includes(it));
  // Okapi BM25: the rarer word decides. Neighbors count half, and a title five times. To its best
  // section, a page adds how well its own title and key words fit. What explains is worth half as
  // much again as what names, is looked up, or asks the reader.
  const pages = Search._index.map((places) => places.map(([address, title, text]) => {
    const all = hits(`${`${title} `.repeat(5)} ${text}`);
    const counts = asked.map((it) => all.filter((hit) => hit === it).length);
    return { address, title, text, counts };
  }));
  const places = pages.flat();
  const weights = asked.map((it, i) => {
    const having = places.filter(({ counts }) => counts[i]).length;
    return having && Math.log(1 + places.length / having) / (terms(query)[0].includes(it) ? 1 : 2);
  });
  const fit = ({ text, counts }) => {
    const spread = 0.5 + text.length / 1000;
    return counts.reduce((sum, n, i) => sum + (weights[i] * n) / (n + spread), 0);
  };
  const aside = /^book.(?!recipes|ten)|#(sources|exercises|check-yourself)$/;
  const score = (it, page) => (1.5 * fit(page) + fit(it)) / (aside.test(it.address) ? 1.5 : 1);
  // Each recipe answers a question of its own, so one more of them is shown, if it fits as well.
  const best = pages.flatMap(([page, ...sections]) => {
    const rated = sections.map((it) => ({ ...it, keywords: page.text, score: score(it, page) }));
    const [first, ...others] = rated.sort((a, b) => b.score - a.score);
    const recipe = others.find((it) => it.address.startsWith("book/recipes"));
    return recipe ? [first, { ...recipe, keywords: "", score: fit(recipe) }] : [first];
  });
  const found = best.filter((it) => it.score).sort((a, b) => b.score - a.score);

  const safe = (word) => word.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const mark = (word) => (hits(word)[0] ? `<mark>${safe(word)}</mark>` : safe(word));
  const marked = (words) => words.map(mark).join(" ");
  for (const { address, title, text, keywords } of found) {
    // From the first forty words that hold most of what is asked.
    const words = (keywords ? `${text} Key words: ${keywords}.` : text).split(" ");
    const which = words.map((word) => hits(word)[0]);
    const held = words.map((_, i) => new Set(which.slice(i, i + 40).filter(Boolean)).size);
    const start = held.indexOf(Math.max(...held));
    const excerpt = `${start ? "… " : ""}${marked(words.slice(start, start + 40))} …`;
    const link = `<a href="${address}">${marked(title.split(" "))}</a>`;
    Search.output.innerHTML += `<li>${link}<p class="context">${excerpt}</p></li>`;
  }
  _finishSearch(found.length);
  const isMissing = (word) => hits(word)[0] && !hits(word).some((it) => weights[asked.indexOf(it)]);
  const missing = (query.match(/[\p{L}\p{N}_]+/gu) ?? []).filter(isMissing).join(", ");
  if (missing) Search.status.append(` Not in this course: ${missing}.`);
};
