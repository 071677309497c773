// The numbers of docs/limits.md compared with the constants that it names, and the list of what clients add.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLIENT_EXTRAS } from '../../src/node/rpc/arguments/transaction-params'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const ROW = /^\|([^|]*)\|([^|]*)\| ([0-9,]+) \| `([^`:]+):([A-Za-z_]+)` \|$/gm

const rows = [...read('docs/limits.md').matchAll(ROW)].map(
  ([, what = '', bound = '', number = '', path = '', name = '']) => ({
    title: `${what.trim()} (${bound.trim()})`,
    number: Number(number.replaceAll(',', '')),
    path,
    name,
  }),
)

/** The value of a constant, or of a member of an object, that is a product or sum of numbers and of other constants. */
function constantOf(source: string, name: string): number {
  const found = new RegExp(`(?:\\b(?:const|var) ${name}(?::[^=]*)? = |^ +${name}: )([0-9A-Z_ *+]+)`, 'm').exec(source)
  if (found === null) throw new Error(`no constant ${name}`)
  const product = (text: string): number =>
    text
      .split('*')
      .reduce(
        (sum, part) =>
          sum * (/^[0-9_]+$/.test(part.trim()) ? Number(part.replaceAll('_', '')) : constantOf(source, part.trim())),
        1,
      )
  return (found[1] ?? '').split('+').reduce((sum, part) => sum + product(part), 0)
}

describe('the page of limits', () => {
  it('has a row in its form for every line of its tables', () => {
    const tables = read('docs/limits.md')
      .split('\n\n')
      .filter((part) => part.startsWith('| What | Bound | Number | Constant |'))
    const lines = tables.flatMap((table) => table.trim().split('\n').slice(2))
    expect(rows).toHaveLength(lines.length)
    expect(rows.length).toBeGreaterThan(30)
  })

  it.each(rows)('$title is $number: $path $name', ({ number, path, name }) => {
    expect(constantOf(read(path), name)).toBe(number)
  })
})

it('the guide lists what client libraries add to a transaction', () => {
  const guide = read('docs/guide/json-rpc.md')
  for (const name of CLIENT_EXTRAS) expect(guide).toContain(`\`${name}\``)
})
