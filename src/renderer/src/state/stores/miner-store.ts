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

/** Watts of all devices that report them; null if none does. */
export const selectTotalWatts = (state: MinerState): number | null => {
  const known = (state.devices?.devices ?? []).flatMap((device) => device.powerWatts ?? [])
  return known.length === 0 ? null : known.reduce((sum, watts) => sum + watts, 0)
}

/** Hashes per second per watt; null while paused, or if the power is unknown. */
export function efficiencyOf({
  hashrate,
  powerWatts,
  paused,
}: Pick<DeviceView, 'hashrate' | 'powerWatts' | 'paused'>): number | null {
  if (paused) return null
  return hashrate.s60 === null || powerWatts === null || powerWatts <= 0 ? null : hashrate.s60 / powerWatts
}

/** Hashes per second per watt, of devices whose power is known; null if there is none. */
export const selectEfficiency = (state: MinerState): number | null => {
  const metered = (state.devices?.devices ?? []).filter(({ powerWatts }) => (powerWatts ?? 0) > 0)
  const watts = metered.reduce((sum, { powerWatts }) => sum + (powerWatts ?? 0), 0)
  return watts <= 0 ? null : metered.reduce((sum, { hashrate }) => sum + (hashrate.s60 ?? 0), 0) / watts
}

/** Devices that compute with unknown power: the efficiency excludes them. */
export const selectUnmetered = (state: MinerState): number =>
  (state.devices?.devices ?? []).filter(({ powerWatts, hashrate }) => !powerWatts && (hashrate.s60 ?? 0) > 0).length

/** The largest hashrate of a row, which sets the unit of the column. */
export const selectLargestHashrate = (state: MinerState): number =>
  Math.max(0, ...(state.devices?.devices ?? []).map((device) => device.hashrate.s60 ?? device.hashrate.now ?? 0))

export const selectAllPaused = (state: MinerState): boolean => {
  const devices = state.devices?.devices ?? []
  return devices.length > 0 && devices.every((device) => device.paused)
}
