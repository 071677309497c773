// What is known about the devices beyond their readings: read periodically while the page is visible; the last answer
// is kept.
import { useCallback } from 'react'
import type { InventoryView, SolutionsView, TunedCardView } from '../../../contract/miner'
import { useRegularAnswer } from './answers/use-regular-answer'
import { useEnvironment } from './environment'

const PERIOD_MS = 10_000

/** Null until there is an answer, or if there can't be one. */
export function useInventory(): InventoryView | null {
  const { backend } = useEnvironment()
  return useRegularAnswer(
    useCallback(() => backend.call('miner.inventory', {}), [backend]),
    { everyMs: PERIOD_MS },
  ).value
}

/** Null until there is an answer, or if there can't be one. */
export function useSolutions(device: number): SolutionsView | null {
  const { backend } = useEnvironment()
  return useRegularAnswer(
    useCallback(() => backend.call('miner.solutions', { device }), [backend, device]),
    { everyMs: PERIOD_MS },
  ).value
}

interface Tuning {
  /** Null until there is an answer, and if nothing can be set on the card. */
  readonly card: TunedCardView | null
  /** Whether there is an answer. */
  readonly isKnown: boolean
  readonly hasTariff: boolean
  /** Reads immediately, after something was set. */
  readonly renew: () => void
}

export function useTuning(device: number): Tuning {
  const { backend } = useEnvironment()
  const { value, retry } = useRegularAnswer(
    useCallback(() => backend.call('miner.tuning', { device }), [backend, device]),
    { everyMs: PERIOD_MS },
  )
  return {
    card: value?.card ?? null,
    isKnown: value !== null,
    hasTariff: value?.hasTariff ?? false,
    renew: () => void retry(),
  }
}
