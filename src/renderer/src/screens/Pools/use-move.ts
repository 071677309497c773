// Moves a pool in the failover order, by keys, buttons or dragging; the focus moves with it.
import { useEffect, useRef } from 'react'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import type { PoolView } from '../../../../contract/pools'
import { type Text, type TextKey, useText } from '../../i18n/text'
import { useEnvironment, useIsOpen, useOperation } from '../../state/environment'
import { selectPools } from '../../state/stores/program-store'

/** Runs a change of the list, and says what it answers. */
export type Change = (work: () => Promise<string>, failed: TextKey) => Promise<boolean>

export interface PoolMove {
  begin(pool: PoolView, to: number): void
  drop(from: number, to: number): void
}

/** Says whether the change outlives this run. */
export function keptText({ kept, reason }: ResultOf<Contract, 'miner.poolMove'>, t: Text): string {
  return kept ? t('ui.pools.kept') : t('ui.pools.notKept', { reason })
}

/** The same pool in a newer list; two with the same address are told apart by position. */
function found({ url, index }: PoolView, pools: readonly PoolView[]): PoolView | undefined {
  const same = pools.filter((pool) => pool.url === url)
  return same.length > 1 ? same.find((pool) => pool.index === index) : same[0]
}

interface Moves {
  isBusy: boolean
  focus: number | null
  /** A move requested while another was in progress, since the new order may be shown before its answer arrives. */
  next: { readonly pool: PoolView; readonly to: number } | null
  pools: readonly PoolView[]
}

/** One move at a time; the last one requested in the meantime follows it. */
export function useMove(onChange: Change): PoolMove {
  const t = useText()
  const { backend } = useEnvironment()
  const pools = useOperation(selectPools)
  const isOpen = useIsOpen()
  const state = useRef<Moves>({ isBusy: false, focus: null, next: null, pools }).current
  state.pools = pools

  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is there only once the new order has arrived
  useEffect(() => {
    if (state.focus === null) return
    document.querySelector<HTMLElement>(`[data-testid=pool-grip-${state.focus}]`)?.focus()
    state.focus = null
  }, [pools, state])

  const move = ({ index, host, url }: PoolView, to: number): void => {
    const count = state.pools.length
    if (to === index || to < 0 || to >= count) return
    state.isBusy = true
    state.focus = to
    const send = async (): Promise<string> => {
      const kept = await backend.call('miner.poolMove', { index, shown: url, to })
      return `${t('ui.pools.moved', { host, place: to + 1, count })} ${keptText(kept, t)}`
    }
    void onChange(send, 'ui.pools.moveFailed').then((isMoved) => {
      const { next } = state
      Object.assign(state, { isBusy: false, next: null })
      if (!isMoved) state.focus = null
      const pool = next === null || !isMoved ? undefined : found(next.pool, state.pools)
      if (next !== null && pool !== undefined) move(pool, next.to)
    })
  }
  const begin = (pool: PoolView, to: number): void => {
    if (!isOpen) return
    if (state.isBusy) state.next = { pool, to }
    else move(pool, to)
  }
  const drop = (from: number, to: number): void => {
    const pool = pools[from]
    if (pool !== undefined) begin(pool, to)
  }
  return { begin, drop }
}
