// Another place in the order of failover, by keys, buttons or dragging; the focus goes with the pool.
import { useEffect, useRef } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import type { PoolView } from '../../../../contract/fleet'
import { type Text, useText } from '../../i18n/text'
import { useApp, useEnvironment, useFleet } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'
import { selectPools } from '../../state/stores/fleet-store'

/** What became of the last change of the list. */
export interface Said {
  readonly isFailure: boolean
  /** Empty = nothing to say. */
  readonly text: string
}

export const NOTHING: Said = { isFailure: false, text: '' }

export interface PoolMove {
  begin(pool: PoolView, to: number): void
  /** What was dragged from one place to another. */
  drop(from: number, to: number): void
}

/** Whether the change outlives this start. */
export function keptText({ kept, reason }: ResultOf<Contract, 'miner.poolMove'>, t: Text): string {
  return kept ? t('ui.pools.kept') : t('ui.pools.notKept', { reason })
}

/** One move at a time. */
export function useMove(onSaid: (said: Said) => void): PoolMove {
  const t = useText()
  const { backend } = useEnvironment()
  const pools = useFleet(selectPools)
  const isOpen = useApp(selectIsOpen)
  const state = useRef<{ isBusy: boolean; focus: number | null }>({ isBusy: false, focus: null }).current

  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is there only once the new order has arrived
  useEffect(() => {
    if (state.focus === null) return
    document.querySelector<HTMLElement>(`[data-testid=pool-grip-${state.focus}]`)?.focus()
    state.focus = null
  }, [pools, state])

  const begin = ({ index, host }: PoolView, to: number): void => {
    if (state.isBusy || !isOpen || to === index || to < 0 || to >= pools.length) return
    state.isBusy = true
    state.focus = to
    backend
      .call('miner.poolMove', { index, to })
      .then(
        (kept) => {
          const moved = t('ui.pools.moved', { host, place: to + 1, count: pools.length })
          onSaid({ isFailure: false, text: `${moved} ${keptText(kept, t)}` })
        },
        (error: unknown) => {
          state.focus = null
          onSaid({ isFailure: true, text: t('ui.pools.moveFailed', { reason: messageOf(error) }) })
        },
      )
      .finally(() => {
        state.isBusy = false
      })
  }
  const drop = (from: number, to: number): void => {
    const pool = pools[from]
    if (pool !== undefined) begin(pool, to)
  }
  return { begin, drop }
}
