// Looks for the settings with which one card mines best by a measure: one knob after the other, in steps that are measured
// for a minute and a half while it mines. A step that is not clearly better, or with which the card fails, is taken back.
import type { Logger } from '../../base/logger'
import { type Clock, sleep } from '../../base/time'
import { type CardKnobs, type CardSettings, type Knob, type KnobRange, settingsText } from './card-controls'
import type { CardTuner } from './card-tuner'

/** Of a step: clocks and temperatures settle, and what was hashed before leaves the mean of a minute. */
const SETTLE_SECONDS = 30
const MEASURE_SECONDS = 60
/** Smaller gains are noise. */
const GAIN = 0.01
/** Parts of a knob's range: the first step, and the one at which a knob is done. */
const FIRST_PART = 8
const LAST_PART = 32
/** An hour; more is no longer worth it. */
const MOST_STEPS = 40
/** Of one step that something outside interrupted. */
const MOST_REPEATS = 3

/** What counts as better. `margin`: income less power, in the tariff's money a day. */
export const TUNING_GOALS = ['efficiency', 'margin'] as const
export type TuningGoal = (typeof TUNING_GOALS)[number]

/** What the margin is computed with. */
export interface Tariff {
  /** money a kWh */
  readonly power: number
  /** money that a MH/s earns a day */
  readonly income: number
}

/** The greater the better; null where the card does not tell its power. @param rate H/s */
export function scoreOf(goal: TuningGoal, tariff: Tariff | null, rate: number, watts: number | null): number | null {
  if (watts === null || watts <= 0) return null
  if (goal === 'efficiency') return rate / watts
  if (tariff === null) return null
  return (rate / 1e6) * tariff.income - ((watts * 24) / 1_000) * tariff.power
}

/** One look at the device. */
export interface SearchSample {
  /** H/s over the last minute */
  readonly rate: number
  readonly watts: number | null
  readonly isMining: boolean
  /** wrong results, restarts and heat so far; grows only */
  readonly faults: number
}

export interface SearchDeps {
  readonly tuner: Pick<CardTuner, 'knobs' | 'settings' | 'set' | 'keep' | 'takeBack'>
  readonly sample: () => SearchSample
  readonly score: (rate: number, watts: number | null) => number | null
  readonly clock: Clock
  readonly log: Logger
  /** index, for the log */
  readonly device: number
  /** a step proved better */
  readonly onBetter: (settings: CardSettings) => Promise<void>
}

type StepEnd = { readonly score: number } | 'failed' | 'interrupted'

export class TuningSearch {
  #steps = 0
  #best = Number.NaN

  constructor(private readonly deps: SearchDeps) {}

  /** Steps made so far. */
  get steps(): number {
    return this.#steps
  }

  /** The best score so far; NaN before the first. */
  get best(): number {
    return this.#best
  }

  /**
   * @returns why it ended early, or null at its end; what was found is set either way
   * @throws the signal's reason, with the step under way not taken back
   */
  async run(signal: AbortSignal): Promise<string | null> {
    const { tuner, log, device } = this.deps
    const first = await this.#measure(signal)
    if (first === 'failed') return 'the card fails as it is set now'
    if (first === 'interrupted') return 'the card does not mine, or does not tell its power'
    this.#best = first.score
    const knobs = await tuner.knobs()
    for (const knob of ['power', 'coreClock', 'memoryClock'] as const) {
      const range = knobs[knob]
      if (range !== undefined) await this.#climb(knob, range, signal)
    }
    log.info('card is tuned', { device, settings: settingsText(await tuner.settings()), steps: this.#steps })
    return null
  }

  /** Up and down from where it is, in steps that become smaller. */
  async #climb(knob: Exclude<Knob, 'fan'>, range: KnobRange, signal: AbortSignal): Promise<void> {
    const { least, most } = range
    let at = (await this.deps.tuner.settings())[knob] ?? range.now ?? range.usual ?? most
    const tried = new Set([at])
    let step = (most - least) / FIRST_PART
    while (step >= (most - least) / LAST_PART && step >= 1) {
      const candidates = [at - step, at + step].map((value) => Math.round(Math.min(most, Math.max(least, value))))
      const rival = candidates.find((value) => !tried.has(value))
      if (rival === undefined) {
        step /= 2
        continue
      }
      if (this.#steps > MOST_STEPS) return
      tried.add(rival)
      if (await this.#isBetter({ [knob]: rival }, signal)) at = rival
    }
  }

  async #isBetter(settings: CardSettings, signal: AbortSignal): Promise<boolean> {
    const { tuner, log, device, onBetter } = this.deps
    await tuner.set(settings, 'trying')
    const end = await this.#measure(signal)
    if (typeof end === 'object' && end.score - this.#best > Math.abs(this.#best) * GAIN) {
      this.#best = end.score
      await tuner.keep()
      await onBetter(await tuner.settings())
      return true
    }
    if (end === 'failed')
      log.warn('card failed with settings that are taken back', { device, tried: settingsText(settings) })
    await tuner.takeBack()
    return false
  }

  async #measure(signal: AbortSignal): Promise<StepEnd> {
    this.#steps += 1
    for (let attempt = 0; attempt < MOST_REPEATS; attempt++) {
      const end = await this.#measureOnce(signal)
      if (end !== 'interrupted') return end
    }
    return 'interrupted'
  }

  async #measureOnce(signal: AbortSignal): Promise<StepEnd> {
    const { clock, sample, score } = this.deps
    const { faults } = sample()
    const watts: number[] = []
    for (let second = 1; second <= SETTLE_SECONDS + MEASURE_SECONDS; second++) {
      await sleep(clock, 1_000, signal)
      const now = sample()
      if (now.faults > faults) return 'failed'
      if (!now.isMining) return 'interrupted'
      if (second > SETTLE_SECONDS && now.watts !== null) watts.push(now.watts)
    }
    const mean = watts.length === 0 ? null : watts.reduce((sum, one) => sum + one, 0) / watts.length
    const reached = score(sample().rate, mean)
    return reached === null ? 'interrupted' : { score: reached }
  }
}

/** The knobs that a search turns, of those that the card has. */
export function searchable(knobs: CardKnobs): boolean {
  return knobs.power !== undefined || knobs.coreClock !== undefined || knobs.memoryClock !== undefined
}
