// Hands every reading of a device to the figures that show it. They write it into the page themselves: sixteen devices
// have a hundred figures, and rendering them each second costs several times as much.
import type { StoreApi } from 'zustand'
import type { DevicesView, DeviceView } from '../../../../contract/miner'
import { type MinerState, selectDevice } from './miner-store'

export interface LiveReadings {
  /** Calls `write` now, if the device is known, and with each reading until the returned function is called. */
  readonly follow: (device: number, write: (reading: DeviceView) => void) => () => void
}

/** @param miner as rendered: it notifies nobody while the page is hidden or frozen, and afterwards at once */
export function createLiveReadings(miner: StoreApi<MinerState>): LiveReadings {
  const writers = new Map<number, Set<(reading: DeviceView) => void>>()
  const state: { last: DevicesView | null; stop: () => void } = { last: null, stop: () => undefined }
  const tell = ({ devices }: MinerState): void => {
    if (devices === null || devices === state.last) return
    state.last = devices
    for (const reading of devices.devices) for (const write of writers.get(reading.index) ?? []) write(reading)
  }
  return {
    follow(device, write) {
      if (writers.size === 0) state.stop = miner.subscribe(tell)
      const own = writers.get(device) ?? new Set()
      writers.set(device, own)
      own.add(write)
      const now = selectDevice(device)(miner.getState())
      if (now !== undefined) write(now)
      return () => {
        own.delete(write)
        if (own.size === 0 && writers.get(device) === own) writers.delete(device)
        if (writers.size > 0) return
        state.stop()
        state.last = null
      }
    },
  }
}
