// What can be checked in documents without running them: commands are marked and known, options exist, links lead
// somewhere. `npm run test:docs` runs the commands.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hasCode } from '../../src/base/errors'
import { COMMAND_HELP } from '../../src/config/describe'
import { parseArgv } from '../../src/config/sources/parse-argv'
import rest from '../../src/renderer/src/i18n/texts/en.json'
import findings from '../../src/renderer/src/i18n/texts/en-findings.json'
import first from '../../src/renderer/src/i18n/texts/en-first.json'
import { anchorsOf, type Block, commandsOf, type Page } from './page'
import { allPages, ROOT } from './pages'
import { hasPlaceholder, wordsOfCommand } from './shell-words'

const pages = allPages()
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
const catalogue = readFileSync(join(ROOT, 'docs', 'reference', 'errors.md'), 'utf8')
const CODE = /^(?:CONFIG|HOST|STORE|CHAIN|MINER|POOL|SIGNER|KEYSTORE|VAULT|CONTRACT|RELEASE)_[A-Z_]+$/
/** Languages of blocks that contain commands. */
const SHELL_LANGUAGES = ['sh', 'bash', 'shell', 'console']
/** The window's, and what devices and other systems show. */
const TEXTS = [
  ...[first, rest, findings].flatMap((texts) => Object.values<string>(texts)),
  'Blind signing',
  'Ethereum',
  'More info',
  'Run anyway',
]
const COMMANDS = Object.keys(COMMAND_HELP)

/** Why the program would reject these arguments; null if it wouldn't. */
function refusalOf(words: readonly string[]): string | null {
  try {
    parseArgv(words)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What is wrong with a shell line: an unknown command or option of ours, a script that isn't there. */
function faultOf(command: string): string | null {
  const words = wordsOfCommand(command)
  const at = words.indexOf('headframe')
  if (at !== -1) return refusalOf(words.slice(at + 1))
  const script = /\bnpm run ([\w:]+)/.exec(command)?.[1]
  return script !== undefined && !(script in scripts) ? `npm run ${script} is no script of the project` : null
}

const isShell = ({ language }: Block): boolean => SHELL_LANGUAGES.includes(language ?? '')
const place = ({ path }: Page, line: number): string => `${path}:${line}`

describe.each(pages.map((page) => [page.path, page] as const))('%s', (_path, page) => {
  it('names the language of every block, and how each command block is checked', () => {
    const unmarked = page.blocks
      .filter((block) => block.language === null || (isShell(block) && block.mark === null))
      .map(({ line }) => place(page, line))
    expect(unmarked).toEqual([])
    const unexplained = page.blocks
      .filter(({ mark, reason }) => (mark === 'needs' || mark === 'elsewhere') && reason === '')
      .map(({ line }) => place(page, line))
    expect(unexplained).toEqual([])
  })

  it('uses only existing commands and options', () => {
    const faults = page.blocks.filter(isShell).flatMap((block) =>
      commandsOf(block)
        .map((command) => faultOf(command))
        .filter((fault) => fault !== null)
        .map((fault) => `${place(page, block.line)}: ${fault}`),
    )
    const inText = page.words.flatMap(({ line, word }) => {
      const fault = wordFault(word)
      return fault === null ? [] : [`${place(page, line)}: ${fault}`]
    })
    expect([...faults, ...inText]).toEqual([])
  })

  it('begins with a sentence, and is linked from the README if it is a guide', () => {
    const [title = '', , first = ''] = page.text.split('\n')
    expect(title).toMatch(/^# \S/)
    expect(first).toMatch(/^[A-Z]\w*,? /)
    if (page.path.startsWith('docs/guide/')) expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(page.path)
  })

  it('names in italics what the window calls so', () => {
    const words = page.text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
    const named = [...words.matchAll(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g)].map(([, name = '']) => name)
    const isThere = (name: string): boolean => TEXTS.some((text) => text.startsWith(name))
    const parts = named.flatMap((name) => (isThere(name) ? [] : name.split(/, | > /)))
    expect(page.path.startsWith('docs/guide/') ? parts.filter((name) => !isThere(name)) : []).toEqual([])
  })

  it('names only existing error codes', () => {
    const named = page.words.map(({ word }) => word).filter((word) => CODE.test(word))
    expect(named.filter((code) => !catalogue.includes(`| \`${code}\` |`))).toEqual([])
  })

  it('links to existing pages and headings', () => {
    const broken = page.links.flatMap(({ line, target }) => {
      if (/^(https?|mailto):/.test(target)) return []
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? join(ROOT, page.path) : join(ROOT, dirname(page.path), file)
      if (!existsSync(path)) return [`${place(page, line)}: ${relative(ROOT, path)} does not exist`]
      if (anchor === undefined || !path.endsWith('.md')) return []
      return anchorsOf(readFileSync(path, 'utf8')).has(anchor) ? [] : [`${place(page, line)}: no heading #${anchor}`]
    })
    expect(broken).toEqual([])
  })
})

/** False if the command has no such option; a missing or wrong value doesn't count. */
function takes(command: string, option: string): boolean {
  try {
    parseArgv([command, `--${option}`])
    return true
  } catch (error) {
    return !hasCode(error, 'CONFIG_UNKNOWN_OPTION') && !hasCode(error, 'CONFIG_OPTION_ELSEWHERE')
  }
}

/** What is wrong with words in running text. */
function wordFault(word: string): string | null {
  if (word.startsWith('headframe ') && !hasPlaceholder(word)) return faultOf(word)
  if (/^npm run /.test(word)) return faultOf(word)
  const option = /^--([a-z0-9][\w.-]*)/.exec(word)?.[1]
  return option === undefined || COMMANDS.some((command) => takes(command, option))
    ? null
    : `--${option} is no option of any command`
}

it('every guide can be reached from the README', () => {
  const linked = new Set(
    pages.find(({ path }) => path === 'README.md')?.links.map(({ target }) => target.split('#')[0]),
  )
  const missing = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/guide/') && !linked.has(path))
  expect(missing).toEqual([])
})

it('rules and dashboard name only metrics that exist', () => {
  const metrics = readFileSync(join(ROOT, 'docs', 'reference', 'metrics.md'), 'utf8')
  const [rules, dashboard] = ['headframe.rules.yml', 'headframe-dashboard.json'].map((name) =>
    readFileSync(join(ROOT, 'resources', 'monitoring', name), 'utf8'),
  )
  const recorded = new Set([...(rules ?? '').matchAll(/record: (\S+)/g)].map(([, name]) => name))
  const named = [
    ...`${rules}${dashboard}`.matchAll(/(?<![\w$])(?:\w+:)?(?:miner|node|host|signer)_\w+(?::\w+)?|node:\w+:\w+/g),
  ]
  const unknown = named.map(([name]) => name).filter((name) => !recorded.has(name) && !metrics.includes(`\`${name}\``))

  expect(named.length).toBeGreaterThan(30)
  expect([...new Set(unknown)]).toEqual([])
})
