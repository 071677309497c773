// Which devices could mine on this computer, selected or not: for lists made without mining.
import { messageOf } from '../../base/errors'
import type { Clock } from '../../base/time'
import { NO_READING, plausible, type SensorReading, type SensorSource } from '../sensors/reading'
import type { DetectedDevice, DeviceInfo } from './device-backend'

/** A device whose driver hangs is listed without sensor values. */
const READ_LIMIT_MS = 2_000

/** A device in the list. */
export interface SurveyedDevice extends DeviceInfo {
  /** index in the list, usable in `--devices` */
  readonly index: number
  /** selected by this run's options */
  readonly isChosen: boolean
  /** null: unknown */
  readonly memoryBytes: number | null
  /** empty: nothing to show */
  readonly driver: string
  readonly sensors: SensorReading
  /** why its sensors can't be read; empty when they can, or when there are none */
  readonly sensorFault: string
}

interface SurveyOptions {
  readonly chosen: readonly DetectedDevice[]
  /** for a device without its own */
  readonly sensorsOf: (pci: string) => SensorSource | null
  readonly clock: Clock
}

/** Reads all sensors concurrently. */
export function surveyDevices(
  found: readonly DetectedDevice[],
  { chosen, sensorsOf, clock }: SurveyOptions,
): Promise<readonly SurveyedDevice[]> {
  const one = async (device: DetectedDevice, index: number): Promise<SurveyedDevice> => {
    const { info, memoryBytes = null, driver = '' } = device
    const source = device.sensors ?? (info.pci === '' ? null : sensorsOf(info.pci))
    const isChosen = chosen.includes(device)
    return { ...info, index, isChosen, memoryBytes, driver, ...(await readOnce(source, clock)) }
  }
  return Promise.all(found.map(one))
}

async function readOnce(
  source: SensorSource | null,
  clock: Clock,
): Promise<Pick<SurveyedDevice, 'sensors' | 'sensorFault'>> {
  if (source === null) return { sensors: NO_READING, sensorFault: '' }
  return new Promise((resolve) => {
    const fail = (sensorFault: string): void => {
      limit.dispose()
      resolve({ sensors: NO_READING, sensorFault })
    }
    const limit = clock.setTimeout(() => fail(`no answer within ${READ_LIMIT_MS / 1_000} s`), READ_LIMIT_MS)
    source.read().then(
      (sensors) => {
        limit.dispose()
        resolve({ sensors: plausible(sensors), sensorFault: '' })
      },
      (error: unknown) => fail(messageOf(error)),
    )
  })
}
