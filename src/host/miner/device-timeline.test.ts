import { beforeEach, describe, expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { FakeClock } from '../../base/testing/fake-clock'
import type { MinerEvents } from '../../miner/miner-service-options'
import type { DeviceSnapshot, MinerSnapshot, SettledShare } from '../../miner/stats/snapshot'
import { DeviceTimeline } from './device-timeline'

const MINUTE = 60_000

describe("a device's timeline", () => {
  let clock: FakeClock
  let events: Emitter<MinerEvents>
  let timeline: DeviceTimeline

  const device = (change: Partial<DeviceSnapshot> = {}): void => {
    const calm = { index: 0, state: 'mining', paused: false, pauseReasons: [], error: '', restarts: 0, responds: true }
    const snapshot = { ...calm, ...change }
    events.emit('devicesChanged', [{ ...snapshot, takenAt: clock.now() } as unknown as DeviceSnapshot])
  }
  const share = (outcome: SettledShare['outcome'], reason = ''): void =>
    events.emit('shareSettled', { device: 0, at: clock.now(), outcome, reason } as SettledShare)
  const pool = (connected: boolean): void =>
    events.emit('statusChanged', {
      source: { kind: 'pool', connected, host: 'pool.example:1', epoch: null },
      takenAt: clock.now(),
    } as MinerSnapshot)
  const epoch = (number: number): void =>
    events.emit('statusChanged', { source: { epoch: number }, takenAt: clock.now() } as MinerSnapshot)

  beforeEach(() => {
    clock = new FakeClock()
    events = new Emitter<MinerEvents>()
    timeline = new DeviceTimeline(clock)
    timeline.watch({ events })
  })

  it('has a span from the pause to the resume, with the reasons', () => {
    device()
    const from = clock.now()
    device({ state: 'paused', paused: true, pauseReasons: ['Overheating', 'Api request'] })
    clock.advance(MINUTE)
    device({ state: 'paused', paused: true, pauseReasons: ['Overheating', 'Api request'] })
    expect(timeline.read(0, '10m').spans).toEqual([
      { kind: 'paused', from, to: null, reason: 'Overheating; Api request' },
    ])
    device()

    expect(timeline.read(0, '10m').spans).toEqual([
      { kind: 'paused', from, to: from + MINUTE, reason: 'Overheating; Api request' },
    ])
  })

  it('starts another span when the reason changes', () => {
    device({ state: 'paused', paused: true, pauseReasons: ['Api request'] })
    clock.advance(1_000)
    device({ state: 'error', error: 'the driver is gone' })

    expect(timeline.read(0, '10m').spans.map(({ kind, to }) => [kind, to === null])).toEqual([
      ['paused', false],
      ['error', true],
    ])
  })

  it('omits what ended before the window', () => {
    device({ state: 'paused', paused: true, pauseReasons: ['Api request'] })
    device()
    share('accepted')
    clock.advance(11 * MINUTE)

    expect(timeline.read(0, '10m')).toEqual({ spans: [], marks: [] })
    expect(timeline.read(0, '1h').spans).toHaveLength(1)
    expect(timeline.read(0, '1h').marks).toHaveLength(1)
  })

  it('counts accepted shares close together, and keeps why others were rejected', () => {
    share('accepted')
    clock.advance(1_000)
    share('accepted')
    share('rejected', 'low difficulty')
    share('failed')

    expect(timeline.read(0, '10m').marks.map(({ kind, count, text }) => [kind, count, text])).toEqual([
      ['accepted', 2, ''],
      ['rejected', 1, 'low difficulty'],
      ['failed', 1, 'failed'],
    ])
    expect(timeline.read(1, '10m').marks).toEqual([])
  })

  it('marks a restart and a new epoch, but not the first one', () => {
    epoch(3)
    device()
    clock.advance(MINUTE)
    epoch(4)
    epoch(4)
    device({ restarts: 1 })
    device({ restarts: 1 })

    expect(timeline.read(0, '10m').marks.map(({ kind, text }) => [kind, text])).toEqual([
      ['restart', ''],
      ['epoch', '4'],
    ])
  })

  it('distinguishes a hanging device from one without work, and names the pool that is away', () => {
    const from = clock.now()
    device({ responds: false })
    clock.advance(MINUTE)
    device()
    pool(false)
    device({ state: 'waiting' })
    clock.advance(MINUTE)
    pool(true)
    device()

    expect(timeline.read(0, '10m').spans).toEqual([
      { kind: 'silent', from, to: from + MINUTE, reason: '' },
      { kind: 'waiting', from: from + MINUTE, to: from + 2 * MINUTE, reason: 'pool.example:1' },
    ])
  })

  it('omits the moment between two jobs', () => {
    device({ state: 'waiting' })
    clock.advance(2_999)
    device()
    expect(timeline.read(0, '10m').spans).toEqual([])

    device({ state: 'waiting' })
    clock.advance(3_000)
    device()
    expect(timeline.read(0, '10m').spans).toHaveLength(1)
  })

  it("sums up losses by device and reason, from its start or the window's", () => {
    const startedAt = clock.now()
    device({ index: 1, state: 'error', error: 'gone' })
    device({ index: 0 })
    share('accepted')
    share('rejected', 'stale share')
    clock.advance(MINUTE)
    share('rejected', 'stale share')
    share('rejected', 'low difficulty')
    share('failed')
    device({ restarts: 1 })

    expect(timeline.losses('10m')).toEqual({
      from: startedAt,
      to: startedAt + MINUTE,
      devices: [
        {
          index: 0,
          spans: [],
          restarts: 1,
          failed: 1,
          refused: [
            { reason: 'stale share', count: 2 },
            { reason: 'low difficulty', count: 1 },
          ],
        },
        {
          index: 1,
          spans: [{ kind: 'error', from: startedAt, to: null, reason: 'gone' }],
          restarts: 0,
          failed: 0,
          refused: [],
        },
      ],
    })
    clock.advance(20 * MINUTE)
    expect(timeline.losses('10m')).toMatchObject({ from: startedAt + 11 * MINUTE, devices: [{ refused: [] }, {}] })
  })

  it('keeps at most 20 reasons, however many a pool invents', () => {
    for (let count = 0; count < 500; count++) share('rejected', `reason ${count}`)

    expect(timeline.losses('10m').devices[0]?.refused).toHaveLength(20)
  })
})
