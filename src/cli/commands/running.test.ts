import { expect, it } from 'vitest'
import { isWell, type Readings } from './running'

const WELL = {
  info: {},
  status: { services: [{ state: 'running' }] },
  miner: { state: 'mining', source: { diagnosis: null } },
  devices: { devices: [] },
  head: { state: 'running', head: { number: 1 } },
  sync: { phase: 'idle' },
  requests: {},
  incidents: [],
}
const isWellWith = (change: object): boolean => isWell({ ...WELL, ...change } as unknown as Readings)

it('is well with every part that answers', () => {
  expect(isWellWith({})).toBe(true)
  expect(isWellWith({ miner: { ...WELL.miner, state: 'off' }, devices: null })).toBe(true)
  expect(isWellWith({ head: { state: 'off', head: null }, sync: null })).toBe(true)
})

it.each(['status', 'miner', 'devices', 'head', 'sync', 'requests', 'incidents'])('is not well without %s', (part) => {
  expect(isWellWith({ [part]: null })).toBe(false)
})

it.each([
  { status: { services: [{ state: 'failed' }] } },
  { miner: { ...WELL.miner, source: { diagnosis: { trouble: 'x' } } } },
  { incidents: [{ level: 'problem' }] },
])('is not well with %j', (change) => {
  expect(isWellWith(change)).toBe(false)
})
