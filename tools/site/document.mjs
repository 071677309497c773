// One document: its title, its headings, its text as HTML, and the guides that the first one lists.
import { ToolError } from '../lib/project.mjs'
import { packagesFirst } from '../lib/set-up.mjs'
import { anchorOf } from './anchors.mjs'

await packagesFirst()
const { Marked } = await import('marked')

const NAVIGATION = 'Where to go next'

/**
 * @param {string} text Markdown
 * @param {(link: string) => string} target where a link leads within the site
 * @returns {{ title: string, headings: readonly { depth: number, anchor: string, text: string }[], html: string, tokens: object[] }}
 *   `tokens`: of the Markdown, with links as they lead within the site
 */
export function readDocument(text, target) {
  const headings = []
  const marked = new Marked({ walkTokens: (token) => toSite(token, target), renderer: rendererWith(headings) })
  const tokens = marked.lexer(text)
  void marked.walkTokens(tokens, marked.defaults.walkTokens)
  const html = marked.parser(tokens)
  const title = headings.find(({ depth }) => depth === 1)?.text
  if (title === undefined) throw new ToolError('a document has no title')
  return { title, headings, html, tokens }
}

function toSite(token, target) {
  if (token.type === 'link' || token.type === 'image') token.href = target(token.href)
}

/** Nothing of a document reaches a page as HTML of its own. */
function rendererWith(headings) {
  const count = new Map()
  return {
    heading({ tokens, depth, text }) {
      const name = anchorOf(text)
      const before = count.get(name) ?? 0
      count.set(name, before + 1)
      const anchor = before === 0 ? name : `${name}-${before}`
      headings.push({ depth, anchor, text: text.replaceAll('`', '') })
      return `<h${depth} id="${escaped(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code({ text, lang = '' }) {
      const [language = ''] = lang.split(' ')
      return `<pre><code data-language="${escaped(language)}">${escaped(text)}</code></pre>\n`
    },
    html({ text }) {
      if (/^<!--[\s\S]*-->\s*$/.test(text)) return ''
      throw new ToolError(`a document has HTML of its own: ${text}`)
    },
    table(token) {
      const row = (cells, tag) =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>\n`
      const head = token.header.every(({ text }) => text === '') ? '' : `<thead>${row(token.header, 'th')}</thead>`
      return `<div class="wide"><table>${head}<tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`
    },
  }
}

export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/**
 * The groups of guides, of the table below the heading "Where to go next": a row each, its name and its links.
 * @returns {readonly { name: string, links: readonly { href: string, text: string }[] }[]} `href`: from the site's folder
 */
export function navigationOf({ tokens }) {
  const at = tokens.findIndex(({ type, text }) => type === 'heading' && text === NAVIGATION)
  const table = tokens.slice(at + 1).find(({ type }) => type === 'table')
  if (at === -1 || table === undefined) throw new ToolError(`the first document has no table below "${NAVIGATION}"`)
  return table.rows.map(([name, links]) => ({
    name: name.text,
    links: links.tokens.filter(({ type }) => type === 'link').map(({ href, text }) => ({ href, text })),
  }))
}
