// A page of the site around a document: navigation, contents, style.
import { posix } from 'node:path'
import { escaped } from './document.mjs'

const NAME = 'Headframe'
/** A page with fewer headings is seen as a whole. */
const MIN_CONTENTS = 4
/** No page runs or loads anything but its own style and pictures, and the one script of the search. */
const POLICY = "default-src 'none'; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'"
/** Where the search is. */
export const SEARCH = 'search.html'

/**
 * @param {{ address: string, document: object, navigation: readonly object[], script?: string }} parts `address`: from the site's folder;
 *   `script`: the hash of the only one that may run
 */
export function pageText({ address, document, navigation, script }) {
  const folder = posix.dirname(address)
  const to = (other) => posix.relative(folder, other)
  const title = document.title === NAME ? NAME : `${document.title} · ${NAME}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta http-equiv="Content-Security-Policy" content="${escaped(script === undefined ? POLICY : `${POLICY}; script-src '${script}'`)}">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${to('style.css')}">
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<nav aria-label="Pages">
<a class="home" href="${to('index.html')}"${here(address, 'index.html')}>${NAME}</a>
<a href="${to(SEARCH)}"${here(address, SEARCH)}>Search</a>
${navigation.map((group) => groupText(group, { address, to })).join('\n')}
</nav>
<main id="text">
${contentsText(document)}${document.html}</main>
</body>
</html>
`
}

function groupText({ name, links }, { address, to }) {
  const items = links.map(
    ({ href, text }) => `<li><a href="${to(href)}"${here(address, href)}>${escaped(text)}</a></li>`,
  )
  return `<h2>${escaped(name)}</h2>\n<ul>${items.join('')}</ul>`
}

function here(address, other) {
  return address === other ? ' aria-current="page"' : ''
}

function contentsText({ headings }) {
  const parts = headings.filter(({ depth }) => depth === 2)
  if (parts.length < MIN_CONTENTS) return ''
  const items = parts.map(({ anchor, text }) => `<li><a href="#${escaped(anchor)}">${escaped(text)}</a></li>`)
  return `<aside aria-label="On this page"><ul>${items.join('')}</ul></aside>\n`
}

export const STYLE = `:root {
  color-scheme: dark light;
  --canvas: light-dark(#fbfcfe, #0e1116);
  --surface: light-dark(#f1f4f8, #161b22);
  --border: light-dark(#d5dce6, #2d3643);
  --text: light-dark(#17202c, #e6ebf2);
  --muted: light-dark(#4c5a6d, #9aa7b8);
  --link: light-dark(#0b5cad, #79b8ff);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 76rem; padding: 0 1.5rem; display: grid; grid-template-columns: 13rem minmax(0, 1fr);
  gap: 0 3rem; background: var(--canvas); color: var(--text); font: 1rem/1.6 system-ui, sans-serif;
}
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
nav { padding: 2rem 0; font-size: 0.9rem; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; }
nav .home { font-weight: 700; font-size: 1.1rem; color: var(--text); }
nav h2 { margin: 1.5rem 0 0.25rem; font-size: 0.75rem; color: var(--muted); }
nav ul, aside ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 0.15rem 0; }
[aria-current="page"] { font-weight: 700; }
main { padding: 2rem 0 6rem; min-width: 0; }
aside { float: right; width: 14rem; margin: 0 0 1rem 2rem; padding: 0.75rem 1rem; background: var(--surface); border-radius: 8px; font-size: 0.85rem; }
h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.35rem; line-height: 1.3; }
h3 { margin: 2rem 0 0.5rem; font-size: 1.1rem; }
code { font: 0.9em ui-monospace, monospace; background: var(--surface); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: break-word; }
pre { background: var(--surface); border: 1px solid var(--border); border-radius: 8px; padding: 0.9rem 1.1rem; overflow-x: auto; clear: both; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.wide { overflow-x: auto; clear: both; }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: start; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--border); }
th { color: var(--muted); font-weight: 600; }
img { max-width: 100%; height: auto; border-radius: 8px; border: 1px solid var(--border); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; max-height: none; padding-bottom: 0; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; }
  aside { float: none; width: auto; margin: 0 0 1.5rem; }
}
@media print { nav, aside, .skip { display: none; } body { display: block; } }
`
