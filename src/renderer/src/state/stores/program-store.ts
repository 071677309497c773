// The program as last read: itself and the contact with it, its node, its miner, and what it operates: pools, rigs,
// incidents and reports.
import { shallow } from 'zustand/shallow'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { hasCode, messageOf } from '../../../../base/errors'
import { isSharedNetwork } from '../../../../config/schema'
import type { ActivityView, AppInfoView, AppStatusView } from '../../../../contract/app'
import type { IncidentRulesView, IncidentView } from '../../../../contract/incidents'
import type { DiskView } from '../../../../contract/machine'
import type { DevicesView, DeviceView, MinerStatusView } from '../../../../contract/miner'
import type { PeersView, SyncView } from '../../../../contract/network'
import type { BalancesView, BalanceView, BlockRowView, NodeHeadView } from '../../../../contract/node'
import type { NodeControlView } from '../../../../contract/node-control'
import type { DayReportView, PoolHeadView, PoolsView, PoolView } from '../../../../contract/pools'
import type { RigsView, RigView } from '../../../../contract/rigs'
import type { Backend, ConnectionState } from '../../data/backend'

export interface NodeState {
  readonly head: NodeHeadView | null
  readonly balances: BalancesView | null
  readonly peers: PeersView | null
  readonly sync: SyncView | null
  /** What can be done with the node as a whole; null until known. */
  readonly control: NodeControlView | null
  /** Newest first; null until the first answer. */
  readonly blocks: readonly BlockRowView[] | null
  /** Why the last request for blocks failed; empty if it didn't. */
  readonly blocksError: string
}

export const createNodeStore = () =>
  createStore<NodeState>(() => ({
    head: null,
    balances: null,
    peers: null,
    sync: null,
    control: null,
    blocks: null,
    blocksError: '',
  }))

export const selectBalance =
  (address: string) =>
  (state: NodeState): BalanceView | undefined =>
    state.balances?.accounts.find((account) => account.address.toLowerCase() === address.toLowerCase())

/** Expected hashes for the next block; null while unknown. */
export const selectNextDifficulty = ({ head }: NodeState): number | null =>
  head?.nextDifficulty == null ? null : Number(head.nextDifficulty)

/** True on a network without peers; a node that isn't running doesn't say. */
export const selectHasNoPeers = ({ head }: NodeState): boolean => head?.state === 'running' && head.peers === null

/** Height of the highest block that we or a peer have; null if there is none. */
export function selectHighest({ head, sync, peers }: NodeState): number | null {
  const known = [head?.head?.number, sync?.highestBlock, ...(peers?.peers.map((peer) => peer.head.number) ?? [])]
  const heights = known.filter((height) => height != null)
  return heights.length === 0 ? null : Math.max(...heights)
}

export type { ConnectionState }

export interface AppState {
  readonly connection: ConnectionState
  readonly info: AppInfoView | null
  readonly status: AppStatusView | null
  readonly activity: readonly ActivityView[] | null
  readonly disk: DiskView | null
  /** Events whose latest value this page couldn't read. */
  readonly unread: readonly string[]
}

export const createAppStore = (connection: ConnectionState) =>
  createStore<AppState>(() => ({ connection, info: null, status: null, activity: null, disk: null, unread: [] }))

export const selectCanControl = (state: AppState): boolean => state.info?.access.control ?? false
export const selectCanApprove = (state: AppState): boolean => state.info?.access.approve ?? false
/** Whether this page is at the machine itself, so that it may read the signer's audit log. */
export const selectIsHere = ({ info }: AppState): boolean => info?.access.here ?? info?.access.approve ?? false
export const selectIsOpen = (state: AppState): boolean => state.connection.kind === 'open'
/** Whether others mine on this network, too: a node without peers is cut off there. */
export const selectIsShared = ({ info }: AppState): boolean => isSharedNetwork(info?.network)
/** UTC ms since contact was lost; null while there is contact. */
export const selectLostSince = (state: AppState): number | null =>
  state.connection.kind === 'lost' ? state.connection.since : null

export interface MinerState {
  readonly devices: DevicesView | null
  readonly status: MinerStatusView | null
}

export const createMinerStore = () => createStore<MinerState>(() => ({ devices: null, status: null }))

export const selectDevice =
  (index: number) =>
  (state: MinerState): DeviceView | undefined =>
    state.devices?.devices.find((device) => device.index === index)

export const selectDeviceIndexes = (state: MinerState): readonly number[] =>
  (state.devices?.devices ?? []).map((device) => device.index)

/** Whether it really mines: a hung device still reports the state it had. */
export function isMining({ state, responds }: Pick<DeviceView, 'state' | 'responds'>): boolean {
  return state === 'mining' && responds !== false
}

export const selectMiningCount = (state: MinerState): number => (state.devices?.devices ?? []).filter(isMining).length

/** Hashes per second of all devices at present; null if unknown. */
export const selectHashrate = ({ status }: MinerState): number | null => status?.hashrate.now ?? null

/** Each device's kind, by its index, and by index and name, as in `0 RTX 3070`. */
export const selectBackends = ({ devices }: MinerState): Readonly<Record<string, DeviceView['backend']>> =>
  Object.fromEntries(
    (devices?.devices ?? []).flatMap(({ index, name, backend }) => [
      [`${index}`, backend],
      [`${index} ${name}`, backend],
    ]),
  )

/** The shares of one device: the same object until one is counted. Each caller needs a selector of its own. */
export function selectShares(index: number): (state: MinerState) => DeviceView['shares'] | undefined {
  const find = selectDevice(index)
  const last: { shares: DeviceView['shares'] | undefined } = { shares: undefined }
  return (state) => {
    const shares = find(state)?.shares
    if (shares === undefined || last.shares === undefined || !shallow(shares, last.shares)) last.shares = shares
    return last.shares
  }
}

/** Sum of what the devices that know it have; null if none does. */
export function totalOf(devices: readonly DeviceView[], read: (device: DeviceView) => number | null): number | null {
  const known = devices.flatMap((device) => read(device) ?? [])
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** Watts of all devices that report them; null if none does. */
export const selectTotalWatts = ({ devices }: MinerState): number | null =>
  totalOf(devices?.devices ?? [], ({ powerWatts }) => powerWatts)

export const selectAreAllMetered = ({ devices }: MinerState): boolean =>
  (devices?.devices ?? []).every(({ powerWatts }) => powerWatts !== null)

type Efficient = Pick<DeviceView, 'hashrate' | 'meanPowerWatts' | 'paused'>

/** Hashes per second per watt, both of the last 60 s; null while paused, or if the power is unknown. */
export function efficiencyOf({ hashrate, meanPowerWatts, paused }: Efficient): number | null {
  if (paused) return null
  return hashrate.s60 === null || meanPowerWatts === null || meanPowerWatts <= 0 ? null : hashrate.s60 / meanPowerWatts
}

/** Hashes per second per watt, of devices that have an efficiency; null if there is none. */
export const selectEfficiency = (state: MinerState): number | null => {
  const efficient = (state.devices?.devices ?? []).filter((device) => efficiencyOf(device) !== null)
  const watts = efficient.reduce((sum, { meanPowerWatts }) => sum + (meanPowerWatts ?? 0), 0)
  return watts <= 0 ? null : efficient.reduce((sum, { hashrate }) => sum + (hashrate.s60 ?? 0), 0) / watts
}

/** The largest hashrate of a row, which sets the unit of the column: every cell of it asks, so it is computed once. */
export const selectLargestHashrate = ({ devices }: MinerState): number => {
  if (devices === null) return 0
  const known = largestHashrates.get(devices)
  if (known !== undefined) return known
  const largest = Math.max(0, ...devices.devices.map(({ hashrate }) => hashrate.s60 ?? hashrate.now ?? 0))
  largestHashrates.set(devices, largest)
  return largest
}

const largestHashrates = new WeakMap<DevicesView, number>()

export const selectAllPaused = (state: MinerState): boolean => {
  const devices = state.devices?.devices ?? []
  return devices.length > 0 && devices.every((device) => device.paused)
}

/** What lasts, problems first; and what ended in the last day, newest first. */
export interface IncidentsView {
  readonly open: readonly IncidentView[]
  readonly recent: readonly IncidentView[]
}

export interface OperationState {
  readonly pools: PoolsView | null
  readonly rigs: RigsView | null
  readonly poolHead: PoolHeadView | null
  /** Newest first. */
  readonly reports: readonly DayReportView[]
  readonly incidents: IncidentsView | null
  readonly incidentRules: IncidentRulesView | null
  /** Why the rules can't be read; empty if they can, or aren't for this reader. */
  readonly rulesFault: string
}

export const createOperationStore = () =>
  createStore<OperationState>(() => ({
    pools: null,
    rigs: null,
    poolHead: null,
    reports: [],
    incidents: null,
    incidentRules: null,
    rulesFault: '',
  }))

/** This program mines nothing itself and monitors others. */
export const selectIsMonitor = ({ rigs }: OperationState): boolean => rigs !== null && !rigs.mining && rigs.isEditable

/** Rigs that don't answer, or haven't yet. */
export const selectSilentRigs = ({ rigs }: OperationState): number =>
  rigs?.rigs.filter(({ online }) => !online).length ?? 0

export const selectPools = (state: OperationState): readonly PoolView[] => state.pools?.pools ?? []

export const selectRig =
  (name: string) =>
  (state: OperationState): RigView | undefined =>
    state.rigs?.rigs.find((rig) => rig.name === name)

/** A rig's API reports 0 for unknown. */
export const known = (value: number): number | null => (value > 0 ? value : null)

/** Whether any number in it is known: without one, its zeros say nothing. */
export function hasNumbers(value: unknown): boolean {
  if (typeof value === 'number') return value > 0
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNumbers)
}

/** What a miner's API calls its own node. */
export const OWN_NODE = 'local:0'

/** The hottest sensor of any GPU of a rig in °C; null if none is reported (the public API reports 0 then). */
export function hottestOfRig({ figures }: Pick<RigView, 'figures'>): number | null {
  return known(Math.max(0, ...(figures?.gpus ?? []).flatMap(({ temperature }) => Object.values(temperature))))
}

/** Hashes per second per watt, for GPUs whose power is known; null if a rig reports no power. */
export function efficiencyOfRig({ figures }: Pick<RigView, 'figures'>): number | null {
  const metered = (figures?.gpus ?? []).filter(({ powerWatts }) => powerWatts > 0)
  const watts = metered.reduce((total, { powerWatts }) => total + powerWatts, 0)
  return watts <= 0 ? null : metered.reduce((total, { hashrate }) => total + hashrate.s60, 0) / watts
}

export type ChangeRules = (rules: IncidentRulesView) => IncidentRulesView

/** Reads and changes the rules: one save after the other, each of what is in force then; a failed one leaves it. */
export function createRules(backend: Pick<Backend, 'call'>, operation: StoreApi<OperationState>) {
  const ask = async (): Promise<void> => {
    try {
      operation.setState({ incidentRules: await backend.call('miner.incidentRules', {}), rulesFault: '' })
    } catch (error: unknown) {
      // Without contact, the next connection asks again.
      if (!hasCode(error, 'CONTRACT_DENIED') && !hasCode(error, 'CONTRACT_CLOSED'))
        operation.setState({ rulesFault: messageOf(error) })
    }
  }
  const last: { saved: Promise<unknown> } = { saved: Promise.resolve() }
  const saveOne = async (change: ChangeRules): Promise<void> => {
    const { incidentRules } = operation.getState()
    if (incidentRules === null) return
    const rules = change(incidentRules)
    try {
      await backend.call('miner.incidentRulesSave', rules)
      operation.setState({ incidentRules: rules })
    } catch (error: unknown) {
      void ask()
      throw error
    }
  }
  const save = (change: ChangeRules): Promise<void> => {
    const saved = last.saved.then(() => saveOne(change))
    last.saved = saved.catch(() => undefined) // told to who saved it
    return saved
  }
  return { ask, save }
}
