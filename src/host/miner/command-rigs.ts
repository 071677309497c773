// Queries or commands the configured rigs once, without monitoring: for the command line.
import type { Clock } from '../../base/time'
import { ConfigError, conflict } from '../../config/errors'
import type { RigMonitorConfig } from '../../config/resolved-config'
import { shownPool } from '../../config/values/pool-url'
import type { RigAction } from '../../miner/api/rig-control'
import { ConcurrencyLimit } from '../../miner/monitor/concurrency-limit'
import { RigClient } from '../../miner/monitor/rig-client'
import { type RigFigures, rigFigures } from '../../miner/monitor/rig-figures'
import {
  type MonitoredRig,
  placeText,
  type RigCommand,
  RigMonitor,
  type RigResult,
} from '../../miner/monitor/rig-monitor'
import { isEmptySelection, type RigSelection, type SelectionFault, selectRigs } from '../../miner/monitor/rig-selection'
import { rigCommandOf } from './rig-command'

/** Concurrent requests. */
const MAX_ASKED = 128

export type { RigAction, RigSelection }
export { isEmptySelection }

/** A rig as it answered just now. */
export interface AskedRig {
  readonly name: string
  /** `host:port` */
  readonly host: string
  readonly labels: Readonly<Record<string, string>>
  readonly online: boolean
  /** why it isn't online; empty when it is */
  readonly error: string
  /** null while it is not online */
  readonly figures: RigFigures | null
}

/**
 * The rigs' reports in configuration order; unknown names at the end.
 * @throws ConfigError CONFIG_CONFLICT when a part of the selection means no rig
 */
export async function askRigs(
  { rigs }: Pick<RigMonitorConfig, 'rigs'>,
  selection: RigSelection,
  clock: Clock,
): Promise<readonly AskedRig[]> {
  const turns = new ConcurrencyLimit(MAX_ASKED)
  const byName = new Map(rigs.map((rig) => [rig.name, rig]))
  return Promise.all(
    chosen(selectRigs(rigs, selection)).map((name) => {
      const rig = byName.get(name)
      return rig === undefined ? unknownRig(name) : turns.run(() => askRig(rig, clock))
    }),
  )
}

/**
 * One result each, in configuration order.
 * @throws ConfigError CONFIG_VALUE_INVALID for an invalid pool address, CONFIG_CONFLICT as `askRigs`
 */
export async function commandRigs(
  { rigs, intervalMs }: Pick<RigMonitorConfig, 'rigs' | 'intervalMs'>,
  { selection, action }: { readonly selection: RigSelection; readonly action: RigAction },
  clock: Clock,
): Promise<readonly RigResult[]> {
  const command = commandOf(action)
  const monitor = new RigMonitor({ rigs, intervalMs }, { clock, random: () => 0 })
  try {
    return await monitor.command(chosen(monitor.select(selection)), command)
  } finally {
    await monitor.stop()
  }
}

function chosen(names: readonly string[] | SelectionFault): readonly string[] {
  if ('fault' in names) throw conflict(names.fault)
  return names
}

function commandOf(action: RigAction): RigCommand {
  const command = rigCommandOf(action)
  if (!('fault' in command)) return command
  const value = action.action === 'set-pool' ? shownPool(action.pool.reveal()) : ''
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'set-pool', value, expected: `a pool: ${command.fault}` })
}

async function askRig(rig: MonitoredRig, clock: Clock): Promise<AskedRig> {
  const client = new RigClient(rig, clock)
  try {
    const outcome = await client.summary()
    const base = { name: rig.name, host: placeText(rig), labels: rig.labels }
    if ('error' in outcome) return { ...base, online: false, error: outcome.error, figures: null }
    return { ...base, online: true, error: '', figures: rigFigures(outcome.summary) }
  } finally {
    client.close()
  }
}

async function unknownRig(name: string): Promise<AskedRig> {
  const error = 'no rig of this name is in the list'
  return { name, host: '', labels: {}, online: false, error, figures: null }
}
