// A device without the figures that change with every reading: what shows it is rendered only when something else changed.
import type { DeviceView, SeriesName } from '../../../../contract/miner'
import { type MinerState, selectDevice } from './miner-store'

/** Different in most readings: `LiveReadings` hands them to what shows them. */
type Figure =
  | 'hashrate'
  | 'effectiveHashrate'
  | 'shares'
  | 'temperature'
  | 'fanPercent'
  | 'powerWatts'
  | 'clockMhz'
  | 'takenAt'

export interface SteadyDevice extends Omit<DeviceView, Figure> {
  /** Which sensors have a value. */
  readonly reported: Readonly<Record<SensorName, boolean>>
}

export type SensorName = Exclude<SeriesName, 'hashrate' | 'effective'>

export function steadyOf(device: DeviceView): SteadyDevice {
  const { hashrate, effectiveHashrate, shares, temperature, fanPercent, powerWatts, clockMhz, takenAt, ...steady } =
    device
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
  const last: { read: DeviceView | undefined; steady: SteadyDevice | undefined } = {
    read: undefined,
    steady: undefined,
  }
  return (state) => {
    const read = find(state)
    if (read === last.read) return last.steady
    const next = read === undefined ? undefined : steadyOf(read)
    last.read = read
    if (!isEqual(last.steady, next)) last.steady = next
    return last.steady
  }
}

/** Compares values of JSON. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [entries, others] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isEqual(value, others.get(key)))
  )
}
