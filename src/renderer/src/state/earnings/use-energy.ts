// Energy of all devices since midnight, from the day's history; read again every minute.
import { useEffect, useState } from 'react'
import { useEnvironment } from '../environment'
import { energySince, startOfDay } from './earnings'

const PERIOD_MS = 60_000

/** kWh; null while unknown. */
export function useEnergyToday(): number | null {
  const { stores, clock } = useEnvironment()
  const [energy, setEnergy] = useState<number | null>(null)
  useEffect(() => {
    const life = { isOver: false }
    const ask = async (): Promise<void> => {
      try {
        const record = await stores.queries.history(null, 'power', '24h')
        if (!life.isOver) setEnergy(energySince(record, startOfDay(clock.now())))
      } catch {
        // Without contact, the next minute tries again.
      }
    }
    const timer = clock.setInterval(() => void ask(), PERIOD_MS)
    void ask()
    return () => {
      life.isOver = true
      timer.dispose()
    }
  }, [stores, clock])
  return energy
}
