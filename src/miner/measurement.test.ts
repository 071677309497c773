import { describe, expect, it } from 'vitest'
import { silentLogger } from '../base/logger'
import { FakeClock } from '../base/testing/fake-clock'
import { Measurement } from './measurement'
import type { DeviceSnapshot } from './stats/snapshot'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function scene({ fails = '' } = {}) {
  const clock = new FakeClock(0)
  const tested: Record<string, unknown>[] = [
    { index: 0, name: 'GPU', state: 'building', progress: 0.5, hashes: 0, error: '', responds: true },
    { index: 1, name: 'GPU', state: 'building', progress: 0.1, hashes: 0, error: '', responds: true },
  ]
  const seen = { opened: 0, stopped: 0, closed: 0, paused: [] as number[], resumed: [] as number[] }
  const running = [
    { index: 0, paused: false },
    { index: 1, paused: true },
  ]
  const as = (devices: readonly object[]) => devices as readonly DeviceSnapshot[]
  const measurement = new Measurement({
    open: () => {
      seen.opened += 1
      const miner = {
        start: async () => {
          if (fails !== '') throw new Error(fails)
        },
        stop: async () => {
          seen.stopped += 1
        },
        devices: () => as(tested),
      }
      const close = async () => {
        seen.closed += 1
      }
      return { miner, close }
    },
    mining: {
      devices: () => as(running),
      pause: (device) => void seen.paused.push(device ?? -1),
      resume: (device) => void seen.resumed.push(device ?? -1),
    },
    clock,
    log: silentLogger,
  })
  const work = (seconds: number, rate: number): void => {
    for (let second = 0; second < seconds; second++) {
      for (const device of tested) if (device.state === 'mining') device.hashes = Number(device.hashes) + rate
      clock.advance(1_000)
    }
  }
  return { clock, tested, seen, measurement, work }
}

describe('a measurement', () => {
  it('counts for 20 s once each device has its dataset, ends by itself, and lets what mined mine again', async () => {
    const { tested, seen, measurement, work } = scene()
    measurement.begin()
    measurement.begin()
    await settled()
    Object.assign(tested[0] ?? {}, { state: 'mining', progress: null })
    work(60, 1_000)
    expect(measurement.state).toMatchObject({ kind: 'preparing', devices: [{ hashrate: null }, { progress: 0.1 }] })
    Object.assign(tested[1] ?? {}, { state: 'mining', progress: null })
    work(10, 1_000)
    expect(measurement.state).toMatchObject({ kind: 'measuring', devices: [{ hashrate: null }, { hashrate: null }] })
    expect(measurement.state.secondsLeft).toBeGreaterThan(9)
    work(12, 1_000)
    await settled()

    const { kind, devices } = measurement.state
    expect(kind).toBe('done')
    for (const { hashrate } of devices) expect(hashrate).toBeCloseTo(1_000, -2)
    expect(seen).toMatchObject({ opened: 1, stopped: 1, closed: 1, resumed: [0] })
    expect(new Set(seen.paused)).toEqual(new Set([0]))
  })

  it('has no rate of a device that fails, and says why when all do', async () => {
    const { tested, measurement, work } = scene()
    measurement.begin()
    await settled()
    Object.assign(tested[0] ?? {}, { state: 'mining', progress: null })
    Object.assign(tested[1] ?? {}, { state: 'error', progress: null, error: 'out of memory' })
    work(22, 500)
    expect(measurement.state).toMatchObject({ kind: 'done', devices: [{ hashrate: 500 }, { hashrate: null }] })

    Object.assign(tested[1] ?? {}, { state: 'mining', error: '' })
    measurement.begin()
    await settled()
    work(15, 500)
    Object.assign(tested[1] ?? {}, { responds: false }) // it hangs
    work(7, 500)
    expect(measurement.state).toMatchObject({ kind: 'done', devices: [{ hashrate: 500 }, { hashrate: null }] })

    Object.assign(tested[1] ?? {}, { state: 'error', error: 'out of memory' })
    Object.assign(tested[0] ?? {}, { state: 'error', error: 'no driver' })
    measurement.begin()
    await settled()
    work(1, 0)
    expect(measurement.state).toMatchObject({ kind: 'failed', reason: 'GPU: no driver; GPU: out of memory' })
  })

  it('is forgotten when it is stopped, and ends with the program', async () => {
    const { seen, measurement, work } = scene()
    measurement.begin()
    await settled()
    work(5, 0)
    await measurement.stop()
    expect(measurement.state.kind).toBe('none')
    expect(seen).toMatchObject({ stopped: 1, closed: 1, resumed: [0] })
    await measurement.stop()
    expect(seen.stopped).toBe(1)
  })

  it('fails with the reason that its miner gives, and in an hour without a dataset', async () => {
    const first = scene({ fails: 'no room' })
    first.measurement.begin()
    await settled()
    expect(first.measurement.state).toMatchObject({ kind: 'failed', reason: 'no room' })
    expect(first.seen).toMatchObject({ resumed: [0] })

    const second = scene()
    second.measurement.begin()
    await settled()
    second.work(3_601, 0)
    expect(second.measurement.state).toMatchObject({ kind: 'failed', reason: 'no DAG within an hour' })
  })
})
