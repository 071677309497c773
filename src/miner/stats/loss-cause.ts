// Why a device computes less than usual: one cause at a time, the nearest to the device first.
import { FAULTS } from '../farm/pauses/pause-reasons'
import type { DeviceSnapshot } from './snapshot'

/** A faulty device, heat, work that didn't come or didn't count, or something planned. */
export type LossKind = 'fault' | 'heat' | 'work' | 'planned'

/** Each lost hash has one of these causes. */
export const LOSS_KINDS = {
  error: 'fault',
  silent: 'fault',
  'wrong-results': 'fault',
  slow: 'fault',
  heat: 'heat',
  'no-work': 'work',
  rejected: 'work',
  stale: 'work',
  unanswered: 'work',
  off: 'work',
  paused: 'planned',
  building: 'planned',
  starting: 'planned',
} as const satisfies Readonly<Record<string, LossKind>>
/** What took the hashes. */
export type LossCause = keyof typeof LOSS_KINDS
export const LOSS_CAUSES = Object.keys(LOSS_KINDS) as LossCause[]

/** Below this part of the usual rate, heat is the cause and not noise. */
const SLOWED = 0.97

/** What a device's lost hashes are attributed to. */
export interface LossReason {
  readonly cause: LossCause
  /** in the miner's own words; may be empty */
  readonly reason: string
}

type LosingDevice = Pick<
  DeviceSnapshot,
  'state' | 'paused' | 'pauseReasons' | 'responds' | 'error' | 'hashrate' | 'usualHashrate'
>

interface LossContext {
  /** a sensor is at its warning level */
  readonly isHot: boolean
  /** where work comes from, for the reason; empty: our own node */
  readonly pool: string
}

/** What the device's missing hashes of this moment are lost to; `slow` while it mines, where they may be negative. */
export function lossReason(device: LosingDevice, { isHot, pool }: LossContext): LossReason {
  const { state, paused, pauseReasons, responds, error, hashrate, usualHashrate } = device
  if (state === 'error') return { cause: 'error', reason: error }
  if (paused) {
    const reason = pauseReasons.join('; ')
    if (pauseReasons.some((each) => FAULTS.includes(each))) return { cause: 'error', reason }
    return { cause: pauseReasons.includes('Overheating') ? 'heat' : 'paused', reason }
  }
  if (state === 'building') return { cause: 'building', reason: '' }
  if (state === 'starting' || state === 'compiling') return { cause: 'starting', reason: '' }
  if (state === 'waiting') return { cause: 'no-work', reason: pool }
  if (!responds) return { cause: 'silent', reason: '' }
  const isSlowed = usualHashrate !== null && hashrate.s60 < SLOWED * usualHashrate
  return isHot && isSlowed ? { cause: 'heat', reason: '' } : { cause: 'slow', reason: '' }
}
