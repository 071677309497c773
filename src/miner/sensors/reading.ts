// A device's sensor values; null when not reported. 0 is a real value here.

/** Each null where the device doesn't report it. */
export interface SensorReading {
  /** degrees Celsius */
  readonly temperature: {
    readonly core: number | null
    readonly hotspot: number | null
    readonly memory: number | null
  }
  readonly fanPercent: number | null
  readonly powerWatts: number | null
  readonly powerLimitWatts: number | null
  readonly clockMhz: { readonly core: number | null; readonly memory: number | null }
}

export const NO_READING: SensorReading = {
  temperature: { core: null, hotspot: null, memory: null },
  fanPercent: null,
  powerWatts: null,
  powerLimitWatts: null,
  clockMhz: { core: null, memory: null },
}

/** Least and most that a working sensor of any device reports: Celsius, percent, watts, MHz. */
const BOUNDS = { celsius: [-40, 150], percent: [0, 1_000], watts: [0, 5_000], mhz: [0, 100_000] } as const

/** What is beyond the bounds comes from a broken sensor: as good as none. */
export function plausible(reading: SensorReading): SensorReading {
  const { temperature, fanPercent, powerWatts, powerLimitWatts, clockMhz } = reading
  const within = (value: number | null, [least, most]: readonly [number, number]): number | null =>
    value !== null && value >= least && value <= most ? value : null
  return {
    temperature: {
      core: within(temperature.core, BOUNDS.celsius),
      hotspot: within(temperature.hotspot, BOUNDS.celsius),
      memory: within(temperature.memory, BOUNDS.celsius),
    },
    fanPercent: within(fanPercent, BOUNDS.percent),
    powerWatts: within(powerWatts, BOUNDS.watts),
    powerLimitWatts: within(powerLimitWatts, BOUNDS.watts),
    clockMhz: { core: within(clockMhz.core, BOUNDS.mhz), memory: within(clockMhz.memory, BOUNDS.mhz) },
  }
}

/** Sensors of one device. */
export interface SensorSource {
  /** A missing sensor is null. Throws only when the source can't be read at all. */
  read(): Promise<SensorReading>
}

/** 0 none, 1 temperatures and fan, 2 everything (`--hwmon`) */
export type SensorLevel = '0' | '1' | '2'
