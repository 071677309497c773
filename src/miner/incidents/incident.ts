// An incident: something that is or was wrong, from its first moment on, with what it cost and what was done.
import { z } from 'zod'
import { LOSS_KINDS, type LossCause, type LossKind } from '../stats/loss-cause'

/** What can be wrong. Public: never rename one, add a new one. */
export const INCIDENT_CAUSES = [
  'device-error',
  'device-silent',
  'wrong-results',
  'hot',
  'fan',
  'power-limit',
  'slow',
  'rejected-shares',
  'sensor-lost',
  'heat-unseen',
  'no-work',
  'no-share',
  'pool-lost',
  'pool-trouble',
  'paused',
  'building',
  'off',
  'rig-offline',
  'rig-stale',
  'rig-hot',
  'rig-slow',
  'rig-pool',
  'rig-silent',
  'rig-rejected',
  'record-unsaved',
  'beside-differs',
  'beside-unknown',
] as const
/** What is wrong. */
export type IncidentCause = (typeof INCIDENT_CAUSES)[number]
/** `note`: listed, never an alarm. */
type IncidentLevel = 'note' | 'attention' | 'problem'

/** What holds right now, by the rules. */
export interface Condition {
  /** stays the same while the problem lasts */
  readonly id: string
  readonly cause: IncidentCause
  readonly level: IncidentLevel
  /** by index; empty: not about devices of this computer */
  readonly devices: readonly number[]
  readonly pool: string
  readonly rig: string
  readonly values: Readonly<Record<string, string | number>>
  /** how long it has to last before it is an incident */
  readonly holdMs: number
  /** what it is about: nothing about it is an incident in its first two minutes */
  readonly subject: string
  /** the losses it explains, of its devices */
  readonly takes: readonly LossCause[]
  /** H/s that a rig computes less than usual; null: its usual rate isn't known; absent: not about a rig's rate */
  readonly lostRate?: number | null
}

const time = z.number().int().nonnegative()

/** An incident as it is on disk. */
export const incidentSchema = z.object({
  /** unique */
  id: z.string(),
  /** of its condition */
  condition: z.string(),
  cause: z.enum(INCIDENT_CAUSES),
  level: z.enum(['note', 'attention', 'problem']),
  devices: z.array(z.object({ index: time, name: z.string() })),
  pool: z.string(),
  rig: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  since: time,
  /** when it last held, UTC ms */
  lastAt: time,
  until: time.nullable(),
  /** lost to it; null: it explains no losses, or they can't be measured */
  hashes: z.number().nonnegative().nullable(),
  /** their value in millionths of a LAX; null: unknown */
  micro: z.number().nonnegative().nullable(),
  actions: z.array(z.object({ at: time, did: z.enum(['restarted', 'paused', 'switched']), text: z.string() })),
  acknowledgedAt: time.nullable(),
  alerts: z.array(z.object({ at: time, sink: z.string(), fault: z.string() })),
})
/** An incident. */
export type Incident = z.infer<typeof incidentSchema>

const KINDS: Readonly<Record<IncidentCause, LossKind>> = {
  'device-error': 'fault',
  'device-silent': 'fault',
  'wrong-results': 'fault',
  hot: 'heat',
  fan: 'heat',
  'power-limit': 'fault',
  slow: 'fault',
  'rejected-shares': 'work',
  'sensor-lost': 'fault',
  'heat-unseen': 'heat',
  'no-work': 'work',
  'no-share': 'work',
  'pool-lost': 'work',
  'pool-trouble': 'work',
  paused: 'planned',
  building: 'planned',
  off: LOSS_KINDS.off,
  'rig-offline': 'fault',
  'rig-stale': 'fault',
  'rig-hot': 'heat',
  'rig-slow': 'fault',
  'rig-pool': 'work',
  'rig-silent': 'fault',
  'rig-rejected': 'work',
  'record-unsaved': 'fault',
  'beside-differs': 'fault',
  'beside-unknown': 'fault',
}

/** How it is shown. */
export function kindOf({ cause }: Pick<Incident, 'cause'>): LossKind {
  return KINDS[cause]
}

const MICRO_PER_LAX = 1e6

/** LAX lost to it so far; null: unknown. */
export function laxOf({ micro }: Pick<Incident, 'micro'>): number | null {
  return micro === null ? null : micro / MICRO_PER_LAX
}

type Words = (values: Readonly<Record<string, string | number>>) => string

const TEXTS: Readonly<Record<IncidentCause, Words>> = {
  'device-error': ({ device, reason }) => `${device} failed: ${reason}`,
  'device-silent': ({ device }) => `${device} doesn't respond`,
  'wrong-results': ({ device, count }) => `${device} returned ${count} wrong results in 10 minutes: lower its clocks`,
  hot: ({ device, place, celsius, limit }) => `${device}: ${place} at ${celsius} °C, limit ${limit} °C`,
  fan: ({ device, percent }) => `${device}: fan at ${percent}% for 5 minutes`,
  'power-limit': ({ device, watts }) => `${device}: at its power limit, ${watts} W, for 5 minutes`,
  slow: ({ device, percent }) => `${device}: at ${percent}% of its usual hashrate for 5 minutes`,
  'rejected-shares': ({ device, percent }) =>
    `${device}: ${percent}% of the shares of the last 10 minutes were rejected`,
  'sensor-lost': ({ device, sensors }) => `${device} no longer reports: ${sensors}`,
  'heat-unseen': ({ device, limit }) => `${device} reports no temperature: its limit of ${limit} °C can't protect it`,
  'no-work': ({ source }) => `No work from ${source === '' ? 'your node' : source}`,
  'no-share': ({ shares }) => `No block found, though ${shares} were due on average`,
  'pool-lost': ({ host, answer }) => `Lost the connection to ${host}${answer === '' ? '' : `: ${answer}`}`,
  'pool-trouble': ({ host, text }) => `${host}: ${text}`,
  paused: ({ reason }) => `Paused: ${reason}`,
  building: () => 'Building the DAG',
  off: () => 'The computer or the program was off',
  'rig-offline': ({ name, reason }) => `Rig ${name} is offline: ${reason}`,
  'rig-stale': ({ name, seconds }) => `Rig ${name}: latest reading ${seconds} s ago`,
  'rig-hot': ({ name, celsius }) => `Rig ${name}: a GPU is at ${celsius} °C`,
  'rig-slow': ({ name, percent }) => `Rig ${name}: at ${percent}% of its usual hashrate for 5 minutes`,
  'rig-pool': ({ name, warning }) => `Rig ${name}: ${warning}`,
  'rig-silent': ({ name, minutes }) => `Rig ${name}: connected, but no accepted share for ${minutes} minutes`,
  'rig-rejected': ({ name, percent }) => `Rig ${name}: ${percent}% of the shares of the last 10 minutes were rejected`,
  'record-unsaved': ({ reason }) => `The record of what was mined can't be saved: ${reason}`,
  'beside-differs': ({ url, height, what }) =>
    `The node at ${url} has something else than ours in block ${height}: ${what}. One of the two is wrong`,
  'beside-unknown': ({ url, reason }) => `Our node can't be compared with the one at ${url}: ${reason}`,
}

/** One English sentence, for logs, API and alerts; others' words in it have no control characters. */
export function incidentText({ cause, values }: Pick<Incident, 'cause' | 'values'>): string {
  const { index, backend } = values
  const device = backend === 'cpu' ? 'CPU' : `Device ${index}`
  return TEXTS[cause]({ ...values, device }).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}
