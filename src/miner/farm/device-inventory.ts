// Which devices were detected at startup, which of them are used, and static facts about each.

import type { XhashParams } from '../../xhash/params'
import { datasetBytes } from '../../xhash/sizes'
import type { EpochClock } from '../epoch-clock'
import { lastFittingEpoch, neededBytes } from './datasets/dataset-memory'
import type { DetectedDevice, DeviceBackend, DeviceLaunch, TemperatureLimits } from './device-backend'
import type { DeviceSlot } from './device-slot'
import type { DeviceCare } from './guard/device-care'

/**
 * @param found all devices present now, in index order
 * @param wanted the selected ones among them
 * @returns the selected ones, and the others, that have no slot yet
 */
export function reselect(
  slots: readonly DeviceSlot[],
  found: readonly DetectedDevice[],
  wanted: readonly DetectedDevice[],
) {
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

/** The facts about one device; null where unknown or without work. The contract says what each means. */
export function deviceDetails(input: DetailsInput) {
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

/** The inventory at one moment: by device index; detected, but not used in this run; drivers that couldn't be opened. */
export type InventoryView = ReturnType<DeviceInventory['view']>
/** What the next epoch means for each device. */
export type EpochPlan = ReturnType<DeviceInventory['plan']>

/** What the view is made from. */
export interface InventoryInput {
  readonly slots: readonly DeviceSlot[]
  readonly care: DeviceCare
  readonly params: XhashParams
  /** of the current work; null without work */
  readonly epoch: number | null
  readonly epochs: EpochClock
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

  view(input: InventoryInput) {
    return {
      devices: input.slots.map((slot) => this.#details(slot, input)),
      excluded: this.#excluded.map(({ info, driver = '' }) => ({ ...info, driver })),
      missing: this.backends.flatMap(({ kind, absence = null }) =>
        absence === null ? [] : [{ backend: kind, reason: absence }],
      ),
    }
  }

  plan(input: InventoryInput) {
    const { slots, epoch, epochs } = input
    return {
      epoch,
      blockSeconds: epochs.pace,
      next: epochs.next(),
      devices: slots.map((slot) => {
        const { lastEpoch, memoryFullAt, changeSeconds } = this.#details(slot, input)
        return { index: slot.index, name: slot.info.name, lastEpoch, memoryFullAt, changeSeconds }
      }),
    }
  }

  #details({ index, launch, buildSeconds, canBuildAhead }: DeviceSlot, input: InventoryInput) {
    const { care, params, epoch, epochs } = input
    const temperatureLimits = care.limits(index)
    const buildsAhead = this.doublesDatasets && canBuildAhead
    const told = { temperatureLimits, launch, buildSeconds, buildsAhead }
    return deviceDetails({ detected: this.#used[index], params, epoch, epochs, ...told })
  }
}
