// The search against a card whose rate and power follow its settings, on the test's own clock.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { CardKnobs, CardSettings } from './card-controls'
import { scoreOf, type Tariff, type TuningGoal, TuningSearch } from './tuning-search'

const KNOBS: CardKnobs = {
  power: { least: 100, most: 300, now: 300, usual: 300, allowed: true },
  coreClock: { least: 400, most: 2000, now: null, usual: null, allowed: true },
}

/** Best at 180 W; under 160 W it returns wrong results. The core clock makes no difference. */
class ModelCard {
  set: CardSettings = {}
  good: CardSettings = {}
  readonly log: string[] = []
  faults = 0
  isMining = true
  watts = (limit: number): number | null => limit

  readonly tuner = {
    knobs: async () => KNOBS,
    settings: async () => ({ ...this.good, ...this.set }),
    set: async (settings: CardSettings) => {
      this.set = settings
      this.log.push(`try ${JSON.stringify(settings)}`)
    },
    keep: async () => {
      this.good = { ...this.good, ...this.set }
      this.set = {}
      this.log.push('keep')
    },
    takeBack: async () => {
      this.set = {}
      this.log.push('take back')
    },
  }

  get limit(): number {
    return this.set.power ?? this.good.power ?? 300
  }

  sample() {
    if (this.limit < 160) this.faults += 1
    const rate = 100e6 * Math.min(1, this.limit / 180)
    return { rate, watts: this.watts(this.limit), isMining: this.isMining, faults: this.faults }
  }
}

async function search(card: ModelCard, goal: TuningGoal, tariff: Tariff | null = null) {
  const clock = new FakeClock()
  const kept: CardSettings[] = []
  const one = new TuningSearch({
    tuner: card.tuner,
    sample: () => card.sample(),
    score: (rate, watts) => scoreOf(goal, tariff, rate, watts),
    clock,
    log: silentLogger,
    device: 0,
    onBetter: async (settings) => void kept.push(settings),
  })
  let end: string | null | undefined
  void one.run(new AbortController().signal).then((reason) => {
    end = reason
  })
  while (end === undefined) {
    clock.advance(1_000)
    await turn()
  }
  return { end, kept, seconds: clock.monotonic() / 1_000, steps: one.steps, points: one.points }
}

describe('the search for the best settings', () => {
  it('finds the power limit with most hashes per joule, in steps of 90 s', async () => {
    const card = new ModelCard()
    const { end, kept, seconds, steps } = await search(card, 'efficiency')
    expect(end).toBeNull()
    expect(Math.abs(card.limit - 180)).toBeLessThan(13)
    expect(kept.at(-1)).toEqual(card.good)
    expect(seconds / steps).toBeLessThan(93)
    expect(seconds / steps).toBeGreaterThan(80)
  })

  it('keeps every point it measured, with what failed', async () => {
    const card = new ModelCard()
    const { points, steps } = await search(card, 'efficiency')
    expect(points).toHaveLength(steps)
    const good = points.filter(({ score }) => score !== null)
    expect(good.every(({ rate, watts, score }) => Math.abs((rate ?? 0) / (watts ?? 1) - (score ?? 0)) < 1e-9)).toBe(
      true,
    )
    expect(points.find(({ faults }) => faults > 0)?.score).toBeNull()
  })

  it("reverts a step with a wrong result at once, and every step that isn't better", async () => {
    const card = new ModelCard()
    await search(card, 'efficiency')
    const wrong = card.log.findIndex((line) => /"power":1[0-5]\d/.test(line))
    expect(card.log[wrong + 1]).toBe('take back')
    expect(card.log.filter((line) => line === 'keep').length).toBeLessThan(card.log.length / 3)
    expect(card.set).toEqual({})
  })

  it('maximizes money if the tariff is known', async () => {
    const dear = new ModelCard()
    await search(dear, 'margin', { power: 10, income: 0.5 })
    const cheap = new ModelCard()
    cheap.watts = (limit) => limit
    await search(cheap, 'margin', { power: 0.01, income: 1 })
    expect(dear.limit).toBeLessThan(200)
    expect(cheap.limit).toBe(300)
  })

  it('ends with nothing set if power is unknown, nothing mines, or the GPU fails untouched', async () => {
    const dumb = new ModelCard()
    dumb.watts = () => null
    expect((await search(dumb, 'efficiency')).end).toContain('does not tell its power')
    const paused = new ModelCard()
    paused.isMining = false
    expect((await search(paused, 'efficiency')).end).toContain('does not mine')
    const broken = new ModelCard()
    broken.good = { power: 120 }
    expect((await search(broken, 'efficiency')).end).toContain('fails')
    for (const card of [dumb, paused, broken]) expect(card.log).toEqual([])
  })
})
