// Another choice of devices while they mine: those left out pause, those new here are handed back to be added.
import type { DetectedDevice } from './device-backend'
import type { DeviceSlot } from './device-slot'

export interface Reselected {
  /** wanted, and not among the slots yet */
  readonly added: readonly DetectedDevice[]
  /** neither wanted nor among the slots */
  readonly excluded: readonly DetectedDevice[]
}

/**
 * @param found all that is there now, in index order
 * @param wanted those of them that mine from now on
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

/** What stays the same of a device when it is looked for again; those that are alike are counted. */
function namesOf(devices: readonly Pick<DetectedDevice, 'info'>[]): readonly string[] {
  const seen = new Map<string, number>()
  return devices.map(({ info: { backend, pci, name } }) => {
    const kind = [backend, pci, name].join(' ')
    const count = seen.get(kind) ?? 0
    seen.set(kind, count + 1)
    return `${kind} ${count}`
  })
}
