// What the figures of devices have in common or are named after: rendered again only when that changes.
import { useFormat } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { selectDevice, selectLargestHashrate } from '../../state/stores/miner-store'
import { hottestOf, type TemperaturePlace } from './figures'

/** The prefix that all hashrates of the table share. */
export function useHashratePrefix(): number {
  const format = useFormat()
  return useMiner((state) => format.hashratePrefix(selectLargestHashrate(state)))
}

/** The hottest of a device's sensors; null if it reports none. */
export function useHottestPlace(index: number): TemperaturePlace | null {
  return useMiner((state) => {
    const device = selectDevice(index)(state)
    return device === undefined ? null : (hottestOf(device)?.place ?? null)
  })
}
