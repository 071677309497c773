// What is known of the devices beyond their readings: asked now and then while the page is in sight, the last answer kept.
import { useCallback, useEffect, useState } from 'react'
import type { InventoryView, SolutionsView } from '../../../contract/miner'
import { useApp, useEnvironment } from './environment'
import { everyInSight } from './in-sight'
import { selectIsOpen } from './stores/app-store'

const PERIOD_MS = 10_000

/** Null until there is an answer, or where there may be none. */
export function useInventory(): InventoryView | null {
  const { backend } = useEnvironment()
  return useRegular(useCallback(() => backend.call('miner.inventory', {}), [backend]))
}

/** Null until there is an answer, or where there may be none. */
export function useSolutions(device: number): SolutionsView | null {
  const { backend } = useEnvironment()
  return useRegular(useCallback(() => backend.call('miner.solutions', { device }), [backend, device]))
}

function useRegular<T>(ask: () => Promise<T>): T | null {
  const { clock } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  const [answer, setAnswer] = useState<T | null>(null)
  useEffect(() => {
    if (!isOpen) return
    const life = { isOver: false }
    const renew = async (): Promise<void> => {
      try {
        const fresh = await ask()
        if (!life.isOver) setAnswer((before) => (JSON.stringify(before) === JSON.stringify(fresh) ? before : fresh))
      } catch {
        // Refused or out of contact: what was known stays, the next round asks again.
      }
    }
    const timer = everyInSight(clock, PERIOD_MS, () => void renew())
    void renew()
    return () => {
      life.isOver = true
      timer.dispose()
    }
  }, [clock, isOpen, ask])
  return answer
}
