// The plain words after a command.
import { ConfigError } from '../config/errors'
import type { ParsedArgv } from '../config/sources/parse-argv'
import { address } from '../config/values/value-types'

/** @throws ConfigError CONFIG_UNEXPECTED_WORD when there is one */
export function expectNoWords({ command, words }: ParsedArgv): void {
  const word = words[0]
  if (word !== undefined) throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word, command, accepted: 'options only' })
}

/** File names. @throws ConfigError CONFIG_UNEXPECTED_WORD for too few or too many */
export function fileWords(
  { command, words }: ParsedArgv,
  bounds: { readonly least: number; readonly most: number; readonly accepted: string },
): readonly string[] {
  const { least, most, accepted } = bounds
  if (words.length >= least && words.length <= most && !words.includes('')) return words
  const word = (words.length > most ? words[most] : undefined) ?? ''
  throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word, command, accepted })
}

interface ExportWords {
  readonly file: string
  /** Null = the whole chain. */
  readonly range: { readonly first: number; readonly last: number } | null
}

/** `FILE [FIRST LAST]` @throws ConfigError CONFIG_UNEXPECTED_WORD, CONFIG_VALUE_INVALID */
export function exportRange(parsed: ParsedArgv): ExportWords {
  const accepted = 'FILE, or FILE FIRST LAST'
  const [file = '', ...bounds] = fileWords(parsed, { least: 1, most: 3, accepted })
  if (bounds.length === 0) return { file, range: null }
  if (bounds.length === 1) {
    throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word: bounds[0] ?? '', command: parsed.command, accepted })
  }
  const [first = 0, last = 0] = bounds.map((text, index) => heightOf(index === 0 ? 'FIRST' : 'LAST', text))
  if (first <= last) return { file, range: { first, last } }
  const expected = `at most LAST, which is ${last}`
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'FIRST', value: String(first), expected })
}

function heightOf(where: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new ConfigError('CONFIG_VALUE_INVALID', { where, value: text, expected: 'a block number' })
}

/** The first word, a key of `actions`, and those listed there; `[FILE]` is optional. @throws CONFIG_UNEXPECTED_WORD */
export function wordsOf<const A extends string>(
  { command, words }: ParsedArgv,
  actions: Readonly<Record<A, readonly string[]>>,
): { readonly action: A; readonly rest: readonly string[] } {
  const [first, ...rest] = words
  const known = Object.keys(actions) as A[]
  const action = known.find((name) => name === first)
  if (action === undefined) {
    const accepted = known.join(', ')
    throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word: first ?? '', command, accepted })
  }
  const wanted = actions[action]
  const least = wanted.filter((name) => !name.startsWith('[')).length
  if (rest.length >= least && rest.length <= wanted.length && !rest.includes('')) return { action, rest }
  const accepted = wanted.length === 0 ? 'options only' : wanted.join(' ')
  const word = rest[wanted.length] ?? ''
  throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word, command: `${command} ${action}`, accepted })
}

/** @throws ConfigError CONFIG_VALUE_INVALID */
export function addressWord(word: string): string {
  const found = address().parse(word)
  if (found !== null) return found
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'ADDRESS', value: word, expected: '0x and 40 hex digits' })
}
