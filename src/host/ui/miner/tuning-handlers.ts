// GPU settings for the UI.
import { type TunedCardView, tuningKnobs } from '../../../contract/miner'
import type { TuningService, TuningView } from '../../../miner/tuning/tuning-service'
import { HostError } from '../../errors'
import type { CallsOf } from '../ui-handlers'

/** What a UI uses of tuning. */
export type TuningPart = Pick<TuningService, 'find' | 'set' | 'release' | 'search' | 'locate' | 'hasTariff'>

type TuningCalls = Pick<
  CallsOf<'miner'>,
  'miner.tuning' | 'miner.tune' | 'miner.tuneReset' | 'miner.tuneSearch' | 'miner.locate'
>

/** @param tuning null: this run has no miner. @throws HostError HOST_SERVICE_OFF; MinerError TUNING_ codes */
export function tuningCalls(tuning: TuningPart | null): TuningCalls {
  const present = (): TuningPart => {
    if (tuning === null) throw new HostError('HOST_SERVICE_OFF', { service: 'miner' })
    return tuning
  }
  return {
    'miner.tuning': async ({ device }) => {
      const view = (await tuning?.find(device)) ?? null
      return { card: view === null ? null : cardView(view), hasTariff: tuning?.hasTariff ?? false }
    },
    'miner.tune': async ({ device, settings }) => {
      await present().set(device, settings)
    },
    'miner.tuneReset': async ({ device }) => {
      await present().release(device)
    },
    'miner.locate': async ({ device }) => ({ runsMs: await present().locate(device) }),
    'miner.tuneSearch': async ({ device, goal }) => {
      await present().search(device, goal)
    },
  }
}

function cardView({ knobs, set, search }: TuningView): TunedCardView {
  return {
    knobs: tuningKnobs.flatMap((knob) => {
      const range = knobs[knob]
      return range === undefined ? [] : [{ knob, ...range, isSet: (set[knob] ?? null) !== null }]
    }),
    search: search === null ? null : { ...search, points: search.points.map((point) => ({ ...point })) },
  }
}
