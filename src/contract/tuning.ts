// What can be set of one device's card, what is set of it, and the search for its best settings.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { countSchema, done } from './shapes'

/** In the order in which they are shown: watts, MHz, MHz, percent. */
export const tuningKnobs = ['power', 'coreClock', 'memoryClock', 'fan'] as const
const knobSchema = z.enum(tuningKnobs)

/** `efficiency`: hashes a joule. `margin`: income less power, in the tariff's money a day. */
const goalSchema = z.enum(['efficiency', 'margin'])

/** Null: left to the card. */
const settingSchema = z.number().nonnegative().max(1e6).nullable()

export const tunedCardSchema = z.object({
  /** Those that the card has. */
  knobs: z.array(
    z.object({
      knob: knobSchema,
      least: z.number(),
      most: z.number(),
      /** Null: the card decides, or does not tell. */
      now: z.number().nullable(),
      /** The card's own; null: it has no fixed one. */
      usual: z.number().nullable(),
      /** False: this program lacks the rights. Null: only trying tells. */
      allowed: z.boolean().nullable(),
      /** True: this program set it. */
      isSet: z.boolean(),
    }),
  ),
  search: z
    .object({
      goal: goalSchema,
      running: z.boolean(),
      steps: countSchema,
      /** In the goal's measure; null before the first step is done. */
      best: z.number().nullable(),
      /** Why it ended early; empty else. */
      error: z.string(),
    })
    .nullable(),
})

const device = z.object({ device: countSchema })

export const tuningCalls = {
  /** `card` is null where nothing can be set of it. `hasTariff`: the margin can be told. */
  'miner.tuning': call(device, z.object({ card: tunedCardSchema.nullable(), hasTariff: z.boolean() })),
  /** Until the program ends; knobs that are absent stay. Ends a search. */
  'miner.tune': call(device.extend({ settings: z.partialRecord(knobSchema, settingSchema) }), done, 'control'),
  /** The card's own values, or what `headframe tune` set. */
  'miner.tuneReset': call(device, done, 'control'),
  /** Null ends the search; what it found stays. */
  'miner.tuneSearch': call(device.extend({ goal: goalSchema.nullable() }), done, 'control'),
}

export type TuningKnob = z.infer<typeof knobSchema>
export type TunedCardView = z.infer<typeof tunedCardSchema>
export type TuningGoalView = z.infer<typeof goalSchema>
