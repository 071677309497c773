// The project's own lint rules: each ban and bound catches its case, and leaves good code alone.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

interface Finding {
  readonly path: string
  readonly line: number
  readonly message: string
}

const RULES = {
  layers: { base: ['src/base/'], node: ['src/node/'], miner: ['src/miner/'], renderer: ['src/renderer/'] },
  allow: { base: [], node: ['base'], miner: ['base'], renderer: ['base'] },
  rooms: { 'src/node/': { codec: [], chain: ['codec', 'rpc/transport'] } },
  forbidPackages: { base: ['electron', 'node:*'], node: ['electron'], miner: ['electron'], renderer: ['node:*'] },
  browserGlobals: { layers: ['base', 'node', 'miner'], names: ['window', 'document'] },
  bounds: { folderFiles: 2, functionLines: 6 },
  exceptions: [{ file: 'src/node/table.ts', functionLines: 1_000, reason: 'a table' }],
}

const tool = (name: string): string => pathToFileURL(resolve(import.meta.dirname, '../../tools/lint', name)).href
const checker = z.function({ input: [z.unknown(), z.string(), z.unknown()], output: z.array(z.custom<Finding>()) })

const imports = z
  .object({
    importsOf: z.custom<(path: string, text: string) => unknown[]>(),
    checkImports: checker,
  })
  .parse(await import(tool('imports.mjs')))
const docstrings = z
  .object({
    checkDocstrings:
      z.custom<
        (
          bounds: unknown,
          texts: Map<string, string>,
        ) => { readonly findings: readonly Finding[]; readonly percent: number }
      >(),
  })
  .parse(await import(tool('docstrings.mjs')))
const folders = z
  .object({ checkFolders: z.custom<(rules: unknown, files: readonly string[]) => readonly Finding[]>() })
  .parse(await import(tool('folders.mjs')))
const small = z
  .object({
    checkSmallFiles:
      z.custom<
        (
          rules: unknown,
          files: Map<
            string,
            { readonly text: string; readonly imports: readonly { readonly target: string | null }[] }
          >,
        ) => readonly Finding[]
      >(),
  })
  .parse(await import(tool('small-files.mjs')))
const style = z
  .object({
    checkStyle: checker,
    checkWaits: checker,
    checkAllowedWaits: z.custom<(allowed: unknown, files: readonly string[]) => readonly Finding[]>(),
  })
  .parse(await import(tool('style.mjs')))

const lockFile = z
  .object({
    placed: z.custom<(text: string) => string>(),
    checkLockFile: z.custom<(text: string) => readonly Finding[]>(),
  })
  .parse(await import(tool('lock-file.mjs')))

const placeholders = z
  .object({
    PLACEHOLDERS: z.record(z.string(), z.string()),
    checkPlaceholders:
      z.custom<
        (path: string, text: string) => { readonly findings: readonly Finding[]; readonly open: readonly string[] }
      >(),
  })
  .parse(await import(tool('placeholders.mjs')))

const HEAD = '// Why this file exists.\n'

function importFindings(path: string, text: string): string[] {
  return imports
    .checkImports(RULES, path, imports.importsOf(path, text))
    .map(({ line, message }) => `${line}: ${message}`)
}

function styleFindings(text: string, path = 'src/node/sample.ts'): string[] {
  return style.checkStyle(RULES, path, HEAD + text).map(({ line, message }) => `${line}: ${message}`)
}

describe('layers', () => {
  it.each([
    [
      'src/node/a.ts',
      "import type { X } from '../miner/errors'",
      '1: the layer node must not import miner (src/miner/errors.ts)',
    ],
    [
      'src/node/a.ts',
      "export { x } from '../miner/errors'",
      '1: the layer node must not import miner (src/miner/errors.ts)',
    ],
    [
      'src/node/a.ts',
      "\nconst x = import('../miner/errors')",
      '2: the layer node must not import miner (src/miner/errors.ts)',
    ],
    [
      'src/node/a.ts',
      "import {\n  x,\n} from '../miner/errors'",
      '3: the layer node must not import miner (src/miner/errors.ts)',
    ],
    ['src/node/a.ts', "import { app } from 'electron'", '1: the layer node must not name electron'],
    ['src/base/a.ts', "import { join } from 'node:path'", '1: the layer base must not name node:path'],
    ['src/node/a.ts', "import { join } from 'path'", "1: name Node's own module node:path"],
    ['src/node/a.ts', "import { x } from './not-there'", '1: ./not-there does not exist'],
    [
      'src/node/codec/a.ts',
      "import { x } from '../chain/chain'",
      '1: src/node/codec must not import src/node/chain/chain.ts',
    ],
    [
      'src/node/chain/a.ts',
      "import { x } from '../rpc/rpc-front'",
      '1: src/node/chain must not import src/node/rpc/rpc-front.ts',
    ],
    [
      'src/node/attic/a.ts',
      "import { x } from '../codec/rlp'",
      '1: the room src/node/attic has no rule in layers.json',
    ],
    [
      'src/node/chain/a.ts',
      "import { x } from '../testing/test-chain'",
      '1: src/node/testing/test-chain.ts is for tests',
    ],
  ])('%s with %j: %s', (path, text, finding) => {
    expect(importFindings(path, text)).toEqual([finding])
  })

  it.each([
    ['src/node/chain/a.ts', "import { x } from '../codec/rlp'"],
    ['src/node/chain/a.ts', "import { x } from '../rpc/transport/limits'"],
    ['src/node/chain/a.ts', "import { x } from '../errors'"],
    ['src/node/node-service.ts', "import { x } from './chain/chain'"],
    ['src/node/codec/a.test.ts', "import { x } from '../chain/chain'"],
    ['src/node/codec/a.test.ts', "import { x } from '../testing/test-chain'"],
    ['src/node/testing/b.ts', "import { x } from '../chain/chain'"],
  ])('%s may have %j', (path, text) => {
    expect(importFindings(path, text)).toEqual([])
  })

  it('leave allowed imports and lookalikes alone', () => {
    const text =
      "import { x } from '../base/errors'\nimport { join } from 'node:path'\n// import { y } from '../miner/errors'\n"

    expect(importFindings('src/node/a.ts', text)).toEqual([])
  })

  it('let a test of a browser layer run on Node', () => {
    expect(importFindings('src/renderer/a.test.ts', "import { join } from 'node:path'")).toEqual([])
  })
})

describe('bans', () => {
  it.each([
    ['let count = 0', '2: a module-level let: state belongs to an instance'],
    ['export let count = 0', '2: a module-level let: state belongs to an instance'],
    ['const now = () => Date.now()', '2: the clock or dice: have them handed in'],
    ['const x = Math.random()', '2: the clock or dice: have them handed in'],
    ['try {\n  f()\n} catch {}', '4: an empty catch'],
    ['const title = document.title', '2: a browser global'],
    [`// ${'TO'}DO later`, '2: TODO without an issue number'],
    [`// @ts-${'ignore'}`, '2: a silenced type check'],
    [`const x = '/${'home'}/ann/x'`, "2: a path of somebody's machine"],
  ])('%j: %s', (text, finding) => {
    expect(styleFindings(text)).toEqual([finding])
  })

  it('in no string, not even after letters of two code units', () => {
    const rockets = '\u{1f680}'.repeat(20)
    expect(styleFindings(`const x = ['${rockets}', 1, 2, 3, 'see how vi.mock( works']`)).toEqual([])
  })

  it('leave lookalikes alone', () => {
    const text = [
      "const text = 'Date.now() and let x and any: any'",
      '// Date.now() in a comment',
      `// ${'TO'}DO #12: later`,
      'const pattern = /window\\.x/',
      'try {',
      '  f()',
      '} catch {',
      '  // nothing to do: f is a hint only',
      '}',
      'const rule = { document: 1 }',
    ].join('\n')

    expect(styleFindings(text)).toEqual([])
  })

  it('ask every file why it exists', () => {
    expect(style.checkStyle(RULES, 'src/node/a.ts', 'export const x = 1\n')).toEqual([
      { path: 'src/node/a.ts', line: 1, message: 'begin with a comment that says why the file exists' },
    ])
  })
})

describe('bounds', () => {
  const long = '  x()\n'.repeat(6)

  it.each([
    ['a function', `function f(): void {\n${long}}`],
    ['a function with an object result', `function f(): { a: number } {\n${long}}`],
    ['an arrow', `const f = (a: number): void => {\n${long}}`],
    ['an async arrow', `const f = async (a: number) => {\n${long}}`],
  ])('apply to %s', (_name, text) => {
    expect(styleFindings(text)).toEqual(['2: a function of 8 lines, at most 6'])
  })

  it('apply to a method', () => {
    expect(styleFindings(`class A {\n  #f(x: number): void {\n${long}  }\n}`)).toEqual([
      '3: a function of 8 lines, at most 6',
    ])
  })

  it("aren't misled by the end of an element on one line", () => {
    const text = `${HEAD}function a() {\n  return <td>{isOn && <B a={c} />}</td>\n}\nfunction b() {\n  return 1\n}\n`

    expect(styleFindings(text)).toEqual([])
  })

  it('are lifted for a file by a line of layers.json', () => {
    expect(styleFindings(`function f(): void {\n${long}}`, 'src/node/table.ts')).toEqual([])
  })

  it('ignore lines of a function that only pass a value on', () => {
    const data = 'function f() {\n  return {\n    a,\n    b: x.y,\n    c,\n    d: 3,\n    e,\n  }\n}'
    const work = 'function f() {\n  return {\n    a: g(),\n    b: g(),\n    c: g(),\n    d: g(),\n    e,\n  }\n}'

    expect(styleFindings(data)).toEqual([])
    expect(styleFindings(work)).toEqual(['2: a function of 8 lines, at most 6'])
  })

  it('reject members packed into a spread, and accept a spread of a choice', () => {
    const found = '2: members packed into a spread to save lines: write them one by one'

    expect(styleFindings('const x = { ...{ a, b } }')).toEqual([found])
    for (const path of ['src/node/a.test.ts', 'test/node/a.test.ts', 'e2e/a.test.ts', 'tools/a.mjs'])
      expect(styleFindings('const x = { ...{ a, b } }', path), path).toContain(found)
    expect(styleFindings('const x = { ...(a ? { b } : {}), ...c }')).toEqual([])
  })

  it('count the code files of a folder, not its tests, data and subfolders', () => {
    const files = [
      'src/a/a.ts',
      'src/a/b.css',
      'src/a/a.test.ts',
      'src/a/c.json',
      'src/a/deeper/c.ts',
      'native/a_test.cpp',
    ]

    expect(folders.checkFolders(RULES, files)).toEqual([])
    expect(folders.checkFolders(RULES, [...files, 'src/a/d.tsx'])).toEqual([
      { path: 'src/a', line: 1, message: '3 files of code, at most 2' },
    ])
  })

  it("don't mistake calls and conditions for functions", () => {
    expect(styleFindings(`{\n  if (a) {\n${long}  }\n  call(1, 2, 3, 4, 5)\n}`)).toEqual([])
  })
})

describe('a small file', () => {
  const LONG = 'line\n'.repeat(3)
  const file = (text: string, ...targets: readonly string[]) => ({
    text,
    imports: targets.map((target) => ({ target })),
  })
  const program = new Map([
    ['src/a.ts', file(LONG, 'src/one.ts', 'src/kept.ts', 'src/two.ts', 'src/long.ts')],
    ['src/b.ts', file(LONG, 'src/two.ts')],
    ['src/one.ts', file('line\n')],
    ['src/kept.ts', file('line\n')],
    ['src/two.ts', file('line\n')],
    ['src/long.ts', file(LONG)],
    ['src/entry.ts', file('line\n')],
  ])
  const found = (...kept: readonly string[]) =>
    small
      .checkSmallFiles({ smallFiles: { lines: 3, kept: { subject: kept } } }, program)
      .map(({ path, message }) => `${path}: ${message.split(':')[0] ?? ''}`)

  it('belongs to its only importer unless the list says why not', () => {
    expect(found('src/kept.ts')).toEqual(['src/one.ts: 1 lines for src/a.ts alone'])
  })

  it('is listed once, and no longer than it is small, with one importer', () => {
    const names = [
      'src/one.ts',
      'src/kept.ts',
      'src/kept.ts',
      'src/two.ts',
      'src/long.ts',
      'src/entry.ts',
      'src/gone.ts',
    ]

    expect(found(...names)).toHaveLength(5)
  })
})

describe('fixed waits', () => {
  const waits = (text: string, path = 'test/a.test.ts', allowed: unknown = []): string[] =>
    style.checkWaits(allowed, path, text).map(({ line, message }) => `${line}: ${message.split(':')[0]}`)

  it.each([
    'await new Promise((resolve) => setTimeout(resolve, 300))',
    'await new Promise<void>(done => void setTimeout(done, MS))',
    'await new Promise((done) => { setTimeout(() => done(null), 5) })',
    'const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))',
    'await page.waitForTimeout(500)',
    "import { setTimeout as sleep } from 'node:timers/promises'",
    'while (!here) look()\nawait new Promise((resolve) => setTimeout(resolve, 300))',
  ])('are reported: %s', (text) => {
    expect(waits(`\n${text}`)).toEqual([`${text.split('\n').length + 1}: a fixed wait`])
    expect(waits(text, 'e2e/harness.ts')).toHaveLength(1)
    expect(waits(text, 'src/node/testing/a.ts')).toHaveLength(1)
  })

  it.each([
    'while (!here) await new Promise((resolve) => setTimeout(resolve, 5))',
    'for (;;) {\n  if (here()) return\n  await new Promise((resolve) => setTimeout(resolve, 5))\n}',
    'for (let look = 0; look < 50; look++) await page.waitForTimeout(100)',
    'await new Promise((resolve) => setTimeout(resolve, 0))',
    'await new Promise((resolve) => setImmediate(resolve))',
    'const timer = setTimeout(() => child.kill(), 10_000)',
  ])("aren't reported: %s", (text) => {
    expect(waits(text)).toEqual([])
  })

  it("have a limit that a busy computer doesn't reach", () => {
    const hasty = 'await vi.waitFor(() => {\n  expect(count(1, 2)).toBe(3)\n})'
    expect(waits(hasty)).toEqual(['1: vi.waitFor without a limit gives up after a second'])
    expect(waits(hasty.replace('})', '}, 240_000)'))).toEqual([])
    expect(waits(hasty.replace('})', '}, { timeout: 240_000, interval: 1 })'))).toEqual([])
    expect(waits(hasty.replace('})', '}, HANG_MS)'))).toEqual([])
    for (const limit of ['60_000', '{ interval: 1, timeout: 60_000 }'])
      expect(waits(hasty.replace('})', `}, ${limit})`))).toEqual([
        '1: vi.waitFor gives up before a busy computer is done',
      ])
  })

  it('are reported in tests only', () => {
    expect(waits('await new Promise((resolve) => setTimeout(resolve, 300))', 'src/node/a.ts')).toEqual([])
  })

  it('may remain if the list says why, in the listed number', () => {
    const one = 'await page.waitForTimeout(500)\n'
    const allowed = [{ file: 'test/a.test.ts', count: 1, reason: 'nothing tells that it does not come' }]

    expect(waits(one, 'test/a.test.ts', allowed)).toEqual([])
    expect(waits(one + one, 'test/a.test.ts', allowed)).toEqual(['2: a fixed wait'])
    expect(waits('', 'test/a.test.ts', allowed)).toEqual([
      '1: test/fixed-waits.json allows 1 fixed waits here, there are 0',
    ])
    expect(style.checkAllowedWaits(allowed, ['test/a.test.ts'])).toEqual([])
    expect(style.checkAllowedWaits(allowed, [])).toHaveLength(1)
    expect(style.checkAllowedWaits([{ ...allowed[0], reason: '' }], ['test/a.test.ts'])).toHaveLength(1)
  })
})

describe('docstrings', () => {
  const text = [
    '/** Adds. */\nexport function add() {}',
    '// no docstring\nexport class Sum {}',
    'export const TEN = 10',
    'export const ten = () => TEN',
    'export type Given = z.infer<typeof givenSchema>',
    "const quoted = 'export function nothing() {}'",
  ].join('\n')
  const share = (documentedPercent: number) =>
    docstrings.checkDocstrings({ documentedPercent }, new Map([['a.ts', text]]))

  it('count exported functions, classes and types, not values and inferred types', () => {
    expect(share(33)).toEqual({ findings: [], percent: 33.3 })
  })

  it('may not fall below the floor', () => {
    expect(share(34).findings.map(({ message }) => message)).toEqual([
      '33.3% of 3 exported functions and types have a docstring, at least 34%: say shapes, units and errors of the new ones',
    ])
  })
})

describe('the lock file', () => {
  const lock = (entry: object): string =>
    `${JSON.stringify({ packages: { '': { name: 'us' }, 'node_modules/a/node_modules/@b/c': entry } }, null, 2)}\n`

  it.each([
    ['no place', { version: '1.2.3', integrity: 'sha512-x' }],
    [
      "a registry's own place",
      { version: '1.2.3', resolved: 'https://registry.example/@b/c/-/c-1.2.3.tgz', integrity: 'sha512-x' },
    ],
  ])('with %s is a finding, and repaired', (_what, entry) => {
    const repaired = lockFile.placed(lock(entry))

    expect(lockFile.checkLockFile(lock(entry))).toHaveLength(1)
    expect(lockFile.checkLockFile(repaired)).toEqual([])
    expect(JSON.parse(repaired).packages['node_modules/a/node_modules/@b/c']).toEqual({
      version: '1.2.3',
      resolved: 'https://registry.invalid/@b/c/-/c-1.2.3.tgz',
      integrity: 'sha512-x',
    })
  })

  it('names the host that .npmrc makes npm replace', () => {
    const settings = readFileSync(resolve(import.meta.dirname, '../../.npmrc'), 'utf8')
    const text = readFileSync(resolve(import.meta.dirname, '../../package-lock.json'), 'utf8')

    expect(settings).toMatch(/^replace-registry-host=registry\.invalid$/m)
    expect(lockFile.checkLockFile(text)).toEqual([])
  })
})

describe('a placeholder', () => {
  it('is listed in its file, and a finding in any other', () => {
    expect(placeholders.checkPlaceholders('SECURITY.md', 'Write to SECURITY_CONTACT.')).toEqual({
      findings: [],
      open: ['SECURITY.md: SECURITY_CONTACT'],
    })
    expect(placeholders.checkPlaceholders('README.md', 'a\nWrite to SECURITY_CONTACT.').findings).toEqual([
      { path: 'README.md', line: 2, message: 'SECURITY_CONTACT is a placeholder of SECURITY.md' },
    ])
    expect(placeholders.checkPlaceholders('README.md', 'MY_SECURITY_CONTACTS').findings).toEqual([])
  })

  it.each(Object.entries(placeholders.PLACEHOLDERS))('%s is not forgotten once %s has its name', (name, file) => {
    const text = readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8')

    // Filled in: remove it from the list, too.
    expect(placeholders.checkPlaceholders(file, text).open).toEqual([`${file}: ${name}`])
  })
})
