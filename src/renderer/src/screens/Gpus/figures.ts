// What is worked out from a device's reading, and how a device is named. Pure.
import type { DeviceView } from '../../../../contract/miner'
import type { Text } from '../../i18n/text'

export const temperaturePlaces = ['core', 'hotspot', 'memory'] as const
export type TemperaturePlace = (typeof temperaturePlaces)[number]

export interface HottestPlace {
  readonly place: TemperaturePlace
  readonly celsius: number
}

/** The hottest of what is reported; null when nothing is. */
export function hottestOf({ temperature }: Pick<DeviceView, 'temperature'>): HottestPlace | null {
  const known = temperaturePlaces.flatMap((place) => {
    const celsius = temperature[place]
    return celsius === null ? [] : [{ place, celsius }]
  })
  return known.reduce<HottestPlace | null>(
    (hottest, one) => (hottest === null || one.celsius > hottest.celsius ? one : hottest),
    null,
  )
}

/** Hashes a second for each watt; null while it is paused, or the watts are not known. */
export function efficiencyOf({
  hashrate,
  powerWatts,
  paused,
}: Pick<DeviceView, 'hashrate' | 'powerWatts' | 'paused'>): number | null {
  if (paused) return null
  return hashrate.s60 === null || powerWatts === null || powerWatts <= 0 ? null : hashrate.s60 / powerWatts
}

/** What drives it, where it sits, with how many threads. */
export function subtitle(device: DeviceView, t: Text): string {
  const threads = device.threads === null ? '' : t('ui.gpus.threads', { count: device.threads })
  return [t(`ui.backend.${device.backend}`), device.pci, threads].filter((part) => part !== '').join(' · ')
}

/** Vendor and brand words that are the same on most devices of a rig; the model after them is what tells devices apart. */
const BRAND = /^(?:(?:NVIDIA|AMD|Intel(?:\(R\))?) )?(?:GeForce (?=[RG]TX)|Radeon (?=RX|Pro)|Arc(?:\(TM\))? (?=[A-Z]\d))/

/** For narrow places: `RTX 3070` for `NVIDIA GeForce RTX 3070`. */
export function shortName(name: string): string {
  return name.replace(BRAND, '')
}
