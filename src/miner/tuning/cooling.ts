// Keeps a card at a temperature before it would have to pause: more fan first, then lower clocks; back in reverse order.
import type { SensorReading } from '../sensors/reading'
import type { CardKnobs, CardSettings, Knob } from './card-controls'

/** As of the guard that pauses: other places may be hotter than the core by so much. */
const ABOVE = { core: 0, hotspot: 15, memory: 20 } as const
/** Samples in a row, one a second. */
const HOT_SAMPLES = 5
const COOL_SAMPLES = 60
/** Celsius under the limit at which a step is taken back. */
const COOL_BELOW = 6
const FAN_STEP = 10
/** Of the range of a clock or of the power limit. */
const CLOCK_PART = 20

interface Step {
  readonly knob: Knob
  readonly before: number | null
}

export class Cooling {
  /** as they were taken; the last one is taken back first */
  #steps: Step[] = []
  #hot = 0
  #cool = 0

  /** @param limit Celsius of the core */
  constructor(private readonly limit: number) {}

  /** Somebody else set the card: what was before is no longer meant. */
  forget(): void {
    this.#steps = []
  }

  /** One sample a second. @returns true when something is to be done about it: see `harder` and `softer` */
  observe({ temperature }: SensorReading): 'harder' | 'softer' | null {
    const places = (['core', 'hotspot', 'memory'] as const).flatMap((place) => {
      const celsius = temperature[place]
      return celsius === null ? [] : [celsius - ABOVE[place]]
    })
    if (places.length === 0) return null
    const hottest = Math.max(...places)
    this.#hot = hottest >= this.limit ? this.#hot + 1 : 0
    this.#cool = hottest <= this.limit - COOL_BELOW ? this.#cool + 1 : 0
    if (this.#hot >= HOT_SAMPLES) {
      this.#hot = 0
      return 'harder'
    }
    if (this.#cool < COOL_SAMPLES || this.#steps.length === 0) return null
    this.#cool = 0
    return 'softer'
  }

  /** What to set next; null: everything is done that can be. @param set what is set at present */
  harder(knobs: CardKnobs, set: CardSettings, reading: SensorReading): CardSettings | null {
    const next = moreFan(knobs, set, reading) ?? lessHeat(knobs, set, reading)
    if (next === null) return null
    this.#steps.push({ knob: next.knob, before: set[next.knob] ?? null })
    return { [next.knob]: next.value }
  }

  /** The last step taken back. */
  softer(): CardSettings | null {
    const step = this.#steps.pop()
    return step === undefined ? null : { [step.knob]: step.before }
  }
}

interface Turn {
  readonly knob: Knob
  readonly value: number
}

function moreFan({ fan }: CardKnobs, set: CardSettings, { fanPercent }: SensorReading): Turn | null {
  if (fan === undefined || fan.allowed === false) return null
  const at = set.fan ?? fanPercent ?? fan.least
  return at >= fan.most
    ? null
    : { knob: 'fan', value: Math.round(Math.min(fan.most, Math.max(fan.least, at + FAN_STEP))) }
}

/** The core's clock, or the power limit where that is all there is. */
function lessHeat(knobs: CardKnobs, set: CardSettings, { clockMhz, powerLimitWatts }: SensorReading): Turn | null {
  const isClock = knobs.coreClock !== undefined && knobs.coreClock.allowed !== false
  const knob = isClock ? 'coreClock' : 'power'
  const range = knobs[knob]
  if (range === undefined || range.allowed === false) return null
  const { least, most } = range
  const at = set[knob] ?? (isClock ? clockMhz.core : powerLimitWatts) ?? most
  const value = Math.round(Math.max(least, Math.min(most, at) - (most - least) / CLOCK_PART))
  return value >= at ? null : { knob, value }
}
