// One figure of all devices together, written into the page at each reading.
import { memo, useCallback } from 'react'
import { useEnvironment } from '../../state/environment'
import type { MinerState } from '../../state/stores/miner-store'
import { type FigureLook, type Follow, WrittenValue } from './WrittenValue'

interface MinerValueProps extends FigureLook {
  /** In the base unit of `kind`; null = unknown. Has to be the same function each time. */
  readonly read: (state: MinerState) => number | null
}

export const MinerValue = memo(function MinerValue({ read, ...look }: MinerValueProps) {
  const { miner } = useEnvironment().stores.shown
  const follow = useCallback<Follow>(
    (write) => {
      write(read(miner.getState()))
      return miner.subscribe((state) => write(read(state)))
    },
    [miner, read],
  )
  return <WrittenValue {...look} follow={follow} />
})
