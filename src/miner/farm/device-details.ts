// What is told of devices to who asks for one of them: what rarely changes, and so isn't part of the readings of each second.
import type { XhashParams } from '../../xhash/params'
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
  readonly temperatureLimits: TemperatureLimits | null
  readonly launch: DeviceLaunch | null
  readonly buildSeconds: number | null
}

export function deviceDetails({ detected, params, epoch, ...told }: DetailsInput): DeviceDetails {
  const { driver = '', memoryBytes = null } = detected ?? {}
  return {
    driver,
    memoryBytes,
    epoch,
    neededBytes: epoch === null ? null : neededBytes(params, epoch),
    nextNeededBytes: epoch === null ? null : neededBytes(params, epoch + 1),
    lastEpoch: memoryBytes === null ? null : lastFittingEpoch(params, memoryBytes),
    ...told,
  }
}

export function excludedDevice({ info, driver = '' }: DetectedDevice): ExcludedDevice {
  return { ...info, driver }
}
