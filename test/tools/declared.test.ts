// What is declared is used: neither types nor lint would notice an option that nothing reads, an error that nothing
// throws or an RPC method that no test calls.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CATALOG } from '../../src/config/catalog'
import { createMethodTable } from '../../src/node/rpc/methods/all-methods'

const ROOT = resolve(import.meta.dirname, '..', '..')
/** Where options are declared, described and shown, but not read. */
const SHOWN = ['src/config/options/', 'src/renderer/', 'src/contract/']

/** All code below the folders. */
function filesIn(folders: readonly string[], endings: readonly string[]): ReadonlyMap<string, string> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const wanted = files.filter((file) => endings.includes(extname(file)))
  return new Map(wanted.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
}

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)
const program = filesIn(['src'], ['.ts', '.tsx'])
const code = [...program].filter(([file]) => !isTest(file))

describe('an option', () => {
  const readers = code.filter(([file]) => !SHOWN.some((folder) => file.startsWith(folder))).map(([, text]) => text)
  const keys = CATALOG.flatMap(({ entries }) => entries.map(({ key }) => key))

  it('is read by the program', () => {
    const unread = keys.filter((key) => {
      const name = key.split('.').at(-1)
      // `options.name`, or destructured: `{ name, other: local } = options`.
      const read = new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\s*[,}:=]`)
      return !readers.some((text) => read.test(text))
    })
    expect(keys.length).toBeGreaterThan(100)
    expect(unread).toEqual([])
  })
})

describe('an error', () => {
  it('is thrown, sent or reported by the program', () => {
    const tables = code.filter(([, text]) => /= defineErrors\(\{/.test(text))
    const codes = tables.flatMap(([, text]) =>
      [...text.matchAll(/^ {2}([A-Z][A-Z0-9_]+): \(/gm)].map(([, name]) => name),
    )
    const users = code.map(([, text]) => text)
    expect(codes.length).toBeGreaterThan(100)
    expect(codes.filter((name) => !users.some((text) => new RegExp(`['"\`]${name}['"\`]`).test(text)))).toEqual([])
  })
})

describe('an RPC method', () => {
  it('is called by a recorded case or a test', () => {
    const calls = [...filesIn(['test'], ['.ts', '.io', '.json']), ...[...program].filter(([file]) => isTest(file))]
    const texts = calls.map(([, text]) => text)
    const names = [...createMethodTable().keys()]
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => !texts.some((text) => text.includes(name)))).toEqual([])
  })
})
