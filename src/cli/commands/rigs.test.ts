import { expect, it } from 'vitest'
import { rigFigures } from '../../miner/monitor/rig-figures'
import { row } from './rigs'

const WATTS = 5

function wattsOf(...power: readonly (number | undefined)[]): string | undefined {
  const gpus = power.map((each) => (each === undefined ? {} : { power: each }))
  const figures = rigFigures({ gpus } as unknown as Parameters<typeof rigFigures>[0])
  return row({ name: 'r', host: 'h:1', labels: {}, online: true, error: '', figures })[WATTS]
}

it.each([
  [[], '-'],
  [[0], '-'],
  [[undefined, 0], '-'],
  [[120.4, 80], '200'],
  [[120.4, 0, undefined], '>120'],
])('shows the watts that a rig reports, and no zero for what it cannot measure: %j', (power, text) => {
  expect(wattsOf(...power)).toBe(text)
})
