// Figures derived from a device's reading, and device names. Pure.
import type { DeviceView } from '../../../../contract/miner'
import type { Text } from '../../i18n/text'
import { efficiencyOf } from '../../state/stores/miner-store'

export const temperaturePlaces = ['core', 'hotspot', 'memory'] as const
export type TemperaturePlace = (typeof temperaturePlaces)[number]

interface HottestPlace {
  readonly place: TemperaturePlace
  readonly celsius: number
}

/** The hottest reported sensor; null if none is reported. */
export function hottestOf({ temperature }: Pick<DeviceView, 'temperature'>): HottestPlace | null {
  let hottest: HottestPlace | null = null
  for (const place of temperaturePlaces) {
    const celsius = temperature[place]
    if (celsius !== null && (hottest === null || celsius > hottest.celsius)) hottest = { place, celsius }
  }
  return hottest
}

/** °C of the hottest reported sensor; null if none is reported. */
export function hottestCelsius(reading: Pick<DeviceView, 'temperature'>): number | null {
  return hottestOf(reading)?.celsius ?? null
}

/** What `DeviceValue` reads of a device. */
export const readings = {
  now: ({ hashrate }: DeviceView) => hashrate.now,
  s60: ({ hashrate }: DeviceView) => hashrate.s60,
  m15: ({ hashrate }: DeviceView) => hashrate.m15,
  efficiency: efficiencyOf,
  hottest: hottestCelsius,
  core: ({ temperature }: DeviceView) => temperature.core,
  hotspot: ({ temperature }: DeviceView) => temperature.hotspot,
  memory: ({ temperature }: DeviceView) => temperature.memory,
  fan: ({ fanPercent }: DeviceView) => fanPercent,
  power: ({ powerWatts }: DeviceView) => powerWatts,
  coreClock: ({ clockMhz }: DeviceView) => clockMhz.core,
  memoryClock: ({ clockMhz }: DeviceView) => clockMhz.memory,
} as const

/** Its driver, its slot, its threads. */
export function subtitle(device: Pick<DeviceView, 'backend' | 'pci' | 'threads'>, t: Text): string {
  const threads = device.threads === null ? '' : t('ui.gpus.threads', { count: device.threads })
  return [t(`ui.backend.${device.backend}`), device.pci, threads].filter((part) => part !== '').join(' · ')
}
