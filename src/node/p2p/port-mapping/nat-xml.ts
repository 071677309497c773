// The subset of XML that routers answer with: elements and text. Constructs that could make a parser work or connect
// elsewhere (document types, custom entities) are rejected.

/** An element; attributes are dropped. */
interface XmlElement {
  /** Without the namespace prefix. */
  readonly name: string
  readonly children: readonly XmlElement[]
  /** Its own text, trimmed. */
  readonly text: string
}

interface OpenElement {
  readonly tag: string
  readonly children: XmlElement[]
  text: string
}

const MAX_CHARACTERS = 262_144
const MAX_ELEMENTS = 5_000
const MAX_DEPTH = 64
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
// A name ends at a space, a slash or the end: otherwise the regex would backtrack over all prefixes.
const TOKEN =
  /<\?[^>]*\?>|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\/([^\s<>]+)\s*>|<([^\s<>/!?]+)(?=[\s/>])[^<>]*?(\/?)>|[^<]+|</g

/** The root element; null for anything malformed, too big or too deep. */
export function parseXml(text: string): XmlElement | null {
  if (text.length > MAX_CHARACTERS) return null
  const top: OpenElement = { tag: '', children: [], text: '' }
  const open: OpenElement[] = [top]
  let count = 0
  for (const [token, closed, opened, selfClosed] of text.matchAll(TOKEN)) {
    const current = open.at(-1)
    if (current === undefined || token === '<') return null
    if (opened !== undefined) {
      if (++count > MAX_ELEMENTS || open.length > MAX_DEPTH) return null
      const element = { tag: opened, children: [], text: '' }
      if (selfClosed === '/') current.children.push(finished(element))
      else open.push(element)
    } else if (closed !== undefined) {
      open.pop()
      if (current.tag !== closed || current === top) return null
      open.at(-1)?.children.push(finished(current))
    } else {
      current.text += plainText(token)
    }
  }
  const [root, ...others] = top.children
  return open.length === 1 && others.length === 0 && top.text.trim() === '' ? (root ?? null) : null
}

/** Every element of that name at or below `root`, outermost first. */
export function elementsNamed(root: XmlElement, name: string): readonly XmlElement[] {
  const below = root.children.flatMap((child) => elementsNamed(child, name))
  return root.name === name ? [root, ...below] : below
}

/** The text of the first element of that name; null when there is none. */
export function textOf(root: XmlElement, name: string): string | null {
  return elementsNamed(root, name)[0]?.text ?? null
}

/** Text escaped for element content. */
export function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function finished({ tag, children, text }: OpenElement): XmlElement {
  return { name: tag.slice(tag.indexOf(':') + 1), children, text: text.trim() }
}

function plainText(token: string): string {
  if (token.startsWith('<![CDATA[')) return token.slice(9, -3)
  if (token.startsWith('<')) return '' // a comment or a processing instruction
  return token.replace(/&([a-z]+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
