// Which devices were found at the start, which of them are used, and what is known of each beyond its readings.
import type { XhashParams } from '../xhash/params'
import type { EpochClock, NextEpochTime } from './epoch-clock'
import type { DetectedDevice, DeviceBackend } from './farm/device-backend'
import { type DeviceDetails, deviceDetails, type ExcludedDevice, excludedDevice } from './farm/device-details'
import type { DeviceSlot } from './farm/device-slot'
import type { DeviceCare } from './farm/guard/device-care'
import { reselect } from './farm/reselect'
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
  readonly epochs: EpochClock
  /** UTC ms */
  readonly now: number
}

/** What the next epochs mean for each device. */
export interface EpochPlan {
  /** of the current work; null without */
  readonly epoch: number | null
  /** the chain's pace */
  readonly blockSeconds: number
  readonly next: NextEpochTime | null
  readonly devices: readonly (Pick<DeviceDetails, 'lastEpoch' | 'memoryFullAt' | 'changeSeconds'> & {
    readonly index: number
    readonly name: string
  })[]
}

export class DeviceInventory {
  #used: DetectedDevice[] = []
  #excluded: readonly DetectedDevice[] = []

  /** @param wish may be changed; it counts for the next choice */
  constructor(
    private readonly backends: readonly DeviceBackend[],
    public wish: Select = (found) => found,
    private readonly doublesDatasets = false,
  ) {}

  /** What a start uses of what it found. */
  readonly select: Select = (found) => {
    this.#used = [...this.wish(found)]
    this.#excluded = found.filter((device) => !this.#used.includes(device))
    return this.#used
  }

  /** Devices that came after the start. */
  add(devices: readonly DetectedDevice[]): void {
    this.#used.push(...devices)
  }

  /** Another choice while the devices mine. @returns those that are to be added */
  reselect(slots: readonly DeviceSlot[], found: readonly DetectedDevice[]): readonly DetectedDevice[] {
    const { added, excluded } = reselect(slots, found, this.wish(found))
    this.#excluded = excluded
    return added
  }

  view(input: InventoryInput): InventoryView {
    return {
      devices: input.slots.map((slot) => this.#details(slot, input)),
      excluded: this.#excluded.map(excludedDevice),
      missing: this.backends.flatMap(({ kind, absence = null }) =>
        absence === null ? [] : [{ backend: kind, reason: absence }],
      ),
    }
  }

  plan(input: InventoryInput): EpochPlan {
    const { slots, epoch, epochs, now } = input
    return {
      epoch,
      blockSeconds: epochs.pace,
      next: epochs.next(now),
      devices: slots.map((slot) => ({ index: slot.index, name: slot.info.name, ...this.#details(slot, input) })),
    }
  }

  #details({ index, launch, buildSeconds, canBuildAhead }: DeviceSlot, input: InventoryInput): DeviceDetails {
    const { care, params, epoch, epochs, now } = input
    const temperatureLimits = care.limits(index)
    const buildsAhead = this.doublesDatasets && canBuildAhead
    const told = { temperatureLimits, launch, buildSeconds, buildsAhead }
    return deviceDetails({ detected: this.#used[index], params, epoch, epochs, now, ...told })
  }
}
