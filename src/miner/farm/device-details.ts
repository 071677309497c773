// What is told of devices to who asks for one of them: what rarely changes, and so isn't part of the readings of each second.
import type { XhashParams } from '../../xhash/params'
import { datasetBytes } from '../../xhash/sizes'
import type { EpochClock } from '../epoch-clock'
import { lastFittingEpoch, neededBytes } from './datasets/dataset-memory'
import type { DetectedDevice, DeviceInfo, DeviceLaunch, TemperatureLimits } from './device-backend'

export interface DeviceDetails {
  /** what drives it, with its version; empty: nothing to say */
  readonly driver: string
  /** null: not known */
  readonly memoryBytes: number | null
  /** null without work */
  readonly epoch: number | null
  /** bytes that dataset, cache and driver need for that epoch and for the next; null without work */
  readonly neededBytes: number | null
  readonly nextNeededBytes: number | null
  /** the last epoch that its memory holds; null: not known, or not even the first */
  readonly lastEpoch: number | null
  /** UTC ms at which the epoch after that begins, at the chain's pace; null: not known */
  readonly memoryFullAt: number | null
  /** UTC ms at which the next epoch begins; null: not known */
  readonly nextChangeAt: number | null
  /** seconds without mining that the next epoch will cost: 0 where its dataset is built ahead; null: not known */
  readonly changeSeconds: number | null
  readonly temperatureLimits: TemperatureLimits | null
  readonly launch: DeviceLaunch | null
  /** how long its last whole build took; null before the first */
  readonly buildSeconds: number | null
}

/** A device that was found, and is not used by this start. */
export interface ExcludedDevice extends DeviceInfo {
  readonly driver: string
}

export interface DetailsInput {
  readonly detected: Pick<DetectedDevice, 'driver' | 'memoryBytes'> | undefined
  readonly params: XhashParams
  readonly epoch: number | null
  readonly epochs: Pick<EpochClock, 'begins'>
  /** UTC ms */
  readonly now: number
  /** it builds the next dataset while it searches, where memory allows */
  readonly buildsAhead: boolean
  readonly temperatureLimits: TemperatureLimits | null
  readonly launch: DeviceLaunch | null
  readonly buildSeconds: number | null
}

export function deviceDetails(input: DetailsInput): DeviceDetails {
  const { detected, params, epoch, epochs, now, temperatureLimits, launch, buildSeconds } = input
  const { driver = '', memoryBytes = null } = detected ?? {}
  const lastEpoch = memoryBytes === null ? null : lastFittingEpoch(params, memoryBytes)
  return {
    driver,
    memoryBytes,
    epoch,
    neededBytes: epoch === null ? null : neededBytes(params, epoch),
    nextNeededBytes: epoch === null ? null : neededBytes(params, epoch + 1),
    lastEpoch,
    memoryFullAt: lastEpoch === null ? null : epochs.begins(lastEpoch + 1, now),
    nextChangeAt: epoch === null ? null : epochs.begins(epoch + 1, now),
    changeSeconds: epoch === null ? null : changeSeconds(input, epoch, memoryBytes),
    temperatureLimits,
    launch,
    buildSeconds,
  }
}

/** The last build, as much longer as the next dataset is greater. */
function changeSeconds(
  { params, buildsAhead, buildSeconds }: DetailsInput,
  epoch: number,
  memoryBytes: number | null,
): number | null {
  const room = memoryBytes ?? Number.POSITIVE_INFINITY
  const next = neededBytes(params, epoch + 1)
  if (next > room) return null
  if (buildsAhead && datasetBytes(params, epoch) + next <= room) return 0
  return buildSeconds === null ? null : (buildSeconds * datasetBytes(params, epoch + 1)) / datasetBytes(params, epoch)
}

export function excludedDevice({ info, driver = '' }: DetectedDevice): ExcludedDevice {
  return { ...info, driver }
}
