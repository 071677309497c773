// The program's state for the shell: the last value of each event that tray, notifications and badge need.
import type { ServiceStateView } from '../../contract/app'
import type { IncidentView } from '../../contract/incidents'
import type { DiskView } from '../../contract/machine'
import type { DeviceView, MinerStatusView } from '../../contract/miner'
import type { BalancesView } from '../../contract/node'

export interface ShellFacts {
  readonly devices: readonly DeviceView[]
  /** Null before the first. */
  readonly status: MinerStatusView | null
  readonly services: readonly ServiceStateView[]
  readonly incidents: readonly IncidentView[]
  readonly waitingApprovals: number
  readonly isVaultOpen: boolean
  /** 0..1 while blocks are being fetched; null otherwise. */
  readonly syncFraction: number | null
  /** Blocks that peers have and we don't; 0 when synced. */
  readonly blocksBehind: number
  /** Null before the first. */
  readonly disk: DiskView | null
  readonly balances: BalancesView | null
  /** Heights of own blocks that the chain replaced in this run. */
  readonly sideBlocks: readonly number[]
  /** UTC ms of the newest morning report; null while unknown, 0 without any. */
  readonly reportAt: number | null
}

export const NO_FACTS: ShellFacts = {
  devices: [],
  status: null,
  services: [],
  incidents: [],
  waitingApprovals: 0,
  isVaultOpen: false,
  syncFraction: null,
  blocksBehind: 0,
  disk: null,
  balances: null,
  sideBlocks: [],
  reportAt: null,
}

export type ShellState = 'mining' | 'paused' | 'attention' | 'problem' | 'off'

/** The miner's word for a temperature pause. */
const OVERHEATING = 'Overheating'

/** Worst first. Mining requires a nonzero hashrate. */
export function stateOf(facts: ShellFacts): ShellState {
  const { devices, status, services, waitingApprovals } = facts
  if (services.some(({ state }) => state === 'failed') || devices.some(({ state }) => state === 'error'))
    return 'problem'
  const isPoolLost = status?.source.kind === 'pool' && !status.source.connected
  if (waitingApprovals > 0 || devices.some(isOverheated) || isPoolLost) return 'attention'
  if (isMining(facts)) return 'mining'
  return devices.length > 0 && devices.every(({ paused }) => paused) ? 'paused' : 'off'
}

export function isMining({ status }: ShellFacts): boolean {
  return (status?.hashrate.now ?? 0) > 0
}

/** UTC ms of the first timed pause to end; null without one. */
export function nextPauseEnd({ devices }: ShellFacts): number | null {
  const ends = devices.flatMap(({ pauseEndsAt }) => pauseEndsAt ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

function isOverheated({ pauseReasons }: DeviceView): boolean {
  return pauseReasons.includes(OVERHEATING)
}
