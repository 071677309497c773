// Energy of all devices since midnight, from the day's history; read again every minute.
import { useCallback } from 'react'
import { useRegularAnswer } from '../answers/use-regular-answer'
import { useEnvironment } from '../environment'
import { energySince, startOfDay } from './earnings'

const PERIOD_MS = 60_000

/** kWh; null while unknown. */
export function useEnergyToday(): number | null {
  const { stores, clock } = useEnvironment()
  const ask = useCallback(async (): Promise<number | null> => {
    const record = await stores.queries.history(null, 'power', '24h')
    return energySince(record, startOfDay(clock.now()))
  }, [stores, clock])
  return useRegularAnswer(ask, { everyMs: PERIOD_MS }).value
}
