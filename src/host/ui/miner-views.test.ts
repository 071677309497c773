import { describe, expect, it } from 'vitest'
import { inventorySchema, solutionsSchema } from '../../contract/miner'
import type { SettledShare } from '../../miner/snapshot'
import { inventoryView, solutionsView } from './miner-views'

const share = (at: number, change: Partial<SettledShare> = {}): SettledShare => ({
  at,
  device: 0,
  pool: '',
  jobId: 'j',
  height: null,
  jobDifficulty: 4e9,
  ownDifficulty: 5e9,
  outcome: 'accepted',
  reason: '',
  latencyMs: 12,
  epoch: 3,
  nonce: 0xabcdn,
  ...change,
})

describe('what became of the solutions of a device', () => {
  it('are its own, newest first, wrong ones with nonce and epoch', () => {
    const wrong = share(2, { outcome: 'failed', ownDifficulty: null, latencyMs: null, reason: 'wrong result' })
    const view = solutionsView(
      { recentShares: () => [share(1), wrong, share(3, { device: 1 }), share(4)], failedSolutions: () => [wrong] },
      0,
    )

    expect(view.shares.map(({ at, outcome }) => [at, outcome])).toEqual([
      [4, 'accepted'],
      [2, 'failed'],
      [1, 'accepted'],
    ])
    expect(view.failed).toEqual([{ at: 2, epoch: 3, nonce: '000000000000abcd' }])
    expect(solutionsSchema.parse(view)).toEqual(view)
  })

  it('are as many as a list has room for', () => {
    const many = Array.from({ length: 80 }, (_, at) => share(at))

    const { shares } = solutionsView({ recentShares: () => many, failedSolutions: () => [] }, 0)

    expect([shares.length, shares[0]?.at]).toEqual([50, 79])
  })
})

it('an inventory names drivers that are not there', () => {
  const card = { name: 'RX 6700', pci: '02:00.0', backend: 'opencl', threads: null, driver: 'OpenCL 3.0' } as const
  const missing = [{ backend: 'cuda', reason: 'libcuda.so.1: cannot open shared object file' }] as const
  const view = inventoryView({ inventory: () => ({ devices: [], excluded: [card], missing }) })

  expect(view.excluded).toEqual([{ name: 'RX 6700', pci: '02:00.0', backend: 'opencl', driver: 'OpenCL 3.0' }])
  expect(inventorySchema.parse(view)).toEqual(view)
  expect(inventoryView(null)).toEqual({ devices: [], excluded: [], missing: [] })
})
