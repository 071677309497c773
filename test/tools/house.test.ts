// The table of layers in docs/house.md, compared with layers.json, which lint enforces.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
const { allow, rooms } = z
  .object({
    allow: z.record(z.string(), z.array(z.string())),
    rooms: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  })
  .parse(JSON.parse(readFileSync(resolve(ROOT, 'layers.json'), 'utf8')))
const house = readFileSync(resolve(ROOT, 'docs/house.md'), 'utf8')
const ALL_ABOVE = /^all above, /

/** What each layer may import, according to the table. */
function statedLayers(): Map<string, string[]> {
  const table = house.slice(house.indexOf('| layer |'), house.indexOf('- The trades never'))
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| layer'))
  const stated = new Map<string, string[]>()
  for (const row of rows) {
    const [layers = '', imports = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    const above = ALL_ABOVE.test(imports) ? [...stated.keys()] : []
    const named = imports === 'nothing of ours' ? [] : imports.replace(ALL_ABOVE, '').split(', ')
    for (const layer of layers.split(', ')) stated.set(layer, [...new Set([...above, ...named])].sort())
  }
  return stated
}

it('states the layers that lint enforces', () => {
  const enforced = Object.entries(allow).map(([layer, names]) => [layer, [...names].sort()])
  expect(Object.fromEntries(statedLayers())).toEqual(Object.fromEntries(enforced))
})

it('states an order of folders in which none imports a later one', () => {
  const [, stated = ''] = /In the node: ([^;]*?), each knowing only those before it/.exec(house) ?? []
  const order = stated.split(/,\s+/)
  expect(order).toContain('consensus')
  for (const [index, folder] of order.entries()) {
    const known = rooms['src/node/']?.[folder] ?? [folder]
    expect(
      order.slice(index).filter((later) => known.includes(later)),
      folder,
    ).toEqual([])
  }
})
