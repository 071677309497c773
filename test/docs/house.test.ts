// Figures and names of docs/house.md compared with the code; lint checks paths and files,
// test/host/service-order.test.ts the order of services.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DEFAULT_STOP_MS } from '../../src/base/lifecycle'
import { EXIT_FAILED, EXIT_WRONG_CALL } from '../../src/cli/exit-codes'
import { STOP_BUDGETS_MS, TOTAL_STOP_MS } from '../../src/host/backend'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
/** Each joined into one line: a statement may span several. */
const house = read('docs/house.md').replace(/\s+/g, ' ')
const rules = z.object({ bounds: z.record(z.string(), z.number()) }).parse(JSON.parse(read('layers.json')))

const FOLDERS = ['src', 'tools', 'test', 'e2e', 'native/src', 'native/engine', 'native/test', 'bin']
const SOURCE = /\.(?:m?[jt]s|cjs|tsx|cpp|h|rs|json|yml|css|cl|cu|html)$/
/** Placeholder words: `trade.noun`. */
const PLACEHOLDERS = ['noun']

/** Paths and contents of everything written by hand. */
function sources(): readonly string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  return [...readdirSync(ROOT), ...inFolders]
    .filter((path) => SOURCE.test(path) && !path.includes('vectors') && path !== join('test', 'docs', 'house.test.ts'))
    .flatMap((path) => [path, read(path)])
}

/** Identifiers of three letters and more. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z_$][A-Za-z0-9_$]{2,}/g) ?? []
}

describe('the house page', () => {
  it("states the code's stop budgets", () => {
    const seconds = (ms: number): string => `${ms / 1_000} s`
    const { node } = STOP_BUDGETS_MS
    expect(Object.keys(STOP_BUDGETS_MS)).toEqual(['node'])
    expect(house).toContain(
      `exceeds its budget (${seconds(DEFAULT_STOP_MS)}, ${seconds(node)} for the node, ${seconds(TOTAL_STOP_MS)} in total)`,
    )
  })

  it("states lint's bounds", () => {
    const { fileLines, functionLines, parameters, folderFiles } = rules.bounds
    expect(house).toContain(
      `Bounds: ${fileLines} lines per file, ${functionLines} lines per function, ${parameters} parameters.`,
    )
    const biome = read('biome.json').replace(/\s+/g, ' ')
    expect(biome).toContain(`"noExcessiveLinesPerFile": { "level": "error", "options": { "maxLines": ${fileLines} } }`)
    expect(biome).toContain(`"useMaxParams": { "level": "error", "options": { "max": ${parameters} } }`)
    expect(house).toContain(`has at most ${folderFiles} code files directly in it`)
  })

  it('names all error families, and no others', () => {
    const tables = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => read(join('src', file)))
      .filter((text) => /= defineErrors\(\{/.test(text))
    const codes = tables.flatMap((text) =>
      [...text.matchAll(/^ {2}([A-Z]+_)[A-Z0-9_]+: \(/gm)].map(([, family]) => family),
    )
    const statement = /Families: ([^.]*)\./.exec(house)?.[1] ?? ''
    const stated = [...statement.matchAll(/`([A-Z]+_)`/g)].map(([, family]) => family)

    expect([...new Set(codes)].sort()).toEqual([...stated].sort())
  })

  it('uses only names that exist in the code', () => {
    const known = new Set(sources().flatMap(wordsOf))
    const isKnown = (word: string): boolean =>
      known.has(word) || (word.endsWith('_') && [...known].some((other) => other.startsWith(word)))
    const stated = [...house.replace(/```.*?```/g, '').matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => wordsOf(code))

    expect(stated.length).toBeGreaterThan(700)
    expect([...new Set(stated)].filter((word) => !isKnown(word) && !PLACEHOLDERS.includes(word))).toEqual([])
  })

  it('describes each folder once', () => {
    const tree = read('docs/house.md').split('## 2.')[0] ?? ''
    const folders = [...tree.matchAll(/`((?:src|native)\/[^` ]*\/)`/g)].map(([, folder]) => folder)

    expect(folders.length).toBeGreaterThan(150)
    expect(folders.filter((folder, at) => folders.indexOf(folder) !== at)).toEqual([])
  })

  it('names the gates between a reading and the screen in the order of the code', () => {
    const stated = /`whileLive\(whileInSight\(atPace\([^`]*`/.exec(house)?.[0].slice(1, -1)
    expect(read('src/renderer/src/state/stores/stores.ts')).toContain(stated)
    expect(read('src/contract/miner.ts')).toMatch(/'miner\.devices': event\(\w+, 2\)/)
  })

  it('has decisions that say whether they bind, and which one took their place', () => {
    const decisions = readdirSync(join(ROOT, 'docs/decisions'))
    const statuses = decisions.map(
      (name) => /\n\n\*\*Status\.\*\* (.*)\n/.exec(read(join('docs/decisions', name)))?.[1] ?? name,
    )
    expect(statuses.filter((status) => !/^(?:In force|Superseded by \d{4})/.test(status))).toEqual([])
    const followers = statuses.flatMap((status) =>
      [...status.matchAll(/uperseded by (\d{4})/g)].map(([, number]) => number),
    )
    expect(followers.filter((number) => !decisions.some((name) => name.startsWith(`${number}-`)))).toEqual([])
  })

  it('states the exit codes', () => {
    expect(house).toContain(
      `exit code in \`src/cli/exit-codes.ts\` (\`CONFIG_*\` ${EXIT_WRONG_CALL}, else ${EXIT_FAILED})`,
    )
  })
})
