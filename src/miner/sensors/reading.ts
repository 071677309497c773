// A device's sensor values; null when not reported. 0 is a real value here.

/** The values. */
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

/** Sensors of one device. */
export interface SensorSource {
  /** A missing sensor is null. Throws only when the source can't be read at all. */
  read(): Promise<SensorReading>
}

/** 0 none, 1 temperatures and fan, 2 everything (`--hwmon`) */
const SENSOR_LEVELS = ['0', '1', '2'] as const
/** How much is read. */
export type SensorLevel = (typeof SENSOR_LEVELS)[number]
