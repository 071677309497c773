import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { EarningsView, TipView } from '../../../../contract/fleet'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aPool } from '../../testing/scripted-pools'
import { aFleet, aRig } from '../../testing/scripted-rigs'
import { aBlock, aDevice, aGpu, aStatus } from '../../testing/scripted-values'

afterEach(cleanup)

const SOURCE = { ...aStatus().source, kind: 'pool', host: 'pool.example:1', difficulty: 1_395_000 } as const
const EARNED: EarningsView = {
  from: 0,
  firstAt: 0,
  rows: [
    {
      pool: 'pool.example:1',
      shares: 97,
      rejected: 1,
      work: 97,
      pricedWork: 97,
      expected: '0',
      hashes: 100,
      expectedShares: 100,
      computed: '0',
    },
    {
      pool: '',
      shares: 1,
      rejected: 0,
      work: 1,
      pricedWork: 1,
      expected: '0',
      hashes: 50,
      expectedShares: 50,
      computed: '0',
    },
  ],
}
const TIP: TipView = {
  state: 'behind',
  why: '',
  since: NOW - 3_000,
  job: { height: 42, epoch: 0, at: NOW },
  head: { height: 42, epoch: 0, at: NOW },
  delays: { count: 3, p50Ms: 100, p95Ms: 900, lastMs: 800 },
  coinbases: [],
  takenAt: NOW,
}

/** 13.95 kH/s at this difficulty: a share every 100 s. */
const mining =
  (proofAgeMs: number) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    backend
      .answer('miner.earnings', () => EARNED)
      .emit('miner.tip', TIP)
      .emit('miner.status', aStatus({ source: SOURCE, lastProof: { at: NOW - proofAgeMs, device: 0 } }))
  }

describe('the overview', () => {
  it('says what is mined, and where, in one line', async () => {
    await open('/', mining(1))

    expect((await screen.findByTestId('health')).textContent).toContain(
      'Mining 14.23\u00a0kH/s on pool.example:1, 1 of 1 devices',
    )
  })

  it('has a tile for each device with its own pause button', async () => {
    await open('/', mining(1))

    const tile = await screen.findByTestId('tile-0')
    expect(tile.dataset.state).toBe('mining')
    expect(within(tile).getByTestId('tile-pause-0').textContent).toBe('Pause')
  })

  it('shows on request what each device adds to its figures, and whose power is unknown', async () => {
    const metered = aDevice({ powerWatts: 90, meanPowerWatts: 100, hashrate: { now: 1, s60: 3_000, m15: 1 } })
    const paused = { paused: true, pauseReasons: ['Overheating'] }
    const other = aDevice({
      index: 1,
      name: 'CPU\u202eX',
      powerWatts: null,
      hashrate: { now: 1, s60: 1_000, m15: 1 },
      ...paused,
    })
    await open('/', (backend) => {
      mining(1)(backend)
      backend.emit('miner.devices', { devices: [metered, other], takenAt: NOW })
    })
    const show = await screen.findByTestId('sources-show')
    expect(screen.queryByTestId('sources')).toBeNull()

    await act(async () => show.click())

    const text = (id: string) => screen.getByTestId(id).textContent?.replaceAll('\u00a0', ' ')
    expect(text('source-0')).toContain('3.00 kH/s75%100 W30.0 H/W')
    expect(text('source-1')).toContain('1.00 kH/s25%––')
    expect(text('source-1')).toContain('Overheating')
    expect(text('source-1')).not.toContain('\u202e')
    expect(text('source-sum')).toContain('4.00 kH/s100 W30.0 H/W')
  })

  it('explains how the expected earnings are computed, with the current numbers', async () => {
    await open('/', mining(1))

    expect((await screen.findByTestId('earnings-how')).textContent).toMatch(
      /[\d.]+\u00a0kH\/s × 86,400 s ÷ network difficulty/,
    )
  })

  it.each([
    ['no block in the last 15 min', 0],
    ['a lucky block in the last 15 min', 5_000_000],
  ])('expects of a day what its hashes find on average, with %s', async (_luck, effective) => {
    const { hashrate } = aStatus()
    await open('/', (backend) => {
      fill(backend)
      backend.emit('miner.status', aStatus({ hashrate: { ...hashrate, effective } }))
    })

    // Hashes of a day, divided by the difficulty, times the reward, to four digits.
    const lax = ((13_950 * 86_400) / 71_420) * 50
    expect(Number((await screen.findByTestId('expected-day')).dataset.value) / 1e18 / lax).toBeCloseTo(1, 3)
  })

  it('expects no earnings from what the genesis block pays', async () => {
    await open('/', (backend) => {
      mining(1)(backend)
      backend.answer('node.blocks', () => ({ blocks: [aBlock(0, { subsidy: '0' })] }))
    })

    await screen.findByTestId('last-proof')
    expect(screen.queryByTestId('expected-day')).toBeNull()
  })
})

it('nothing is called well by readings that arrive late', async () => {
  const { backend, pass } = await open('/', mining(1_000))
  expect((await screen.findByTestId('health')).textContent).toContain('Everything is working')

  await pass(12_000)

  expect(screen.getByTestId('health').textContent).toContain('Latest reading: 12\u00a0s ago')
  expect(screen.getByTestId('health').textContent).not.toContain('Everything is working')
  act(() => void backend.emit('miner.status', aStatus({ source: SOURCE, takenAt: NOW + 12_000 })))
  await pass(1_000)
  expect(screen.getByTestId('health').textContent).not.toContain('Latest reading')
})

it('a monitor goes by the readings of its rigs, not by its own miner, which is off', async () => {
  const offline = aRig('far', { online: false, figures: null, ageSeconds: null, reading: 0 })
  const fleetAt = (seconds: number, rigs: readonly ReturnType<typeof aRig>[]) =>
    aFleet(rigs, { mining: false, takenAt: NOW + seconds * 1_000 })
  const { backend, pass } = await open('/', (scripted) => {
    fill(scripted)
    scripted.emit('miner.devices', { devices: [], takenAt: NOW })
    scripted.emit('miner.status', aStatus({ state: 'off', takenAt: NOW }))
    scripted.emit('miner.rigs', fleetAt(0, [aRig('near'), offline]))
  })
  expect((await screen.findByTestId('health')).textContent).toContain('1 rig hasn’t answered yet')

  await pass(12_000)
  act(() => void backend.emit('miner.rigs', fleetAt(12, [aRig('near')])))
  await pass(1_000)
  expect(screen.getByTestId('health').textContent).not.toContain('Latest reading')
  await pass(12_000)
  expect(screen.getByTestId('health').textContent).toContain('Latest reading')
})

it('a hung device isn’t counted among those that mine', async () => {
  const { backend } = await open('/', mining(1_000))
  const devices = [aGpu(0), aGpu(1), aGpu(2)]
  act(() => void backend.emit('miner.devices', { devices, takenAt: NOW }))
  expect((await screen.findByTestId('health')).textContent).toContain('3 of 3 devices')

  act(
    () =>
      void backend.emit('miner.devices', {
        devices: devices.map((device) => (device.index === 1 ? { ...device, responds: false } : device)),
        takenAt: NOW,
      }),
  )

  expect(screen.getByTestId('health').textContent).toContain('2 of 3 devices')
})

describe('the indicator against silent failure', () => {
  it.each([
    [299_000, 'ok'],
    [301_000, 'attention'],
    [599_000, 'attention'],
    [601_000, 'problem'],
  ])('%d ms after the last share, with one expected every 100 s, is %s', async (ageMs, level) => {
    await open('/', mining(ageMs))

    const light = await screen.findByTestId('last-proof')
    expect(light.dataset.state).toBe(level)
    expect(light.textContent).toContain('Last accepted share')
  })

  it("claims nothing if it isn't known how often a share is expected", async () => {
    const { backend } = await open('/', mining(1_000))

    act(() => void backend.emit('miner.status', aStatus({ source: { ...SOURCE, difficulty: null } })))

    expect(screen.getByTestId('last-proof').dataset.state).toBe('unknown')
  })
})

it('luck covers the last thirty days with the expected range', async () => {
  await open('/', mining(1_000))

  expect((await screen.findByTestId('luck')).dataset.value).toBe('97')
  expect(screen.getByTestId('luck-verdict').dataset.state).toBe('normal')
  await act(async () => screen.getByRole('button', { name: /^Luck/ }).click())
  expect(screen.getByTestId('because').textContent).toContain('range: 81% to 120% (97 shares)')
})

it('the pool is shown with since when it is connected and how it keeps up', async () => {
  const { backend } = await open('/', mining(1_000))
  act(
    () =>
      void backend.emit('miner.pools', {
        kind: 'pools',
        pools: [aPool(0, { connectedAt: NOW - 11_520_000 })],
        takenAt: NOW,
      }),
  )

  expect(screen.getByTestId('source-since').textContent).toBe('3\u00a0h 12\u00a0min')
  expect(screen.getByTestId('source-tip').textContent).toBe('Behind by 3\u00a0s')
  expect(screen.getByTestId('source-lag').textContent).toBe('800\u00a0ms')
})
