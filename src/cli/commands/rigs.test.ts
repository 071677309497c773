import { expect, it } from 'vitest'
import type { AskedRig } from '../../host/miner/fleet-command'
import { row } from './rigs'

const WATTS = 5

function wattsOf(...watts: readonly number[]): string | undefined {
  const figures = {
    hashrate: { s60: 1 },
    gpus: watts.map((powerWatts) => ({ powerWatts, paused: false })),
    shares: { accepted: 0, rejected: 0 },
    pool: { host: 'p' },
  } as unknown as AskedRig['figures']
  return row({ name: 'r', host: 'h:1', labels: {}, online: true, error: '', figures })[WATTS]
}

it.each([
  [[], '-'],
  [[0], '-'],
  [[0, 0], '-'],
  [[120.4, 80], '200'],
  [[120.4, 0, 0], '>120'],
])('shows the watts that a rig reports, and no zero for what it cannot measure: %j', (power, text) => {
  expect(wattsOf(...power)).toBe(text)
})
