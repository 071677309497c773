// Head of the chain, the newest blocks and the balances of our accounts.
import { createStore } from 'zustand/vanilla'
import type { BalancesView, BalanceView, BlockRowView, NodeHeadView } from '../../../contract/node'

export interface NodeState {
  readonly head: NodeHeadView | null
  readonly balances: BalancesView | null
  /** Newest first; null until the first answer. */
  readonly blocks: readonly BlockRowView[] | null
  /** Why the last request for blocks failed; empty when it did not. */
  readonly blocksError: string
}

export const createNodeStore = () =>
  createStore<NodeState>(() => ({ head: null, balances: null, blocks: null, blocksError: '' }))

export const selectBalance =
  (address: string) =>
  (state: NodeState): BalanceView | undefined =>
    state.balances?.accounts.find((account) => account.address.toLowerCase() === address.toLowerCase())

/** Sync state in the words of the test contract. A network without peers is at its tip when it has a head. */
export const selectSyncState = (state: NodeState): 'stopped' | 'peers' | 'tip' | 'stalled' => {
  const view = state.head
  if (view === null || view.state === 'stopped') return 'stopped'
  if (view.state === 'failed') return 'stalled'
  if (view.head === null || view.state === 'starting') return 'peers'
  return 'tip'
}
