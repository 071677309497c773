// What can mine on this computer, chosen or not: for lists that are made without mining.
import { messageOf } from '../base/errors'
import type { Clock } from '../base/time'
import type { DetectedDevice, DeviceInfo } from './farm/device-backend'
import { NO_READING, type SensorReading, type SensorSource } from './sensors/reading'

/** A device whose driver hangs is listed without its sensors. */
const READ_LIMIT_MS = 2_000

export interface SurveyedDevice extends DeviceInfo {
  /** position in the list; `--devices` takes it */
  readonly index: number
  /** the options of this start let it mine */
  readonly isChosen: boolean
  /** null: not known */
  readonly memoryBytes: number | null
  /** empty: nothing to say */
  readonly driver: string
  readonly sensors: SensorReading
  /** why its sensors say nothing; empty where they do, or where there are none */
  readonly sensorFault: string
}

export interface SurveyOptions {
  readonly chosen: readonly DetectedDevice[]
  /** of a device that brings none itself */
  readonly sensorsOf: (pci: string) => SensorSource | null
  readonly clock: Clock
}

/** Reads all sensors at the same time. */
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
        resolve({ sensors, sensorFault: '' })
      },
      (error: unknown) => fail(messageOf(error)),
    )
  })
}
