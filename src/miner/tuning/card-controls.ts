// The port to what can be set of a card, whoever made it. Nothing here is called but by somebody's wish.
import { z } from 'zod'
import { MinerError } from '../errors'

/** In the order in which they are set: memory before core, as some drivers fit the core to the memory. */
export const KNOBS = ['power', 'memoryClock', 'coreClock', 'fan'] as const
export type Knob = (typeof KNOBS)[number]

export const KNOB_UNITS: Readonly<Record<Knob, string>> = {
  power: 'W',
  memoryClock: 'MHz',
  coreClock: 'MHz',
  fan: '%',
}

/** Knobs as commands and the mining API call them. */
export const KNOB_WORDS: Readonly<Record<Knob, string>> = {
  power: 'power',
  memoryClock: 'memory',
  coreClock: 'core',
  fan: 'fan',
}

/** Null for what is no word for a knob. */
export function knobOf(word: string): Knob | null {
  return KNOBS.find((knob) => KNOB_WORDS[knob] === word) ?? null
}

/** What a card is set to, knob by knob, in the units above; null: left to the card. A knob that is absent is not meant. */
export type CardSettings = { readonly [K in Knob]?: number | null }

const value = z.number().nonnegative().max(1e6).nullable().optional()

/** Settings as files keep them. */
export const settingsSchema = z
  .object({ power: value, memoryClock: value, coreClock: value, fan: value })
  .transform((read): CardSettings => Object.fromEntries(Object.entries(read).filter(([, set]) => set !== undefined)))

/** The values that one knob takes, all in its unit. */
export interface KnobRange {
  readonly least: number
  readonly most: number
  /** set at present; null where the card decides or does not tell */
  readonly now: number | null
  /** the card's own; null where it has no fixed one */
  readonly usual: number | null
  /** this program may set it; null: only trying tells */
  readonly allowed: boolean | null
}

/** Knobs that the card has. */
export type CardKnobs = { readonly [K in Knob]?: KnobRange }

/** One card whose knobs can be turned. */
export interface CardControls {
  /** `01:00.0`, with a domain other than 0 `0001:01:00.0` */
  readonly pci: string
  /** Unlike that of another card that may be in this slot tomorrow. @throws when the card is gone */
  identity(): Promise<string>
  /** Changes nothing. @throws when the card is gone */
  knobs(): Promise<CardKnobs>
  /** @param value null: given back to the card. @throws the driver's words */
  set(knob: Knob, value: number | null): Promise<void>
  /** What somebody with rights types to the same end. */
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

/** Knobs of `settings`, in the order in which they are set. */
export function knobsOf(settings: CardSettings): readonly Knob[] {
  return KNOBS.filter((knob) => settings[knob] !== undefined)
}

/** `power 220 W, core 1400 MHz`, for people. */
export function settingsText(settings: CardSettings): string {
  const words = knobsOf(settings).map((knob) => {
    const value = settings[knob]
    const word = KNOB_WORDS[knob]
    return value === null ? `${word} left to the card` : `${word} ${value} ${KNOB_UNITS[knob]}`
  })
  return words.length === 0 ? 'nothing' : words.join(', ')
}
