// The search of the site: one page with the text of all sections and a small script, so that it works without a server.
import { createHash } from 'node:crypto'
import { pageText, SEARCH } from './page-text.mjs'

/** Runs in the page: shows the sections that have every word, those with it in the title first. */
const SCRIPT = `
const sections = JSON.parse(document.getElementById('sections').textContent)
const list = document.getElementById('found')
const field = document.getElementById('words')
function search() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean)
  const has = (text) => words.every((word) => text.toLowerCase().includes(word))
  const hits = words.length === 0 ? [] : sections.filter(({ title, text }) => has(title + ' ' + text))
  hits.sort((a, b) => has(b.title) - has(a.title))
  list.replaceChildren(...hits.slice(0, 30).map(({ href, title, text }) => {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60)
    const [item, link] = ['li', 'a'].map((name) => document.createElement(name))
    link.href = href
    link.textContent = title
    item.append(link, ' ' + text.slice(at, at + 180))
    return item
  }))
  document.getElementById('count').textContent = words.length === 0 ? '' : hits.length + ' found'
}
field.addEventListener('input', search)
field.focus()
`

/** @param {ReadonlyMap<string, { title: string, html: string }>} documents by address @returns {string} the page */
export function searchPage(documents, navigation) {
  const sections = [...documents].flatMap(([address, { title, html }]) =>
    html.split(/(?=<h[1-3] id=)/).map((part) => {
      const [, anchor = '', heading = ''] = /^<h[1-3] id="([^"]*)">(.*?)<\/h/.exec(part) ?? []
      const name = plain(heading)
      return { href: `${address}#${anchor}`, title: name === title ? title : `${title}: ${name}`, text: plain(part) }
    }),
  )
  const data = JSON.stringify(sections).replaceAll('<', '\\u003c')
  const html = `<h1>Search</h1>
<p><label>Words <input id="words" type="search" autocomplete="off"></label> <span id="count" role="status"></span></p>
<ul id="found"></ul>
<script type="application/json" id="sections">${data}</script>
<script>${SCRIPT}</script>
`
  const script = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`
  return pageText({ address: SEARCH, document: { title: 'Search', headings: [], html }, navigation, script })
}

/** The text of HTML that the site made itself. */
function plain(html) {
  const text = html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
  return text.replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim()
}
