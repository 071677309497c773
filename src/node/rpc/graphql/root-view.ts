// `Query` and `Mutation`: the entry points.
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { rpcFailed } from '../../rpc-fault'
import { encodeSync } from '../methods/eth/chain'
import { checkRaw } from '../sending/send-rules'
import { filterOf, foundLogs, type LogCriteria, stateFields, viewAt } from './block-view'
import { type Graph, heightArgument } from './graph'

const PENDING = { kind: 'tag', tag: 'pending' } as const

/** Waiting transactions in one answer: they are objects on the host's thread. */
const MAX_PENDING = 4_096
/** Bytes of their RLP. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024

type Height = bigint | null | undefined
type RangeCriteria = LogCriteria & { readonly fromBlock?: Height; readonly toBlock?: Height }
interface BlockChoice {
  readonly number?: Height
  readonly hash?: Uint8Array | null
}

/** Fields of both: a request runs one of them. */
export function rootView(graph: Graph): object {
  const { node, network, services, hot } = graph.rpc
  const gasPrice = async () => toQuantity(await hot.gasPrice())
  return {
    gasPrice,
    maxPriorityFeePerGas: gasPrice,
    chainID: toQuantity(network.chainId),
    syncing: () => {
      const sync = services.peers?.syncing() ?? null
      return sync === null ? null : encodeSync(sync)
    },
    block: (given: BlockChoice) => oneBlock(graph, given),
    blocks: ({ from, to }: { readonly from?: Height; readonly to?: Height }) => blocksOf(graph, from, to),
    pending: () => pendingView(graph),
    transaction: async ({ hash }: { readonly hash: Uint8Array }) => {
      const tx = await graph.budget.read(() => node.reader.transaction(hash))
      return tx === null ? null : graph.transaction(tx)
    },
    logs: ({ filter }: { readonly filter: RangeCriteria }) => logsOf(graph, filter),
    sendRawTransaction: async ({ data }: { readonly data: Uint8Array }) => {
      checkRaw(data, services.sending, network.chainId)
      return toHex(await node.addTransaction(data))
    },
  }
}

async function oneBlock(graph: Graph, { number, hash }: BlockChoice): Promise<object | null> {
  if (number !== undefined && number !== null) return number < 0n ? null : viewAt(graph, heightOf(number))
  if (hash === undefined || hash === null) return viewAt(graph, 'head')
  const block = await viewAt(graph, hash)
  if (block === null) throw rpcFailed('header for hash not found')
  return block
}

async function blocksOf(graph: Graph, from: Height, to: Height): Promise<readonly object[]> {
  if (from === undefined || from === null || from < 0n) throw rpcFailed('blocks: want `from`, a height')
  const head = graph.rpc.node.head()?.number ?? 0
  const last = Math.min(head, to === undefined || to === null ? head : heightOf(to))
  const first = heightOf(from)
  const blocks: object[] = []
  for (let number = first; number <= last; number++) {
    const block = await viewAt(graph, number)
    if (block === null) break // the head moved back meanwhile
    blocks.push(block)
  }
  return blocks
}

/** Negative ones are prlx's internal tags: not accepted. */
function heightOf(number: bigint): number {
  const at = heightArgument(number)
  return at.kind === 'number' ? at.number : 0
}

async function pendingView(graph: Graph): Promise<object> {
  const { reader } = graph.rpc.node
  const { pending } = await graph.budget.read(() => reader.counts())
  return {
    transactionCount: pending,
    transactions: async () => {
      const waiting = await graph.budget.read(() => reader.executable(MAX_PENDING, MAX_PENDING_BYTES))
      if (waiting === null)
        throw rpcFailed(
          `more than ${MAX_PENDING} transactions or ${MAX_PENDING_BYTES} bytes of them are waiting: use txpool_content`,
        )
      graph.budget.spend(waiting.length)
      return waiting.map((tx) => graph.transaction(tx))
    },
    ...stateFields(graph, PENDING),
  }
}

async function logsOf(graph: Graph, criteria: RangeCriteria): Promise<readonly object[]> {
  const head = graph.rpc.node.head()?.number ?? 0
  const end = (given: Height): number => (given === undefined || given === null ? head : heightOf(given))
  const [from, to] = [end(criteria.fromBlock), end(criteria.toBlock)]
  if (from > to || from > head) return []
  return foundLogs(graph, filterOf(criteria), { from: { number: from, within: null }, to })
}
