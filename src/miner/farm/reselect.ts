// Changes the selection of devices while they mine: excluded ones pause, new ones are returned for adding.
import type { DetectedDevice } from './device-backend'
import type { DeviceSlot } from './device-slot'

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
