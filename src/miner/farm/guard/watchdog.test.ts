import { describe, expect, it } from 'vitest'
import type { DeviceState } from '../../stats/snapshot'
import { Watchdog, type WatchdogVerdict } from './watchdog'

/** A device whose seconds are played one by one. */
class Played {
  at = 0
  hashes = 0n
  readonly dog: Watchdog

  constructor(minRateFraction = 0.5) {
    this.dog = new Watchdog({ minRateFraction })
  }

  /** @param rate hashes per second; the first verdict, and the seconds until it came */
  run(seconds: number, rate: bigint, state: DeviceState = 'mining', progress: number | null = null) {
    for (let i = 1; i <= seconds; i++) {
      this.at += 1_000
      this.hashes += rate
      const verdict = this.dog.observe(this.at, { state, hashes: this.hashes, progress })
      if (verdict !== null) return { verdict, after: i }
    }
    return null
  }
}

const kind = (found: { readonly verdict: WatchdogVerdict | null } | null): string | null => found?.verdict?.kind ?? null

describe('the watchdog', () => {
  it('leaves a device alone that finishes batches, however rarely', () => {
    const device = new Played(0)
    for (let i = 0; i < 20; i++) {
      expect(device.run(29, 0n)).toBeNull()
      expect(device.run(1, 1_000n)).toBeNull()
    }
  })

  it("reports that a device doesn't respond before restarting it", () => {
    const device = new Played()
    device.run(10, 500n)
    device.run(9, 0n)
    expect(device.dog.responds(device.at)).toBe(true)
    device.run(1, 0n)
    expect(device.dog.responds(device.at)).toBe(false)
    device.run(1, 500n)
    expect(device.dog.responds(device.at)).toBe(true)
    device.run(20, 0n, 'paused')
    expect(device.dog.responds(device.at)).toBe(true)
  })

  it('restarts a device 30 s after its last batch', () => {
    const device = new Played()
    device.run(10, 500n)
    expect(device.run(60, 0n)).toMatchObject({ after: 30, verdict: { kind: 'restart' } })
    expect(device.dog.restarts).toBe(1)
  })

  it('waits ten minutes for kernels to compile, at the build and at the first search', () => {
    const device = new Played()
    expect(device.run(599, 0n, 'compiling', 0)).toBeNull()
    expect(device.run(100, 0n, 'building', 0.1)).toBeNull()
    expect(device.run(599, 0n, 'compiling')).toBeNull()
    expect(device.run(10, 500n)).toBeNull()
    expect(device.dog.restarts).toBe(0)
    expect(new Played().run(700, 0n, 'compiling', 0)).toMatchObject({ after: 601, verdict: { kind: 'restart' } })
  })

  it.each(['paused', 'waiting', 'starting', 'error'] as const)('expects nothing of a device that is %s', (state) => {
    expect(new Played().run(300, 0n, state)).toBeNull()
  })

  it('counts from the start of the search', () => {
    const device = new Played()
    device.run(500, 0n, 'waiting')
    expect(device.run(29, 0n)).toBeNull()
  })

  it("restarts a build that doesn't grow for two minutes", () => {
    const device = new Played()
    device.run(60, 0n, 'building', 0.1)
    expect(device.run(200, 0n, 'building', 0.2)).toMatchObject({ after: 121 })
  })

  it('gives up at the fourth time within an hour, and tries again in the next hour', () => {
    const device = new Played()
    const tries = [0, 1, 2, 3].map(() => kind(device.run(60, 0n)))
    expect(tries).toEqual(['restart', 'restart', 'restart', 'give-up'])
    expect(device.dog.restarts).toBe(3)
    device.run(3_600, 100n)
    expect(kind(device.run(60, 0n))).toBe('restart')
  })

  it('forgets its attempts when the user restarts', () => {
    const device = new Played()
    for (let i = 0; i < 3; i++) device.run(60, 0n)
    device.dog.forgive()
    expect(kind(device.run(60, 0n))).toBe('restart')
  })

  it('restarts a device that stays below the set fraction of its own mean for two minutes', () => {
    const device = new Played(0.5)
    expect(device.run(1_200, 1_000n)).toBeNull()
    const found = device.run(400, 300n)
    expect(found?.verdict).toMatchObject({ kind: 'restart', reason: 'hashrate far below the mean of the hour' })
    expect(found?.after).toBeGreaterThan(120)
    expect(found?.after).toBeLessThan(200)
  })

  it("doesn't mistake a slower rate above that part, a short dip or little history for a fault", () => {
    const slower = new Played(0.5)
    slower.run(1_200, 1_000n)
    expect(slower.run(1_200, 700n)).toBeNull()
    const dip = new Played(0.5)
    dip.run(1_200, 1_000n)
    expect([dip.run(100, 0n, 'paused'), dip.run(90, 400n), dip.run(200, 1_000n)]).toEqual([null, null, null])
    const young = new Played(0.5)
    young.run(100, 1_000n)
    expect(young.run(400, 100n)).toBeNull()
  })
})
