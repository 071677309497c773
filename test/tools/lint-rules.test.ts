// The project's own lint rules: each ban and bound is shown to bite, and to leave good code alone.
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
  forbidPackages: { base: ['electron', 'node:*'], node: ['electron'], miner: ['electron'], renderer: ['node:*'] },
  browserGlobals: { layers: ['base', 'node', 'miner'], names: ['window', 'document'] },
  bounds: { fileLines: 20, functionLines: 6, parameters: 4 },
  exceptions: [{ file: 'src/node/table.ts', fileLines: 1_000, reason: 'a table' }],
}

const tool = (name: string): string => pathToFileURL(resolve(import.meta.dirname, '../../tools/lib', name)).href
const checker = z.function({ input: [z.unknown(), z.string(), z.unknown()], output: z.array(z.custom<Finding>()) })

const imports = z
  .object({
    importsOf: z.custom<(path: string, text: string) => unknown[]>(),
    checkImports: checker,
    findCycles: z.custom<(graph: Map<string, string[]>) => Finding[]>(),
  })
  .parse(await import(tool('imports.mjs')))
const style = z.object({ checkStyle: checker }).parse(await import(tool('style.mjs')))

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
  ])('%s with %j: %s', (path, text, finding) => {
    expect(importFindings(path, text)).toEqual([finding])
  })

  it('leave allowed imports alone, and what only looks like one', () => {
    const text =
      "import { x } from '../base/errors'\nimport { join } from 'node:path'\n// import { y } from '../miner/errors'\n"

    expect(importFindings('src/node/a.ts', text)).toEqual([])
  })

  it('let a test of a browser layer run on Node', () => {
    expect(importFindings('src/renderer/a.test.ts', "import { join } from 'node:path'")).toEqual([])
  })

  it('find a cycle once', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', []],
    ])

    expect(imports.findCycles(graph).map(({ message }) => message)).toEqual(['import cycle: a -> b -> c -> a'])
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
    ["export * from './other'", '2: a barrel: import from the file that has it'],
    ['function f(x: any) {}', '2: any'],
    [`// ${'TO'}DO later`, '2: TODO without an issue number'],
    [`// @ts-${'ignore'}`, '2: a silenced type check'],
    [`const x = '/${'home'}/ann/x'`, "2: a path of somebody's machine"],
  ])('%j: %s', (text, finding) => {
    expect(styleFindings(text)).toEqual([finding])
  })

  it('leave alone what only looks like one', () => {
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
  ])('hold for %s', (_name, text) => {
    expect(styleFindings(text)).toEqual(['2: a function of 8 lines, at most 6'])
  })

  it('hold for a method', () => {
    expect(styleFindings(`class A {\n  #f(x: number): void {\n${long}  }\n}`)).toEqual([
      '3: a function of 8 lines, at most 6',
    ])
  })

  it('is not led astray by the end of an element on one line', () => {
    const text = `${HEAD}function a() {\n  return <td>{isOn && <B a={c} />}</td>\n}\nfunction b() {\n  return 1\n}\n`

    expect(styleFindings(text)).toEqual([])
  })

  it('count parameters, an options object as one', () => {
    expect(styleFindings('function f(a: number, b: Map<string, number>, { c, d }: Options, e: [1, 2]) {}')).toEqual([])
    expect(styleFindings('function f(a, b, c, d, e) {}')).toEqual(['2: 5 parameters, at most 4'])
  })

  it('hold for a file, but where a line of layers.json lifts them', () => {
    const text = 'x()\n'.repeat(30)

    expect(styleFindings(text)).toEqual(['21: 31 lines, at most 20'])
    expect(styleFindings(text, 'src/node/table.ts')).toEqual([])
  })

  it('do not take calls and conditions for functions', () => {
    expect(styleFindings(`{\n  if (a) {\n${long}  }\n  call(1, 2, 3, 4, 5)\n}`)).toEqual([])
  })
})
