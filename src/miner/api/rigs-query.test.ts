import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFailure } from './http-errors'
import { pageOf, parseRigsQuery } from './rigs-query'

const RIGS = Array.from({ length: 30 }, (_, i) => ({
  name: `Rig ${i}`,
  online: i % 3 !== 0,
  ...(i < 20 ? { labels: { group: i % 2 === 0 ? 'cellar' : 'attic', site: i < 10 ? 'de:1' : 'us' } } : {}),
}))

function shown(query: string) {
  const parsed = parseRigsQuery(query)
  if (parsed !== null && isFailure(parsed)) return parsed.error
  const { rigs, total } = pageOf(RIGS, parsed)
  return [rigs.map(({ name }) => Number(name.slice(4))), total]
}

it.each([
  ['limit=3', [[0, 1, 2], 30]],
  ['offset=28', [[28, 29], 30]],
  ['offset=99', [[], 30]],
  ['offset=1&limit=2&group=attic', [[3, 5], 10]],
  ['group=attic&group=cellar&limit=2', [[0, 1], 20]],
  ['label=site:de:1&group=attic', [[1, 3, 5, 7, 9], 5]],
  ['label=toString:x', [[], 0]],
  ['online=false&limit=2', [[0, 3], 10]],
  ['name=rig%2029', [[29], 1]],
  ['', [RIGS.map((_, i) => i), 30]],
])('shows %s', (query, page) => {
  expect(shown(query)).toEqual(page)
})

it.each([
  ['limit=0', 'limit must be an integer from 1 to 1000'],
  ['limit=1001', 'limit must be an integer from 1 to 1000'],
  ['limit=1e3', 'limit must be an integer from 1 to 1000'],
  ['offset=-1', 'offset must be an integer from 0'],
  ['online=yes', 'online must be true or false'],
  ['label=site', 'label must be NAME:VALUE'],
  ['label=site:us&label=site:de:1', 'a label has one value: give each NAME once'],
  ['offset=1&offset=2', 'offset is given more than once'],
  ['name=a&name=b', 'name is given more than once'],
  ['page=2', 'page is not one of offset, limit, group, label=NAME:VALUE, online and name'],
])('rejects %s', (query, error) => {
  expect(shown(query)).toBe(error)
})

it('leaves an answer without a query unchanged, up to 1,000 rigs', () => {
  expect(parseRigsQuery(null)).toBeNull()
  expect(pageOf(RIGS, null)).toEqual({ rigs: RIGS })
  const many = Array.from({ length: 1_001 }, (_, i) => ({ name: `r${i}`, online: true }))
  const page = pageOf(many, null)
  expect([page.rigs.length, page.total]).toEqual([1_000, 1_001])
})

it('never throws', () => {
  fc.assert(fc.property(fc.string(), (query) => shown(query) !== null))
})
