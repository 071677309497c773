// Which devices were detected at startup, which of them are used, and static facts about each.

import type { XhashParams } from '../../xhash/params'
import { datasetBytes } from '../../xhash/sizes'
import type { EpochClock, NextEpochTime } from '../epoch-clock'
import type { BackendKind } from '../stats/snapshot'
import { lastFittingEpoch, neededBytes } from './datasets/dataset-memory'
import type { DetectedDevice, DeviceBackend, DeviceInfo, DeviceLaunch, TemperatureLimits } from './device-backend'
import type { DeviceSlot } from './device-slot'
import type { DeviceCare } from './guard/device-care'

/** The outcome. */
interface Reselected {
  /** selected, but without a slot yet */
  readonly added: readonly DetectedDevice[]
  /** neither selected nor in a slot */
  readonly excluded: readonly DetectedDevice[]
}

/**
 * @param found all devices present now, in index order
 * @param wanted the selected ones among them
 */
export function reselect(
  slots: readonly DeviceSlot[],
  found: readonly DetectedDevice[],
  wanted: readonly DetectedDevice[],
): Reselected {
  const present = namesOf(slots)
  const names = namesOf(found)
  const chosen = new Set(names.filter((_name, position) => wanted.includes(found[position] as DetectedDevice)))
  for (const [position, slot] of slots.entries()) {
    if (chosen.has(present[position] ?? '')) slot.resume('Not selected')
    else slot.pause('Not selected')
  }
  const isNew = (position: number): boolean => !present.includes(names[position] ?? '')
  const isChosen = (position: number): boolean => chosen.has(names[position] ?? '')
  return {
    added: found.filter((_device, position) => isNew(position) && isChosen(position)),
    excluded: found.filter((_device, position) => isNew(position) && !isChosen(position)),
  }
}

/** Identifies a device across detections; identical ones are numbered. */
function namesOf(devices: readonly Pick<DetectedDevice, 'info'>[]): readonly string[] {
  const seen = new Map<string, number>()
  return devices.map(({ info: { backend, pci, name } }) => {
    const kind = [backend, pci, name].join(' ')
    const count = seen.get(kind) ?? 0
    seen.set(kind, count + 1)
    return `${kind} ${count}`
  })
}

/** The facts. */
interface DeviceDetails {
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

/** What the facts are derived from. */
interface DetailsInput {
  readonly detected: Pick<DetectedDevice, 'driver' | 'memoryBytes'> | undefined
  readonly params: XhashParams
  readonly epoch: number | null
  readonly epochs: Pick<EpochClock, 'begins'>
  /** it builds the next dataset while searching, if memory permits */
  readonly buildsAhead: boolean
  readonly temperatureLimits: TemperatureLimits | null
  readonly launch: DeviceLaunch | null
  readonly buildSeconds: number | null
}

/** The facts about one device. */
export function deviceDetails(input: DetailsInput): DeviceDetails {
  const { detected, params, epoch, epochs, temperatureLimits, launch, buildSeconds } = input
  const { driver = '', memoryBytes = null } = detected ?? {}
  const lastEpoch = memoryBytes === null ? null : lastFittingEpoch(params, memoryBytes)
  return {
    driver,
    memoryBytes,
    epoch,
    neededBytes: epoch === null ? null : neededBytes(params, epoch),
    nextNeededBytes: epoch === null ? null : neededBytes(params, epoch + 1),
    lastEpoch,
    memoryFullAt: lastEpoch === null ? null : epochs.begins(lastEpoch + 1),
    nextChangeAt: epoch === null ? null : epochs.begins(epoch + 1),
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
  /** detected, but not used in this run */
  readonly excluded: readonly (DeviceInfo & { readonly driver: string })[]
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
      excluded: this.#excluded.map(({ info, driver = '' }) => ({ ...info, driver })),
      missing: this.backends.flatMap(({ kind, absence = null }) =>
        absence === null ? [] : [{ backend: kind, reason: absence }],
      ),
    }
  }

  plan(input: InventoryInput): EpochPlan {
    const { slots, epoch, epochs } = input
    return {
      epoch,
      blockSeconds: epochs.pace,
      next: epochs.next(),
      devices: slots.map((slot) => ({ index: slot.index, name: slot.info.name, ...this.#details(slot, input) })),
    }
  }

  #details({ index, launch, buildSeconds, canBuildAhead }: DeviceSlot, input: InventoryInput): DeviceDetails {
    const { care, params, epoch, epochs } = input
    const temperatureLimits = care.limits(index)
    const buildsAhead = this.doublesDatasets && canBuildAhead
    const told = { temperatureLimits, launch, buildSeconds, buildsAhead }
    return deviceDetails({ detected: this.#used[index], params, epoch, epochs, ...told })
  }
}
