// Which devices were found at the start, which of them are used, and what is known of each beyond its readings.
import type { XhashParams } from '../xhash/params'
import type { DetectedDevice, DeviceBackend } from './farm/device-backend'
import { type DeviceDetails, deviceDetails, type ExcludedDevice, excludedDevice } from './farm/device-details'
import type { DeviceSlot } from './farm/device-slot'
import type { DeviceCare } from './farm/guard/device-care'
import type { BackendKind } from './snapshot'

type Select = (found: readonly DetectedDevice[]) => readonly DetectedDevice[]

/** A kind of devices of which there is none, since what drives them could not be opened. */
export interface MissingDriver {
  readonly backend: BackendKind
  /** names the library, in the system's own words */
  readonly reason: string
}

export interface InventoryView {
  /** by device index */
  readonly devices: readonly DeviceDetails[]
  readonly excluded: readonly ExcludedDevice[]
  readonly missing: readonly MissingDriver[]
}

export interface InventoryInput {
  readonly slots: readonly DeviceSlot[]
  readonly care: DeviceCare
  readonly params: XhashParams
  /** of the current work; null without */
  readonly epoch: number | null
}

export class DeviceInventory {
  #used: DetectedDevice[] = []
  #excluded: readonly DetectedDevice[] = []

  constructor(
    private readonly backends: readonly DeviceBackend[],
    private readonly wish: Select | undefined,
  ) {}

  /** What a start uses of what it found. */
  readonly select: Select = (found) => {
    this.#used = [...(this.wish?.(found) ?? found)]
    this.#excluded = found.filter((device) => !this.#used.includes(device))
    return this.#used
  }

  /** Devices that came after the start. */
  add(devices: readonly DetectedDevice[]): void {
    this.#used.push(...devices)
  }

  view({ slots, care, params, epoch }: InventoryInput): InventoryView {
    return {
      devices: slots.map(({ index, launch, buildSeconds }) =>
        deviceDetails({
          detected: this.#used[index],
          params,
          epoch,
          temperatureLimits: care.limits(index),
          launch,
          buildSeconds,
        }),
      ),
      excluded: this.#excluded.map(excludedDevice),
      missing: this.backends.flatMap(({ kind, absence = null }) =>
        absence === null ? [] : [{ backend: kind, reason: absence }],
      ),
    }
  }
}
