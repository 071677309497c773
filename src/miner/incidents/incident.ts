// An incident: something that is or was wrong, from its first moment on, with what it cost and what was done.
import { z } from 'zod'
import type { LossCause, LossKind } from '../stats/loss-cause'

type Words = (values: Readonly<Record<string, string | number>>) => string
interface Cause {
  /** how it is shown */
  readonly kind: LossKind
  /** one English sentence */
  readonly text: Words
}
const fault = (text: Words): Cause => ({ kind: 'fault', text })
const heat = (text: Words): Cause => ({ kind: 'heat', text })
const work = (text: Words): Cause => ({ kind: 'work', text })
const planned = (text: Words): Cause => ({ kind: 'planned', text })

/** What can be wrong. Public: never rename one, add a new one. */
const CAUSES = {
  'device-error': fault(({ device, reason }) => `${device} failed: ${reason}`),
  'device-silent': fault(({ device }) => `${device} doesn't respond`),
  'wrong-results': fault(
    ({ device, count }) => `${device} returned ${count} wrong results in 10 minutes: lower its clocks`,
  ),
  hot: heat(({ device, place, celsius, limit }) => `${device}: ${place} at ${celsius} °C, limit ${limit} °C`),
  fan: heat(({ device, percent }) => `${device}: fan at ${percent}% for 5 minutes`),
  'power-limit': fault(({ device, watts }) => `${device}: at its power limit, ${watts} W, for 5 minutes`),
  slow: fault(({ device, percent }) => `${device}: at ${percent}% of its usual hashrate for 5 minutes`),
  'rejected-shares': work(
    ({ device, percent }) => `${device}: ${percent}% of the shares of the last 10 minutes were rejected`,
  ),
  'sensor-lost': fault(({ device, sensors }) => `${device} no longer reports: ${sensors}`),
  'heat-unseen': heat(
    ({ device, limit }) => `${device} reports no temperature: its limit of ${limit} °C can't protect it`,
  ),
  'no-work': work(({ source }) => `No work from ${source === '' ? 'your node' : source}`),
  'no-share': work(({ shares }) => `No block found, though ${shares} were due on average`),
  'pool-lost': work(({ host, answer }) => `Lost the connection to ${host}${answer === '' ? '' : `: ${answer}`}`),
  'pool-trouble': work(({ host, text }) => `${host}: ${text}`),
  paused: planned(({ reason }) => `Paused: ${reason}`),
  building: planned(() => 'Building the DAG'),
  off: work(() => 'The computer or the program was off'),
  'rig-offline': fault(({ name, reason }) => `Rig ${name} is offline: ${reason}`),
  'rig-stale': fault(({ name, seconds }) => `Rig ${name}: latest reading ${seconds} s ago`),
  'rig-hot': heat(({ name, celsius }) => `Rig ${name}: a GPU is at ${celsius} °C`),
  'rig-slow': fault(({ name, percent }) => `Rig ${name}: at ${percent}% of its usual hashrate for 5 minutes`),
  'rig-pool': work(({ name, warning }) => `Rig ${name}: ${warning}`),
  'rig-silent': fault(({ name, minutes }) => `Rig ${name}: connected, but no accepted share for ${minutes} minutes`),
  'rig-rejected': work(
    ({ name, percent }) => `Rig ${name}: ${percent}% of the shares of the last 10 minutes were rejected`,
  ),
  'record-unsaved': fault(({ reason }) => `The record of what was mined can't be saved: ${reason}`),
  'beside-differs': fault(
    ({ url, height, what }) =>
      `The node at ${url} has something else than ours in block ${height}: ${what}. One of the two is wrong`,
  ),
  'beside-unknown': fault(({ url, reason }) => `Our node can't be compared with the one at ${url}: ${reason}`),
}
/** What is wrong. */
export type IncidentCause = keyof typeof CAUSES
export const INCIDENT_CAUSES = Object.keys(CAUSES) as IncidentCause[]
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

/** How it is shown. */
export function kindOf({ cause }: Pick<Incident, 'cause'>): LossKind {
  return CAUSES[cause].kind
}

const MICRO_PER_LAX = 1e6

/** LAX lost to it so far; null: unknown. */
export function laxOf({ micro }: Pick<Incident, 'micro'>): number | null {
  return micro === null ? null : micro / MICRO_PER_LAX
}

/** One English sentence, for logs, API and alerts; others' words in it have no control characters. */
export function incidentText({ cause, values }: Pick<Incident, 'cause' | 'values'>): string {
  const { index, backend } = values
  const device = backend === 'cpu' ? 'CPU' : `Device ${index}`
  return CAUSES[cause].text({ ...values, device }).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}
