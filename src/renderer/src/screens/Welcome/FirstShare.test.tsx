// What the last step shows once mining was started: each line follows the miner's reports, and ignores those from
// before the restart.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { DeviceView, MinerStatusView } from '../../../../contract/miner'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aGpu, anInfo, aStatus } from '../../testing/scripted-values'
// Preloaded; the application loads it on its first visit.
import './Welcome'

afterEach(cleanup)

const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))
const line = (name: string) => {
  const { dataset, textContent } = screen.getByTestId(`first-share-${name}`)
  return [dataset.state, textContent]
}
const POOL = { ...aStatus().source, kind: 'pool', host: 'pool.example:3333', difficulty: 60_000 } as const
const NO_RATE = { now: 0, s60: null, m15: null, effective: null }

async function started(): Promise<ScriptedBackend> {
  const { backend } = await open('/welcome', (scripted) => {
    fill(scripted)
    scripted.answer('app.setOption', () => ({ applies: 'process' })).answer('app.info', () => anInfo({ welcome: true }))
  })
  await press('welcome-start')
  return backend
}
const says = (backend: ScriptedBackend, status: Partial<MinerStatusView>, device: Partial<DeviceView>) =>
  act(async () => {
    backend.emit('miner.status', aStatus(status)).emit('miner.devices', { devices: [aGpu(0, device)], takenAt: NOW })
  })

describe('after Start mining', () => {
  it('says at once why a pool is no use, and what to do', async () => {
    const backend = await started()
    const diagnosis = { trouble: 'connection-refused', since: NOW, count: 1, answer: 'ECONNREFUSED' } as const
    await says(backend, { source: { ...POOL, connected: false, diagnosis }, lastProof: null }, { state: 'waiting' })

    expect(line('work')).toEqual([
      'failed',
      'Nothing listens at the pool’s port: ECONNREFUSED. Check host and port against the pool’s page.',
    ])
  })

  it('each line is in progress until it is done', async () => {
    const backend = await started()
    await says(
      backend,
      { source: { ...POOL, connected: false, difficulty: null }, hashrate: NO_RATE, lastProof: null },
      { state: 'compiling' },
    )
    expect([line('work'), line('devices'), line('proof')]).toEqual([
      ['busy', 'Connecting to pool.example:3333'],
      ['busy', 'Compiling kernels'],
      ['waiting', 'No share yet'],
    ])

    await says(backend, { source: POOL, hashrate: NO_RATE, lastProof: null }, { state: 'building', progress: 0.419 })
    expect([line('work')[0], line('devices')]).toEqual(['done', ['busy', 'Building DAG 41%']])

    await says(backend, { source: POOL, hashrate: { ...NO_RATE, now: 1500 }, lastProof: null }, { state: 'mining' })
    expect([line('devices'), line('proof')]).toEqual([
      ['done', '1 device is mining at 1.50\u00a0kH/s'],
      ['busy', 'Waiting for the first share, about 40\u00a0s on average'],
    ])

    await says(backend, { source: POOL, lastProof: { at: NOW, device: 0 } }, { state: 'mining' })
    expect(line('proof')).toEqual(['done', 'Share accepted: mining works'])
  })

  it.each([
    [{ state: 'error', error: 'no driver' }, ['failed', 'NVIDIA GeForce RTX 3070 failed: no driver']],
    [{ state: 'paused', paused: true, pauseReasons: ['Overheating'] }, ['waiting', 'All devices are paused']],
    [{ state: 'starting' }, ['waiting', 'No device is mining yet']],
  ] as const)("a device that is %j isn't called mining", async (device, expected) => {
    const backend = await started()

    await says(
      backend,
      { hashrate: NO_RATE, lastProof: null },
      { ...device, pauseReasons: [...('pauseReasons' in device ? device.pauseReasons : [])] },
    )

    expect(line('devices')).toEqual(expected)
  })

  it('ignores what the program said before its restart', async () => {
    const backend = await started()
    await says(backend, { takenAt: NOW - 60_000 }, {})

    expect([line('work'), line('proof')]).toEqual([
      ['busy', 'Starting the miner'],
      ['waiting', 'No share yet'],
    ])
  })
})
