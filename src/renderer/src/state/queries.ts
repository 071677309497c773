// Data that a screen reads once: a block, a transaction, recorded history. Cached by key, read again on demand.
import { createStore } from 'zustand/vanilla'
import { messageOf } from '../../../base/errors'
import type { AddressView, ReceiptView } from '../../../contract/explorer'
import type { HistoryView, HistoryWindow, SeriesName } from '../../../contract/miner'
import type { MoneyView } from '../../../contract/money'
import type { BlockView, TransactionRowView } from '../../../contract/node'
import type { Backend } from '../data/backend'

export type QueryState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly reason: string }

interface QueriesState {
  readonly blocks: Readonly<Record<string, QueryState<BlockView | null>>>
  readonly transactions: Readonly<Record<string, QueryState<TransactionRowView | null>>>
  /** Null while it waits for a block. */
  readonly receipts: Readonly<Record<string, QueryState<ReceiptView | null>>>
  /** Null before the first block. */
  readonly addresses: Readonly<Record<string, QueryState<AddressView | null>>>
}

export type Queries = ReturnType<typeof createQueries>

/** The same question within this time has the same answer. */
const SHARED_MS = 5_000

export const LOADING: QueryState<never> = { kind: 'loading' }

/**
 * Answers are cached until the page is left; a reorg may replace a block found by height, so it is read again on each
 * visit.
 */
export function createQueries(backend: Pick<Backend, 'call'>) {
  const store = createStore<QueriesState>(() => ({ blocks: {}, transactions: {}, receipts: {}, addresses: {} }))

  const money = new Map<string, { readonly at: number; readonly answer: Promise<MoneyView> }>()

  return {
    store,
    /**
     * The ledger of money: parts of a screen that ask for the same period together share one answer.
     * @param mark another one is another question @param at monotonic ms
     */
    money(bounds: readonly number[], mark: number, at: number): Promise<MoneyView> {
      for (const [key, asked] of money) if (at - asked.at >= SHARED_MS) money.delete(key)
      const key = `${bounds.join()} ${mark}`
      const answer = money.get(key)?.answer ?? backend.call('miner.money', { bounds: [...bounds] })
      if (!money.has(key)) money.set(key, { at, answer })
      answer.catch(() => money.delete(key))
      return answer
    },
    async askBlock(id: string): Promise<void> {
      const put = (state: QueryState<BlockView | null>): void =>
        store.setState(({ blocks }) => ({ blocks: { ...blocks, [id]: state } }))
      if (store.getState().blocks[id]?.kind !== 'ready') put(LOADING)
      put(await settle(async () => (await backend.call('node.block', { id: blockId(id) })).block))
    },
    /** The next transactions of a block that is there. */
    async askFurther(id: string, block: BlockView): Promise<void> {
      const put = (state: QueryState<BlockView | null>): void =>
        store.setState(({ blocks }) => ({ blocks: { ...blocks, [id]: state } }))
      const { hash, transactions } = block
      const next = await settle(
        async () => (await backend.call('node.block', { id: hash, from: transactions.length })).block,
      )
      if (next.kind !== 'ready' || next.value === null) return put(next)
      put({ kind: 'ready', value: { ...next.value, transactions: [...transactions, ...next.value.transactions] } })
    },
    async askTransaction(hash: string): Promise<void> {
      const put = (state: QueryState<TransactionRowView | null>): void =>
        store.setState(({ transactions }) => ({ transactions: { ...transactions, [hash]: state } }))
      if (store.getState().transactions[hash]?.kind !== 'ready') put(LOADING)
      put(await settle(async () => (await backend.call('node.transaction', { hash })).transaction))
    },
    async askReceipt(hash: string): Promise<void> {
      const put = (state: QueryState<ReceiptView | null>): void =>
        store.setState(({ receipts }) => ({ receipts: { ...receipts, [hash]: state } }))
      if (store.getState().receipts[hash]?.kind !== 'ready') put(LOADING)
      put(await settle(async () => (await backend.call('node.receipt', { hash })).receipt))
    },
    async askAddress(address: string): Promise<void> {
      const put = (state: QueryState<AddressView | null>): void =>
        store.setState(({ addresses }) => ({ addresses: { ...addresses, [address]: state } }))
      if (store.getState().addresses[address]?.kind !== 'ready') put(LOADING)
      put(await settle(async () => (await backend.call('node.address', { address })).account))
    },
    history: (device: number | null, series: SeriesName, window: HistoryWindow): Promise<HistoryView> =>
      backend.call('miner.history', { device, series, window }),
  }
}

async function settle<T>(ask: () => Promise<T>): Promise<QueryState<T>> {
  try {
    return { kind: 'ready', value: await ask() }
  } catch (error: unknown) {
    return { kind: 'failed', reason: messageOf(error) }
  }
}

function blockId(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}
