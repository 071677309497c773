// The port for GPU settings, vendor-independent. Nothing here is called without the user's request.
import { z } from 'zod'
import { MinerError } from '../errors'

/** In setting order: memory before core, since some drivers adjust the core to the memory. */
export const KNOBS = ['power', 'memoryClock', 'coreClock', 'fan'] as const
/** A setting of a GPU. */
export type Knob = (typeof KNOBS)[number]

export const KNOB_UNITS: Readonly<Record<Knob, string>> = {
  power: 'W',
  memoryClock: 'MHz',
  coreClock: 'MHz',
  fan: '%',
}

/** Names of the knobs in commands and the mining API. */
export const KNOB_WORDS: Readonly<Record<Knob, string>> = {
  power: 'power',
  memoryClock: 'memory',
  coreClock: 'core',
  fan: 'fan',
}

/** Null when it isn't a knob's name. */
export function knobOf(word: string): Knob | null {
  return KNOBS.find((knob) => KNOB_WORDS[knob] === word) ?? null
}

/** A GPU's settings by knob, in the units above; null: automatic. Absent knobs are unaffected. */
export type CardSettings = { readonly [K in Knob]?: number | null }

const value = z.number().nonnegative().max(1e6).nullable().optional()

/** Settings as stored in files. */
export const settingsSchema = z
  .object({ power: value, memoryClock: value, coreClock: value, fan: value })
  .transform((read): CardSettings => Object.fromEntries(Object.entries(read).filter(([, set]) => set !== undefined)))

/** The values of one knob, in its unit. */
export interface KnobRange {
  readonly least: number
  readonly most: number
  /** current value; null where the GPU decides or doesn't report it */
  readonly now: number | null
  /** the default; null where it isn't fixed */
  readonly usual: number | null
  /** whether this program may set it; null: unknown until tried */
  readonly allowed: boolean | null
}

/** The knobs that a GPU supports. */
export type CardKnobs = { readonly [K in Knob]?: KnobRange }

/** A GPU with settable knobs. */
export interface CardControls {
  /** `01:00.0`, with a domain other than 0 `0001:01:00.0` */
  readonly pci: string
  /** Distinguishes it from another GPU that may later be in this slot. @throws when the GPU is gone */
  identity(): Promise<string>
  /** Changes nothing. @throws when the GPU is gone */
  knobs(): Promise<CardKnobs>
  /** @param value null: automatic. @throws the driver's message */
  set(knob: Knob, value: number | null): Promise<void>
  /** Equivalent commands for a user with the necessary privileges. */
  commands(settings: CardSettings): readonly string[]
}

/** @throws MinerError TUNING_KNOB_ABSENT, TUNING_OUT_OF_RANGE before anything is set */
export function checkSettings(pci: string, settings: CardSettings, knobs: CardKnobs): void {
  for (const knob of KNOBS) {
    const value = settings[knob]
    if (value === undefined) continue
    const range = knobs[knob]
    if (range === undefined)
      throw new MinerError('TUNING_KNOB_ABSENT', { pci, knob: KNOB_WORDS[knob], has: wordsOf(knobs) })
    const { least, most } = range
    if (value !== null && !(value >= least && value <= most))
      throw new MinerError('TUNING_OUT_OF_RANGE', {
        pci,
        knob: KNOB_WORDS[knob],
        value,
        least,
        most,
        unit: KNOB_UNITS[knob],
      })
  }
}

function wordsOf(knobs: CardKnobs): readonly string[] {
  return KNOBS.filter((knob) => knobs[knob] !== undefined).map((knob) => KNOB_WORDS[knob])
}

/** Knobs in `settings`, in setting order. */
export function knobsOf(settings: CardSettings): readonly Knob[] {
  return KNOBS.filter((knob) => settings[knob] !== undefined)
}

/** `power 220 W, core 1400 MHz`, for display. */
export function settingsText(settings: CardSettings): string {
  const words = knobsOf(settings).map((knob) => {
    const value = settings[knob]
    const word = KNOB_WORDS[knob]
    return value === null ? `${word} left to the card` : `${word} ${value} ${KNOB_UNITS[knob]}`
  })
  return words.length === 0 ? 'nothing' : words.join(', ')
}
