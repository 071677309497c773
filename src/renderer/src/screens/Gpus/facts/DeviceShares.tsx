// The shares of one device: rendered again only when one is counted.
import { useMemo } from 'react'
import { useMiner } from '../../../state/environment'
import { selectShares } from '../../../state/stores/miner-store'
import { Shares } from '../../../widgets/facts/Shares'

export function DeviceShares({ index }: { readonly index: number }) {
  const shares = useMiner(useMemo(() => selectShares(index), [index]))
  return shares === undefined ? null : <Shares {...shares} />
}
