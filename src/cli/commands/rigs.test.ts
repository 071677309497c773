import { expect, it } from 'vitest'
import type { AskedRig } from '../../host/miner/command-rigs'
import { row } from './rigs'

const WATTS = 5

function cells({
  watts = [],
  pool = { host: 'p', connected: true, warning: '' },
}: {
  watts?: readonly number[]
  pool?: object
}) {
  const figures = {
    hashrate: { s60: 1 },
    gpus: watts.map((powerWatts) => ({ powerWatts, paused: false })),
    shares: { accepted: 0, rejected: 0 },
    pool,
  } as unknown as AskedRig['figures']
  return row({ name: 'r', host: 'h:1', labels: {}, online: true, error: '', figures })
}

it.each([
  [{ host: 'p:1', connected: true, warning: '' }, 'p:1'],
  [{ host: 'p:1', connected: false, warning: '' }, 'p:1, not connected'],
  [{ host: 'p:1', connected: true, warning: 'rejects every share' }, 'p:1, rejects every share'],
  [{ host: '', connected: false, warning: '' }, '-'],
])('names no pool that a rig has trouble with as if all were well: %j', (pool, text) => {
  expect(cells({ pool }).at(-1)).toBe(text)
})

it.each([
  [[], '-'],
  [[0], '-'],
  [[0, 0], '-'],
  [[120.4, 80], '200'],
  [[120.4, 0, 0], '>120'],
])('shows the watts that a rig reports, and no zero for what it cannot measure: %j', (watts, text) => {
  expect(cells({ watts })[WATTS]).toBe(text)
})
