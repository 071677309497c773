// The record of what was mined, read again every minute.
import { useCallback, useState } from 'react'
import type { EarningsView } from '../../../../contract/pools'
import { useAsking, useEnvironment } from '../environment'

const PERIOD_MS = 60_000

/** @param since UTC ms; null = nothing is requested. Null while unknown. */
export function useEarnings(since: number | null): EarningsView | null {
  const { backend, clock } = useEnvironment()
  const [earnings, setEarnings] = useState<EarningsView | null>(null)
  const ask = useCallback(() => {
    if (since === null) return undefined
    const life = { isOver: false }
    const read = (): void => {
      backend.call('miner.earnings', { since }).then(
        (found) => life.isOver || setEarnings(found),
        () => undefined, // the next minute tries again
      )
    }
    const timer = clock.setInterval(read, PERIOD_MS)
    read()
    return () => {
      life.isOver = true
      timer.dispose()
    }
  }, [backend, clock, since])
  useAsking(ask)
  return earnings
}
