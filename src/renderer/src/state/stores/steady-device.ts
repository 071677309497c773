// A device without the figures that change with every reading: what shows it is rendered only when something else changed.
import type { DeviceView, SeriesName } from '../../../../contract/miner'
import { keepSame } from '../answers/same-content'
import { type MinerState, selectDevice } from './miner-store'

/** Different in most readings: `LiveReadings` hands them to what shows them. */
type Figure =
  | 'hashrate'
  | 'effectiveHashrate'
  | 'shares'
  | 'temperature'
  | 'fanPercent'
  | 'powerWatts'
  | 'meanPowerWatts'
  | 'clockMhz'
  | 'takenAt'

export interface SteadyDevice extends Omit<DeviceView, Figure> {
  /** Which sensors have a value. */
  readonly reported: Readonly<Record<SensorName, boolean>>
}

export type SensorName = Exclude<SeriesName, 'hashrate' | 'effective'>

export function steadyOf(device: DeviceView): SteadyDevice {
  const { hashrate, effectiveHashrate, shares, temperature, fanPercent, powerWatts, meanPowerWatts, ...others } = device
  const { clockMhz, takenAt, ...steady } = others
  return {
    ...steady,
    reported: {
      core: temperature.core !== null,
      hotspot: temperature.hotspot !== null,
      memory: temperature.memory !== null,
      fan: fanPercent !== null,
      power: powerWatts !== null,
      coreClock: clockMhz.core !== null,
      memoryClock: clockMhz.memory !== null,
    },
  }
}

/** One device; the same object until something in it changes. Each caller needs a selector of its own. */
export function selectSteady(index: number): (state: MinerState) => SteadyDevice | undefined {
  const find = selectDevice(index)
  const same = keepSame<SteadyDevice>()
  const last: { read: DeviceView | undefined; steady: SteadyDevice | undefined } = {
    read: undefined,
    steady: undefined,
  }
  return (state) => {
    const read = find(state)
    if (read !== last.read) last.steady = read && same(steadyOf(read))
    last.read = read
    return last.steady
  }
}
