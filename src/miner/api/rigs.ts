// GET /api/v1/rigs: the local rig (miner.md A5). Other rigs come with the monitor.
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

export interface Rigs {
  readonly mining: boolean
  readonly rigs: readonly LocalRig[]
}

/** @param summary undefined: this program does not mine */
export function buildRigs(computerName: string, summary: Summary | undefined): Rigs {
  if (summary === undefined) return { mining: false, rigs: [] }
  return {
    mining: true,
    rigs: [{ name: computerName, host: '', local: true, online: true, error: '', age: 0, summary }],
  }
}
