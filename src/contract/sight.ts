// Whether anybody sees a user interface: what changes each second is sent more seldom to one that nobody does.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { done } from './shapes'

/** Events that come every few seconds only while the page is hidden, each with its latest value. */
export const SELDOM_WHEN_HIDDEN = ['miner.devices', 'miner.status'] as const
/** How seldom, in ms. */
export const HIDDEN_PERIOD_MS = 5000

export const sightCalls = {
  /** Said whenever it changes; a connection begins in sight. */
  'ui.sight': call(z.object({ inSight: z.boolean() }), done),
}
