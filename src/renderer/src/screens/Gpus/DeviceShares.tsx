// The shares of one device: rendered again only when one is counted.
import { useMiner } from '../../state/environment'
import { selectDevice } from '../../state/stores/miner-store'
import { Shares } from '../Overview/MinerCards'

export function DeviceShares({ index }: { readonly index: number }) {
  const shares = useMiner((state) => selectDevice(index)(state)?.shares)
  return shares === undefined ? null : <Shares {...shares} />
}
