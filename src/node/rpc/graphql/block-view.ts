// `Block`, and what a state offers: calls, estimates, logs.
import { bytesFromBigint } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { transactionsOf } from '../../chain-reader'
import { firstItems } from '../../codec/rlp'
import type { LogFilter } from '../../logs/log-filter'
import { type LogPage, type LogPosition, type LogRange, ofOneBlock } from '../../logs/search'
import type { BlockArgument } from '../../model/block-argument'
import { rpcFailed } from '../../rpc-fault'
import type { BlockDetail, BlockId } from '../../worker/wire/shapes'
import { type AtArguments, atOf, type CallData, type Graph } from './graph'

/** Criteria of a filter; null = omitted. */
export interface LogCriteria {
  readonly addresses?: readonly Uint8Array[] | null
  readonly topics?: readonly (readonly Uint8Array[])[] | null
}

const ZERO_HASH = toHex(new Uint8Array(32))

/** The view of a block; null when there is none. */
export async function viewAt(graph: Graph, id: BlockId): Promise<object | null> {
  const block = await graph.budget.read(() => graph.rpc.node.reader.header(id))
  return block === null ? null : graph.block(block)
}

/** The view of `Block`. */
export function blockView(graph: Graph, block: BlockDetail): object {
  const at: BlockArgument = { kind: 'hash', hash: block.hash, requireCanonical: false }
  return {
    ...headerFields(block),
    parent: () => (block.number === 0 ? null : viewAt(graph, block.parentHash)),
    miner: (place: AtArguments) => graph.account(block.miner, atOf(place)),
    ommerCount: 0,
    ommers: [],
    ommerAt: null,
    ommerHash: ZERO_HASH,
    transactions: async () => {
      graph.budget.spend(block.transactionCount)
      const found = await graph.budget.read(() => transactionsOf(graph.rpc.node.reader, block))
      return found.map((tx) => graph.transaction(tx))
    },
    transactionAt: async ({ index }: { readonly index: number }) => {
      if (index < 0 || index >= block.transactionCount) return null
      const [tx] = await graph.budget.read(() => graph.rpc.node.reader.transactions(block.hash, index, 1))
      return tx === undefined ? null : graph.transaction(tx)
    },
    logs: ({ filter }: { readonly filter: LogCriteria }) => foundLogs(graph, filterOf(filter), ofOneBlock(block.hash)),
    rawHeader: async () => toHex(firstItems(await bytesOf(graph, block), 1)),
    raw: async () => toHex(await bytesOf(graph, block)),
    ...stateFields(graph, at),
  }
}

function headerFields(block: BlockDetail): object {
  return {
    number: block.number,
    hash: toHex(block.hash),
    nonce: toHex(bytesFromBigint(block.nonce, 8)),
    transactionsRoot: toHex(block.txRoot),
    transactionCount: block.transactionCount,
    stateRoot: toHex(block.stateRoot),
    receiptsRoot: toHex(block.receiptRoot),
    extraData: toHex(block.extraData),
    gasLimit: Number(block.gasLimit),
    gasUsed: Number(block.gasUsed),
    baseFeePerGas: null,
    nextBaseFeePerGas: null,
    timestamp: toQuantity(block.timestamp),
    logsBloom: () => toHex(block.logsBloom),
    mixHash: toHex(block.mixHash),
    difficulty: toQuantity(block.difficulty),
    totalDifficulty: toQuantity(block.totalDifficulty),
  }
}

/** What a block and the pending state share. */
export function stateFields(graph: Graph, at: BlockArgument): object {
  return {
    account: ({ address }: { readonly address: Uint8Array }) => graph.account(address, at),
    call: ({ data }: { readonly data: CallData }) => graph.ask({ kind: 'outcome', at, call: callOf(data) }),
    estimateGas: async ({ data }: { readonly data: CallData }) =>
      Number(await graph.ask({ kind: 'estimate', at, call: callOf(data) })),
  }
}

function callOf(given: CallData) {
  return {
    from: given.from ?? null,
    to: given.to ?? null,
    gas: given.gas ?? null,
    gasPrice: given.gasPrice ?? null,
    feeCap: given.maxFeePerGas ?? null,
    tip: given.maxPriorityFeePerGas ?? null,
    value: given.value ?? 0n,
    data: given.data ?? new Uint8Array(0),
    nonce: null,
    accessList: null,
  }
}

async function bytesOf(graph: Graph, { hash }: BlockDetail): Promise<Uint8Array> {
  const bytes = await graph.budget.read(() => graph.rpc.node.reader.blockBytes(hash))
  if (bytes === null) throw rpcFailed(`block ${toHex(hash)} not found`)
  return bytes
}

/** Page by page, as far as the budget goes. */
export async function foundLogs(graph: Graph, filter: LogFilter, range: LogRange): Promise<readonly object[]> {
  const found: object[] = []
  for (let from: LogPosition | null = range.from; from !== null; ) {
    const at: LogRange = { from, to: range.to }
    const page: LogPage = await graph.budget.read(() => graph.rpc.node.logs.search(filter, at, graph.caller))
    const logs: readonly unknown[] = JSON.parse(`[${page.text}]`)
    graph.budget.spend(logs.length, page.text.length)
    for (const log of logs) found.push(graph.log(JSON.stringify(log)))
    from = page.next
  }
  return found
}

/** In the search's form. */
export function filterOf({ addresses, topics }: LogCriteria) {
  const words = (list: readonly Uint8Array[]): readonly string[] => [...new Set(list.map(toHex))]
  return { addresses: words(addresses ?? []), topics: (topics ?? []).map(words) }
}
