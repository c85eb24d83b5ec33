// Sets formulas in Node.js: reads a list of [TeX, whether it stands by itself] from standard input,
// writes [their HTML, the CSS that it takes, what is refused]. The argument is MathJax's folder.
"use strict";
const folder = process.argv[2];
const refused = [];

require(`${folder}/node-main.js`).init({
  loader: {
    load: ["adaptors/liteDOM", "input/tex-full", "output/chtml", "a11y/assistive-mml"],
    paths: { mathjax: folder },
    versionWarnings: false,
  },
  tex: {
    // An unknown command is an error, and not a word in red.
    packages: { "[-]": ["noundefined"] },
    formatError: (jax, error) => {
      refused.push(`${jax.latex}: ${error.message}`);
      return jax.formatError(error);
    },
  },
  chtml: { fontURL: "mathjax" },
}).then((MathJax) => {
  const { adaptor } = MathJax.startup;
  const asked = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const formulas = asked.map(([tex, display]) => {
    const formula = MathJax.tex2chtml(tex, { display });
    // A wide one scrolls, with the keyboard too.
    if (display) adaptor.setAttribute(formula, "tabindex", "0");
    return adaptor.outerHTML(formula);
  });
  const style = adaptor.textContent(MathJax.chtmlStylesheet());
  process.stdout.write(JSON.stringify([formulas, style, refused]));
});
