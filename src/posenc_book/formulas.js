// Sets formulas in Node.js: reads a list of [TeX, whether it stands by itself] from standard input,
// writes {formulas: their HTML, style: the CSS that it takes}. The argument is MathJax's folder.
"use strict";
const folder = process.argv[2];

require(`${folder}/node-main.js`)
  .init({
    loader: {
      load: ["adaptors/liteDOM", "input/tex-full", "output/chtml", "a11y/assistive-mml"],
      paths: { mathjax: folder },
      versionWarnings: false,
    },
    // An unknown command is an error, and not a word in red.
    tex: { packages: { "[-]": ["noundefined"] } },
    chtml: { fontURL: "mathjax" },
  })
  .then((MathJax) => {
    const { adaptor } = MathJax.startup;
    const formulas = JSON.parse(require("node:fs").readFileSync(0, "utf8")).map(([tex, display]) =>
      adaptor.outerHTML(MathJax.tex2chtml(tex, { display }))
    );
    const style = adaptor.textContent(MathJax.chtmlStylesheet());
    process.stdout.write(JSON.stringify({ formulas, style }));
  });
