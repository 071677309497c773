// A page of the documentation, parsed for what a test can check: its commands with their marks, its links, the options
// it names.
import { readFileSync } from 'node:fs'
import { anchorOf } from '../../tools/site/anchors.mjs'

/** How a command block is checked. */
export type Mark =
  /** Each line exits with 0. */
  | 'run'
  /** Each line starts a program that becomes ready, and that SIGTERM ends with 0. */
  | 'serve'
  /** Lines are parsed, not run: the mark names what they need. */
  | 'needs'
  /** The same, for commands in another place (a server, another system). */
  | 'elsewhere'

export interface Block {
  /** Of its first line on the page. */
  readonly line: number
  /** `sh` for commands; null for a block that names none. */
  readonly language: string | null
  readonly mark: Mark | null
  /** The text after the mark. */
  readonly reason: string
  readonly text: string
  /** In a comment: prepares what the page takes for granted, and always runs. */
  readonly isHidden: boolean
}

export interface Link {
  readonly line: number
  readonly target: string
}

export interface Page {
  /** Relative to the project, with slashes. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
  readonly links: readonly Link[]
  /** What is between backticks in a line. */
  readonly words: readonly { readonly line: number; readonly word: string }[]
}

const MARKS: readonly string[] = ['run', 'serve', 'needs', 'elsewhere'] satisfies readonly Mark[]
/** Within a list it is indented. */
const FENCE = /^\s*(`{3,})\s*(\S*)\s*(.*?)\s*$/
/** `<!-- test: serve` or `<!-- test: run`, then lines, then `-->`. */
const HIDDEN = /^<!-- test: (run|serve)$/

/** @param file absolute path @param path the page's name */
export function readPage(file: string, path: string): Page {
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  const blocks: Block[] = []
  const prose: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [hidden, fence] = [HIDDEN.exec(line), FENCE.exec(line)]
    if (hidden === null && fence === null) {
      prose[at] = line
      continue
    }
    const end = hidden === null ? (fence?.[1] ?? '') : '-->'
    const close = lines.findIndex((other, index) => index > at && other.trim() === end)
    if (close === -1) throw new Error(`${path}:${at + 1}: the block has no end`)
    const body = lines.slice(at + 1, close).join('\n')
    blocks.push(
      blockOf({ line: at + 2, text: body }, hidden === null ? [fence?.[2] ?? '', fence?.[3] ?? ''] : hidden[1]),
    )
    at = close
  }
  return { path, text, blocks, links: [...linksOf(prose)], words: [...wordsOf(prose)] }
}

/** Lines of a command block that are commands: continued lines joined, without comments. */
export function commandsOf({ text }: Block): readonly string[] {
  const joined = text.replace(/\\\n\s*/g, ' ')
  return joined
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function blockOf(place: Pick<Block, 'line' | 'text'>, said: readonly [string, string] | string | undefined): Block {
  if (typeof said !== 'object') return { ...place, language: 'sh', mark: markOf(said), reason: '', isHidden: true }
  const [language, rest] = said
  const [word = '', ...reason] = rest.split(' ')
  const name = language === '' ? null : language
  return { ...place, language: name, mark: markOf(word), reason: reason.join(' '), isHidden: false }
}

function markOf(word: string | undefined): Mark | null {
  return MARKS.includes(word ?? '') ? (word as Mark) : null
}

function* linksOf(prose: readonly string[]): Iterable<Link> {
  for (const [index, line = ''] of prose.entries())
    for (const [, target = ''] of line.matchAll(/\]\(([^)\s]+)\)/g)) yield { line: index + 1, target }
}

function* wordsOf(prose: readonly string[]): Iterable<{ readonly line: number; readonly word: string }> {
  for (const [index, line = ''] of prose.entries())
    for (const [, word = ''] of line.matchAll(/`([^`\n]+)`/g)) yield { line: index + 1, word }
}

/** For every heading of a page. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const outside = text.replace(/^ *```[\s\S]*?^ *```/gm, '')
  return new Set([...outside.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))
}
