// The head of the chain, the latest blocks and the balances of our accounts.
import { createStore } from 'zustand/vanilla'
import type { PeersView, SyncView } from '../../../../contract/network'
import type { BalancesView, BalanceView, BlockRowView, NodeHeadView } from '../../../../contract/node'
import type { NodeControlView } from '../../../../contract/node-control'

export interface NodeState {
  readonly head: NodeHeadView | null
  readonly balances: BalancesView | null
  readonly peers: PeersView | null
  readonly sync: SyncView | null
  /** What can be done with the node as a whole; null until known. */
  readonly control: NodeControlView | null
  /** Newest first; null until the first answer. */
  readonly blocks: readonly BlockRowView[] | null
  /** Why the last request for blocks failed; empty if it didn't. */
  readonly blocksError: string
}

export const createNodeStore = () =>
  createStore<NodeState>(() => ({
    head: null,
    balances: null,
    peers: null,
    sync: null,
    control: null,
    blocks: null,
    blocksError: '',
  }))

export const selectBalance =
  (address: string) =>
  (state: NodeState): BalanceView | undefined =>
    state.balances?.accounts.find((account) => account.address.toLowerCase() === address.toLowerCase())

/** Expected hashes for the next block; null while unknown. */
export const selectNextDifficulty = ({ head }: NodeState): number | null =>
  head?.nextDifficulty == null ? null : Number(head.nextDifficulty)

/** True on a network without peers; a node that isn't running doesn't say. */
export const selectHasNoPeers = ({ head }: NodeState): boolean => head?.state === 'running' && head.peers === null

/** Height of the highest block that we or a peer have; null if there is none. */
export function selectHighest({ head, sync, peers }: NodeState): number | null {
  const known = [head?.head?.number, sync?.highestBlock, ...(peers?.peers.map((peer) => peer.head.number) ?? [])]
  const heights = known.filter((height) => height != null)
  return heights.length === 0 ? null : Math.max(...heights)
}
