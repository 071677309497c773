// GET /api/v1/rigs: the local rig, then the last report of the others.
import type { RigLabels } from '../../config/values/rig-address'
import { pageOf, type RigsQuery } from './rigs-query'
import type { Summary } from './summary'

/** What another rig reported about itself, unchanged: untrusted text, to be escaped when displayed. */
export type ForeignSummary = Readonly<Record<string, unknown>>

/** What the stratum port knows about a rig that mines for this node. */
interface RigWorker {
  /** its program, as it names itself; empty: unknown */
  readonly software: string
  readonly dialect: string
  /** open connections; 0: it is away */
  readonly connections: number
  /** expected hashes per share */
  readonly difficulty: number
  /** H/s as it reports it; -1: it doesn't, or not lately */
  readonly reported_hashrate: number
  readonly blocks: number
  /** shares that came too late */
  readonly stale: number
  /** whole seconds since its last accepted share; -1: none yet */
  readonly last_share_age: number
}

/** Another rig's entry. */
export interface OtherRig {
  readonly name: string
  /** `host:port` */
  readonly host: string
  /** absent when it has none */
  readonly labels?: RigLabels
  readonly online: boolean
  /** why it is not online; empty when it is */
  readonly error: string
  /** age of the last summary in whole seconds; -1 before the first */
  readonly age: number
  /** absent before the first answer */
  readonly summary?: ForeignSummary
  /** only for a rig of the stratum port, which nobody has configured */
  readonly worker?: RigWorker
}

/** The answer of GET /api/v1/rigs; `total`: number of matches, when the query selected among them. */
export type Rigs = ReturnType<typeof buildRigs>

/** A query selects among all rigs, the local one first. @param summary undefined: this program doesn't mine */
export function buildRigs(
  { computerName, summary }: { readonly computerName: string; readonly summary: Summary | undefined },
  others: readonly OtherRig[],
  query: RigsQuery | null = null,
) {
  if (summary === undefined) return { mining: false, ...pageOf(others, query) }
  const local = { name: computerName, host: '', local: true, online: true, error: '', age: 0, summary }
  return { mining: true, ...pageOf<typeof local | OtherRig>([local, ...others], query) }
}
