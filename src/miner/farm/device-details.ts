// Rarely changing facts about devices, reported on request rather than with the readings of each second.
import type { XhashParams } from '../../xhash/params'
import { datasetBytes } from '../../xhash/sizes'
import type { EpochClock } from '../epoch-clock'
import { lastFittingEpoch, neededBytes } from './datasets/dataset-memory'
import type { DetectedDevice, DeviceInfo, DeviceLaunch, TemperatureLimits } from './device-backend'

/** The facts. */
export interface DeviceDetails {
  /** driver and version; empty: nothing to show */
  readonly driver: string
  /** null: unknown */
  readonly memoryBytes: number | null
  /** null without work */
  readonly epoch: number | null
  /** bytes that dataset, cache and driver need for that epoch and for the next; null without work */
  readonly neededBytes: number | null
  readonly nextNeededBytes: number | null
  /** the last epoch that fits its memory; null: unknown, or not even the first */
  readonly lastEpoch: number | null
  /** UTC ms at which the epoch after that begins, at the chain's current pace; null: unknown */
  readonly memoryFullAt: number | null
  /** UTC ms at which the next epoch begins; null: unknown */
  readonly nextChangeAt: number | null
  /** seconds without mining at the next epoch change: 0 when its dataset is built ahead; null: unknown */
  readonly changeSeconds: number | null
  readonly temperatureLimits: TemperatureLimits | null
  readonly launch: DeviceLaunch | null
  /** duration of its last full build; null before the first */
  readonly buildSeconds: number | null
}

/** A detected device that isn't used in this run. */
export interface ExcludedDevice extends DeviceInfo {
  readonly driver: string
}

/** What the facts are derived from. */
interface DetailsInput {
  readonly detected: Pick<DetectedDevice, 'driver' | 'memoryBytes'> | undefined
  readonly params: XhashParams
  readonly epoch: number | null
  readonly epochs: Pick<EpochClock, 'begins'>
  /** UTC ms */
  readonly now: number
  /** it builds the next dataset while searching, if memory permits */
  readonly buildsAhead: boolean
  readonly temperatureLimits: TemperatureLimits | null
  readonly launch: DeviceLaunch | null
  readonly buildSeconds: number | null
}

/** The facts about one device. */
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

/** The last build's duration, scaled to the next dataset's size. */
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

/** The entry of a device that isn't used. */
export function excludedDevice({ info, driver = '' }: DetectedDevice): ExcludedDevice {
  return { ...info, driver }
}
