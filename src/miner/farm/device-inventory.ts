// Which devices were detected at startup, which of them are used, and static facts about each.
import type { XhashParams } from '../../xhash/params'
import type { EpochClock, NextEpochTime } from '../epoch-clock'
import type { BackendKind } from '../stats/snapshot'
import type { DetectedDevice, DeviceBackend } from './device-backend'
import { type DeviceDetails, deviceDetails, type ExcludedDevice, excludedDevice } from './device-details'
import type { DeviceSlot } from './device-slot'
import type { DeviceCare } from './guard/device-care'
import { reselect } from './reselect'

type Select = (found: readonly DetectedDevice[]) => readonly DetectedDevice[]

/** A backend without devices because its library couldn't be opened. */
interface MissingDriver {
  readonly backend: BackendKind
  /** names the library, in the system's own words */
  readonly reason: string
}

/** The inventory at one moment. */
export interface InventoryView {
  /** by device index */
  readonly devices: readonly DeviceDetails[]
  readonly excluded: readonly ExcludedDevice[]
  readonly missing: readonly MissingDriver[]
}

/** What the view is made from. */
export interface InventoryInput {
  readonly slots: readonly DeviceSlot[]
  readonly care: DeviceCare
  readonly params: XhashParams
  /** of the current work; null without work */
  readonly epoch: number | null
  readonly epochs: EpochClock
  /** UTC ms */
  readonly now: number
}

/** What the next epoch means for each device. */
export interface EpochPlan {
  /** of the current work; null without work */
  readonly epoch: number | null
  /** the chain's current block time */
  readonly blockSeconds: number
  readonly next: NextEpochTime | null
  readonly devices: readonly (Pick<DeviceDetails, 'lastEpoch' | 'memoryFullAt' | 'changeSeconds'> & {
    readonly index: number
    readonly name: string
  })[]
}

/** Devices found, selected and excluded. */
export class DeviceInventory {
  #used: DetectedDevice[] = []
  #excluded: readonly DetectedDevice[] = []

  /** @param wish may be changed; applies to the next selection */
  constructor(
    private readonly backends: readonly DeviceBackend[],
    public wish: Select = (found) => found,
    private readonly doublesDatasets = false,
  ) {}

  /** Selects the devices to use at startup. */
  readonly select: Select = (found) => {
    this.#used = [...this.wish(found)]
    this.#excluded = found.filter((device) => !this.#used.includes(device))
    return this.#used
  }

  /** Devices added after startup. */
  add(devices: readonly DetectedDevice[]): void {
    this.#used.push(...devices)
  }

  /** Changes the selection while devices mine. @returns the devices to add */
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
