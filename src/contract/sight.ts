// Whether a user interface is visible: events that change each second are sent less often to hidden ones.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { done } from './shapes'

/** Events sent only every few seconds while the page is hidden, each with its latest value. */
export const SELDOM_WHEN_HIDDEN = ['miner.devices', 'miner.status'] as const
/** Period while hidden, ms. */
export const HIDDEN_PERIOD_MS = 5000

export const sightCalls = {
  /** Sent whenever visibility changes; a connection starts as visible. */
  'ui.sight': call(z.object({ inSight: z.boolean() }), done),
}
