// Names devices in records by what is known of them now.
import { useMemo } from 'react'
import { useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { selectBackends } from '../../state/stores/miner-store'
import { type DeviceNamer, deviceNamer } from './device-names'

/** The same function until devices or language change. */
export function useDeviceNamer(): DeviceNamer {
  const t = useText()
  const backends = useMiner(selectBackends)
  return useMemo(() => deviceNamer(backends, t), [backends, t])
}
