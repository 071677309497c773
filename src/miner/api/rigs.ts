// GET /api/v1/rigs: the local rig, then the others as they were seen last.
import type { RigLabels } from '../../config/values/rig-address'
import { pageOf, type RigsQuery } from './rigs-query'
import type { Summary } from './summary'

export interface LocalRig {
  readonly name: string
  readonly host: ''
  readonly local: true
  readonly online: true
  readonly error: ''
  readonly age: 0
  readonly summary: Summary
}

/** What another rig said about itself, kept as it came: foreign text, to be escaped where it is shown. */
export type ForeignSummary = Readonly<Record<string, unknown>>

export interface OtherRig {
  readonly name: string
  /** `host:port` */
  readonly host: string
  /** absent where it has none */
  readonly labels?: RigLabels
  readonly online: boolean
  /** why it is not online; empty when it is */
  readonly error: string
  /** whole seconds since the kept summary arrived; -1 before the first */
  readonly age: number
  /** absent before the first answer */
  readonly summary?: ForeignSummary
}

export interface Rigs {
  readonly mining: boolean
  readonly rigs: readonly (LocalRig | OtherRig)[]
  /** how many there are, where the query chose among them */
  readonly total?: number
}

/**
 * The local rig comes first; a query chooses among all of them.
 * @param summary undefined: this program does not mine
 */
export function buildRigs(
  { computerName, summary }: { readonly computerName: string; readonly summary: Summary | undefined },
  others: readonly OtherRig[],
  query: RigsQuery | null = null,
): Rigs {
  if (summary === undefined) return { mining: false, ...pageOf(others, query) }
  const local: LocalRig = { name: computerName, host: '', local: true, online: true, error: '', age: 0, summary }
  return { mining: true, ...pageOf<LocalRig | OtherRig>([local, ...others], query) }
}
