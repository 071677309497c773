// What is known about the devices beyond their readings: read periodically while the page is visible; the last answer
// is kept.
import { useCallback, useEffect, useState } from 'react'
import type { InventoryView, SolutionsView, TunedCardView } from '../../../contract/miner'
import { useApp, useEnvironment } from './environment'
import { everyInSight } from './in-sight'
import { selectIsOpen } from './stores/app-store'

const PERIOD_MS = 10_000

/** Null until there is an answer, or if there can't be one. */
export function useInventory(): InventoryView | null {
  const { backend } = useEnvironment()
  return useRegular(useCallback(() => backend.call('miner.inventory', {}), [backend])).answer
}

/** Null until there is an answer, or if there can't be one. */
export function useSolutions(device: number): SolutionsView | null {
  const { backend } = useEnvironment()
  return useRegular(useCallback(() => backend.call('miner.solutions', { device }), [backend, device])).answer
}

export interface Tuning {
  /** Null until there is an answer, and if nothing can be set on the card. */
  readonly card: TunedCardView | null
  readonly hasTariff: boolean
  /** Reads immediately, after something was set. */
  readonly renew: () => void
}

export function useTuning(device: number): Tuning {
  const { backend } = useEnvironment()
  const { answer, renew } = useRegular(useCallback(() => backend.call('miner.tuning', { device }), [backend, device]))
  return { card: answer?.card ?? null, hasTariff: answer?.hasTariff ?? false, renew }
}

function useRegular<T>(ask: () => Promise<T>): { readonly answer: T | null; readonly renew: () => void } {
  const { clock } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  const [answer, setAnswer] = useState<T | null>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks at once
  useEffect(() => {
    if (!isOpen) return
    const life = { isOver: false }
    const renew = async (): Promise<void> => {
      try {
        const fresh = await ask()
        if (!life.isOver) setAnswer((before) => (JSON.stringify(before) === JSON.stringify(fresh) ? before : fresh))
      } catch {
        // Refused or without contact: the last answer stays, the next round tries again.
      }
    }
    const timer = everyInSight(clock, PERIOD_MS, () => void renew())
    void renew()
    return () => {
      life.isOver = true
      timer.dispose()
    }
  }, [clock, isOpen, ask, round])
  return { answer, renew: useCallback(() => setRound((before) => before + 1), []) }
}
