import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { Coalescer } from './ui-server'

function scene() {
  const clock = new FakeClock()
  const runs: number[] = []
  const startedAt = clock.monotonic()
  const coalescer = new Coalescer({ clock, maxRate: 2 }, () => void runs.push(clock.monotonic() - startedAt))
  /** What was announced in one go, and everything that follows from it. */
  const turn = async (triggers: number): Promise<void> => {
    for (let count = 0; count < triggers; count++) coalescer.trigger()
    await Promise.resolve()
  }
  return { clock, runs, coalescer, turn }
}

describe('a coalescer', () => {
  it('runs once for changes that are announced together, each second', async () => {
    const { clock, runs, turn } = scene()

    for (let second = 0; second < 3; second++) {
      await turn(2)
      clock.advance(1_000)
    }

    expect(runs).toEqual([0, 1_000, 2_000])
  })

  it('runs at the end of the interval for a change soon after', async () => {
    const { clock, runs, turn } = scene()
    await turn(1)
    clock.advance(100)
    await turn(3)
    expect(runs).toEqual([0])

    clock.advance(400)

    expect(runs).toEqual([0, 500])
  })

  it('no longer runs after its end', async () => {
    const { clock, runs, coalescer, turn } = scene()
    coalescer.trigger()
    coalescer.dispose()
    await Promise.resolve()
    expect(runs).toEqual([])

    await turn(1)
    await turn(1)
    coalescer.dispose()
    clock.advance(1_000)

    expect(runs).toEqual([0])
  })
})
