// Keeps a GPU below its pause temperature: more fan first, then lower clocks; undone in reverse order.
import type { SensorReading } from '../sensors/reading'
import type { CardKnobs, CardSettings, Knob } from './card-controls'

/** As in the thermal guard: how much hotter other sensors may be than the core. */
const ABOVE = { core: 0, hotspot: 15, memory: 20 } as const
/** Consecutive samples, one per second. */
const HOT_SAMPLES = 5
const COOL_SAMPLES = 60
/** °C below the limit at which a step is undone. */
const COOL_BELOW = 6
const FAN_STEP = 10
/** Fraction of a clock's or the power limit's range. */
const CLOCK_PART = 20

interface Step {
  readonly knob: Knob
  readonly before: number | null
}

/** The cooling of one GPU. */
export class Cooling {
  /** in the order taken; the last one is undone first */
  #steps: Step[] = []
  #hot = 0
  #cool = 0

  /** @param limit Celsius of the core */
  constructor(private readonly limit: number) {}

  /** Someone else changed the GPU: the saved settings are obsolete. */
  forget(): void {
    this.#steps = []
  }

  /** One sample a second. @returns true when action is needed: see `harder` and `softer` */
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

  /** The next settings; null: everything possible was done. @param set the current settings */
  harder(knobs: CardKnobs, set: CardSettings, reading: SensorReading): CardSettings | null {
    const next = moreFan(knobs, set, reading) ?? lessHeat(knobs, set, reading)
    if (next === null) return null
    this.#steps.push({ knob: next.knob, before: set[next.knob] ?? null })
    return { [next.knob]: next.value }
  }

  /** The last step undone. */
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

/** The core clock, or the power limit if that is all there is. */
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
