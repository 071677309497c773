// Devices and totals of the miner, as last read.
import { createStore } from 'zustand/vanilla'
import type { DevicesView, DeviceView, MinerStatusView } from '../../../../contract/miner'

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

/** Devices that mine. */
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
    if (shares === undefined || last.shares === undefined || !isSameCount(shares, last.shares)) last.shares = shares
    return last.shares
  }
}

function isSameCount(one: DeviceView['shares'], other: DeviceView['shares']): boolean {
  return one.accepted === other.accepted && one.rejected === other.rejected && one.failed === other.failed
}

/** Sum of what the devices that know it have; null if none does. */
export function totalOf(devices: readonly DeviceView[], read: (device: DeviceView) => number | null): number | null {
  const known = devices.flatMap((device) => read(device) ?? [])
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** Watts of all devices that report them; null if none does. */
export const selectTotalWatts = ({ devices }: MinerState): number | null =>
  totalOf(devices?.devices ?? [], ({ powerWatts }) => powerWatts)

/** Whether the total is of all devices. */
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
