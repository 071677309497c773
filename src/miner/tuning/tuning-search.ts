// Searches for the settings with which one GPU mines best by a measure: one knob at a time, in steps measured for a
// minute and a half while it mines. A step that isn't clearly better, or with which the GPU fails, is undone.
import type { Logger } from '../../base/logger'
import { type Clock, sleep } from '../../base/time'
import { type CardKnobs, type CardSettings, type Knob, type KnobRange, settingsText } from './card-controls'
import type { CardTuner } from './card-tuner'

/** Start of a step: clocks and temperatures settle, and earlier hashes leave the one-minute mean. */
const SETTLE_SECONDS = 30
const MEASURE_SECONDS = 60
/** Smaller gains are within noise. */
const GAIN = 0.01
/** Fractions of a knob's range: the first step, and the smallest. */
const FIRST_PART = 8
const LAST_PART = 32
/** About an hour; more isn't worth it. */
const MAX_STEPS = 40
/** Repetitions of a step interrupted from outside. */
const MAX_REPEATS = 3

export const TUNING_GOALS = ['efficiency', 'margin'] as const
/** What a search optimizes. */
export type TuningGoal = (typeof TUNING_GOALS)[number]

/** Inputs of the margin. */
export interface Tariff {
  /** money per kWh */
  readonly power: number
  /** income per MH/s and day */
  readonly income: number
}

/** Higher is better; null when the GPU doesn't report its power. @param rate H/s */
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
  /** wrong results, restarts and overheating so far; only increases */
  readonly faults: number
}

interface SearchDeps {
  readonly tuner: Pick<CardTuner, 'knobs' | 'settings' | 'set' | 'keep' | 'takeBack'>
  readonly sample: () => SearchSample
  readonly score: (rate: number, watts: number | null) => number | null
  readonly clock: Clock
  readonly log: Logger
  /** index, for logging */
  readonly device: number
  /** a step was better */
  readonly onBetter: (settings: CardSettings) => Promise<void>
}

/** What one step showed. */
export interface MeasuredPoint {
  /** as the GPU was set */
  readonly settings: CardSettings
  /** H/s, watts and the goal's score; null where the step failed or was interrupted */
  readonly rate: number | null
  readonly watts: number | null
  readonly score: number | null
  /** wrong results, restarts and overheating during it */
  readonly faults: number
}

type StepEnd = { readonly score: number } | 'failed' | 'interrupted'

/** One search on one GPU. */
export class TuningSearch {
  steps = 0
  /** Every step measured so far, oldest first. */
  readonly points: MeasuredPoint[] = []
  /** The best score so far; NaN before the first. */
  best = Number.NaN

  constructor(private readonly deps: SearchDeps) {}

  /** @returns why it ended early, null when complete; the best settings apply @throws the signal's reason, midway */
  async run(signal: AbortSignal): Promise<string | null> {
    const { tuner, log, device } = this.deps
    const first = await this.#measure(signal)
    if (first === 'failed') return 'the card fails as it is set now'
    if (first === 'interrupted') return 'the card does not mine, or does not tell its power'
    this.best = first.score
    const knobs = await tuner.knobs()
    for (const knob of ['power', 'coreClock', 'memoryClock'] as const) {
      const range = knobs[knob]
      if (range !== undefined) await this.#climb(knob, range, signal)
    }
    log.info('GPU settings tuned', { device, settings: settingsText(await tuner.settings()), steps: this.steps })
    return null
  }

  /** Up and down from the current value, in shrinking steps. */
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
      if (this.steps > MAX_STEPS) return
      tried.add(rival)
      if (await this.#isBetter({ [knob]: rival }, signal)) at = rival
    }
  }

  async #isBetter(settings: CardSettings, signal: AbortSignal): Promise<boolean> {
    const { tuner, log, device, onBetter } = this.deps
    await tuner.set(settings, 'trying')
    const end = await this.#measure(signal)
    if (typeof end === 'object' && end.score - this.best > Math.abs(this.best) * GAIN) {
      this.best = end.score
      await tuner.keep()
      await onBetter(await tuner.settings())
      return true
    }
    if (end === 'failed')
      log.warn('GPU failed with new settings, reverting them', { device, tried: settingsText(settings) })
    await tuner.takeBack()
    return false
  }

  async #measure(signal: AbortSignal): Promise<StepEnd> {
    this.steps += 1
    for (let attempt = 0; attempt < MAX_REPEATS; attempt++) {
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
      if (now.faults > faults) {
        await this.#measured(null, null, now.faults - faults)
        return 'failed'
      }
      if (!now.isMining) return 'interrupted'
      if (second > SETTLE_SECONDS && now.watts !== null) watts.push(now.watts)
    }
    const mean = watts.length === 0 ? null : watts.reduce((sum, one) => sum + one, 0) / watts.length
    const { rate } = sample()
    const reached = score(rate, mean)
    if (reached === null) return 'interrupted'
    await this.#measured({ rate, score: reached }, mean, 0)
    return { score: reached }
  }

  async #measured(
    reached: { readonly rate: number; readonly score: number } | null,
    watts: number | null,
    faults: number,
  ): Promise<void> {
    const settings = await this.deps.tuner.settings()
    this.points.push({ settings, rate: reached?.rate ?? null, watts, score: reached?.score ?? null, faults })
  }
}

/** Whether the GPU has any knob that a search changes. */
export function searchable(knobs: CardKnobs): boolean {
  return knobs.power !== undefined || knobs.coreClock !== undefined || knobs.memoryClock !== undefined
}
