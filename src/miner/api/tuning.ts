// GET and POST /api/v1/tuning: read and change the settings of each GPU.
import { type CardKnobs, type CardSettings, KNOB_UNITS, KNOB_WORDS, KNOBS, knobOf } from '../tuning/card-controls'
import { TUNING_GOALS, type TuningGoal } from '../tuning/tuning-search'
import type { TuningView } from '../tuning/tuning-service'
import { jsonObjectOf } from './control'
import { type ApiFailure, badRequest } from './http-errors'

/** For one device, by its index. */
export type TuningCommand = { readonly device: number } & (
  | { readonly settings: CardSettings }
  | { readonly reset: true }
  /** null: stop the search */
  | { readonly search: TuningGoal | null }
)

const GRAMMAR =
  'want gpu and one of: numbers or null for power, core, memory, fan; "reset": true; "search": "efficiency", "margin" or null'

/** @param contentType the header's value, if it was sent @param deviceCount devices are 0 to one less */
export function parseTuning(
  contentType: string | undefined,
  body: Uint8Array,
  deviceCount: number,
): TuningCommand | ApiFailure {
  const parsed = jsonObjectOf(contentType, body, ['gpu', 'reset', 'search', ...Object.values(KNOB_WORDS)])
  if ('error' in parsed) return parsed
  const { gpu, reset, search, ...rest } = parsed.value
  if (typeof gpu !== 'number' || !Number.isInteger(gpu) || gpu < 0 || gpu >= deviceCount)
    return badRequest(`gpu must be an integer from 0 to ${deviceCount - 1}`)
  const words = Object.entries(rest)
  const kinds = [reset !== undefined, search !== undefined, words.length > 0].filter(Boolean).length
  if (kinds !== 1) return badRequest(GRAMMAR)
  if (reset !== undefined) return reset === true ? { device: gpu, reset } : badRequest(GRAMMAR)
  if (search === null) return { device: gpu, search }
  if (search !== undefined) {
    const goal = TUNING_GOALS.find((known) => known === search)
    return goal === undefined ? badRequest(GRAMMAR) : { device: gpu, search: goal }
  }
  const settings = settingsOf(words)
  return settings === null ? badRequest(GRAMMAR) : { device: gpu, settings }
}

function settingsOf(words: readonly (readonly [string, unknown])[]): CardSettings | null {
  const pairs: (readonly [string, number | null])[] = []
  for (const [word, value] of words) {
    const knob = knobOf(word)
    if (knob === null || (value !== null && !Number.isFinite(value))) return null
    pairs.push([knob, typeof value === 'number' ? value : null])
  }
  return Object.fromEntries(pairs)
}

/**
 * The response body: every GPU with its knobs, `null` where the GPU decides or doesn't report a value.
 * @param absent PCI addresses of tuned GPUs that weren't there since startup
 */
export function tuningAnswer(cards: readonly TuningView[], absent: readonly string[]): object {
  return {
    absent,
    cards: cards.map(({ device, pci, name, knobs, set, search }) => ({
      gpu: device,
      pci,
      name,
      knobs: knobsAnswer(knobs),
      set: settingsAnswer(set),
      search:
        search === null
          ? null
          : {
              ...search,
              points: search.points.map(({ settings, ...point }) => ({ ...point, settings: settingsAnswer(settings) })),
            },
    })),
  }
}

function settingsAnswer(settings: CardSettings): object {
  return Object.fromEntries(
    KNOBS.flatMap((knob) => (settings[knob] === undefined ? [] : [[KNOB_WORDS[knob], settings[knob]]])),
  )
}

function knobsAnswer(knobs: CardKnobs): object {
  return Object.fromEntries(
    KNOBS.flatMap((knob) => {
      const range = knobs[knob]
      return range === undefined ? [] : [[KNOB_WORDS[knob], { unit: KNOB_UNITS[knob], ...range }]]
    }),
  )
}
