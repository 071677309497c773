// GET /api/v1/rigs: the local rig, then the others as they were seen last (miner.md A5).
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
}

/** @param summary undefined: this program does not mine */
export function buildRigs(computerName: string, summary: Summary | undefined, others: readonly OtherRig[]): Rigs {
  if (summary === undefined) return { mining: false, rigs: others }
  const local: LocalRig = { name: computerName, host: '', local: true, online: true, error: '', age: 0, summary }
  return { mining: true, rigs: [local, ...others] }
}
