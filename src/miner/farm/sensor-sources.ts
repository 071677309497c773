// The sensor source of each device: its own, or the one at its PCI address.
import type { SensorSource } from '../sensors/reading'
import type { Farm } from './farm'

/** By device index; null where a device has none. @param sensorsOf the source at a PCI address */
export function sensorSources(
  { sensors, slots }: Pick<Farm, 'sensors' | 'slots'>,
  sensorsOf: (pci: string) => SensorSource | null = () => null,
): readonly (SensorSource | null)[] {
  return sensors.map((own, index) => {
    const pci = slots[index]?.info.pci ?? ''
    return own ?? (pci === '' ? null : sensorsOf(pci))
  })
}
