// The signer's findings in the reader's language. It reports them in English words, which its log and its other fronts keep:
// they are recognized here by the English texts. What isn't recognized as a whole stays as it was said.
import findings from './texts/en-findings.json'

type SaidKey = keyof typeof findings
type Say = (key: SaidKey, values: Readonly<Record<string, string>>) => string

interface Pattern {
  readonly key: SaidKey
  /** Of its values; one that names a group is a phrase itself. */
  readonly names: readonly string[]
  readonly shape: RegExp
}

/** Longer ones are compared only with texts of one value: hostile words could make many values costly. */
const MAX_CHARACTERS = 600
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const NUMBER = /^\d[\d.]*$/
/** Around a phrase of ours within a text, until the spaces beside it are right. */
const EDGE = '\ufdd0'
/** Chinese sets no space between its own words, only beside addresses and numbers. */
const NEEDLESS_SPACES = /(?<=\p{Script=Han}) (?=\ufdd0\p{Script=Han})|(?<=\p{Script=Han}\ufdd0) (?=\p{Script=Han})/gu

const groups = new Map<string, readonly Pattern[]>()
for (const [key, text] of Object.entries(findings)) {
  const [, , group = ''] = key.split('.')
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const words = text.split(/\{\w+\}/).map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  const pattern = { key: key as SaidKey, names, shape: new RegExp(`^${words.join('(.+)')}$`, 's') }
  groups.set(group, [...(groups.get(group) ?? []), pattern])
}

/** @returns a finding, or the phrase of another group, in the language of `t`; null: not recognized */
export function recognized(t: Say, text: string, group = 'finding'): string | null {
  if (text.includes(EDGE)) return null
  for (const { key, names, shape } of groups.get(group) ?? []) {
    if (names.length > 1 && text.length > MAX_CHARACTERS) continue
    const found = shape.exec(text)
    if (found === null) continue
    const values = names.map((name, index) => phrase(t, name, found[index + 1] ?? ''))
    if (!values.every((value) => value !== null)) continue
    const said = t(key, Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])))
    return said.replace(NEEDLESS_SPACES, '').replaceAll(EDGE, '')
  }
  return null
}

function phrase(t: Say, name: string, text: string): string | null {
  const isPlain = ADDRESS.test(text) || NUMBER.test(text)
  if (name === 'address' || name === 'number') return isPlain ? text : null
  // The parts that aren't understood: one that has no text of its own is named as the signer names it.
  if (name === 'parts')
    return text
      .split('; ')
      .map((part) => recognized(t, part, 'part') ?? part)
      .join('; ')
  if (!groups.has(name)) return text
  const said = recognized(t, text, name)
  return said === null ? (isPlain ? text : null) : `${EDGE}${said}${EDGE}`
}
