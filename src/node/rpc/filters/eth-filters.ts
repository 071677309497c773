// eth_*: past logs, and polled filters.
import { JsonText, StreamedResult } from '../../../net/json-rpc/json-rpc'
import { fail, ok } from '../../codec/result'
import type { LogText } from '../../logs/block-logs'
import { type LogFilter, matcherOf } from '../../logs/log-filter'
import { type LogPage, type LogRange, ofOneBlock } from '../../logs/search'
import { type BlockArgument, type BlockTag, SETTLED_DEPTHS } from '../../model/block-argument'
import { rpcFailed } from '../../rpc-fault'
import type { Param } from '../arguments/params'
import {
  type MethodContext,
  method,
  type RpcContext,
  type RpcNamespace,
  type RpcNode,
  type RpcResult,
} from '../dispatch/method'
import { pendingLogs } from './chain-feed'
import type { LiveLogs } from './live-logs'
import { type LogQuery, logQueryParam } from './log-query'

/** Null is an id that no filter has. */
const filterIdParam: Param<string> = {
  type: 'filter id: as eth_newFilter returned it',
  read: (value) => (typeof value === 'string' ? ok(value) : value === null ? ok('') : fail('not a filter id')),
}

const COMBINATION = 'invalid from and to block combination: from > to'

function headNumber({ node }: RpcContext): number {
  const head = node.head()
  if (head === null) throw rpcFailed('the chain is not open')
  return head.number
}

/** A height, or null for the pending block. */
function heightOf(argument: BlockArgument, head: number): number | null {
  if (argument.kind === 'number') return argument.number
  if (argument.kind !== 'tag' || argument.tag === 'earliest') return 0
  if (argument.tag === 'pending') return null
  return argument.tag === 'latest' ? head : Math.max(0, head - SETTLED_DEPTHS[argument.tag])
}

/** JSON array of the logs that match now. */
async function findLogs(query: LogQuery, context: RpcContext, caller: MethodContext): Promise<RpcResult> {
  const { node } = context
  const { filter, blockHash } = query
  if (blockHash !== null) return found({ node, filter, range: ofOneBlock(blockHash), pending: [], caller })
  const head = headNumber(context)
  const from = heightOf(query.from, head)
  const to = heightOf(query.to, head)
  if (from === null) return arrayOf(to === null ? textsOf(await pendingLogs(node), filter) : [])
  const last = to ?? head
  if (from > last || from > head) return arrayOf([])
  const pending = to === null ? textsOf(await pendingLogs(node), filter) : []
  return found({ node, filter, range: { from: { number: from, within: null }, to: last }, pending, caller })
}

interface Search {
  readonly node: RpcNode
  readonly filter: LogFilter
  readonly range: LogRange
  /** Texts that follow the last page. */
  readonly pending: readonly string[]
  readonly caller: MethodContext
}

async function found(search: Search): Promise<RpcResult> {
  const { node, filter, range, pending, caller } = search
  const first = await node.logs.search(filter, range, caller)
  if (first.next === null) return arrayOf([first.text, ...pending].filter((text) => text !== ''))
  return new StreamedResult(pages(search, first))
}

/** Continues from the first page while the client reads. */
async function* pages(search: Search, first: LogPage): AsyncGenerator<string> {
  const { node, filter, range, caller } = search
  let before = '['
  for (let page = first; ; ) {
    if (page.text !== '') {
      yield before + page.text
      before = ','
    }
    if (page.next === null) break
    page = await node.logs.search(filter, { from: page.next, to: range.to }, caller)
  }
  for (const text of search.pending) {
    yield before + text
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function textsOf(logs: readonly LogText[], filter: LogFilter): readonly string[] {
  return logs.filter(matcherOf(filter)).map(({ text }) => text)
}

function arrayOf(texts: readonly string[]): JsonText {
  return new JsonText(`[${texts.join(',')}]`)
}

/** Which new logs a filter or subscription with this range receives. @throws RpcFault RPC_FAILED */
export function liveLogsOf({ from, to, blockHash }: LogQuery, head: number): LiveLogs {
  if (blockHash !== null) throw rpcFailed('blockHash names a block that exists: read its logs with eth_getLogs')
  const isTag = (argument: BlockArgument, tag: BlockTag) => argument.kind === 'tag' && argument.tag === tag
  const pending = isTag(to, 'pending')
  const isOpen = pending || isTag(to, 'latest')
  const last = isOpen ? Number.POSITIVE_INFINITY : (heightOf(to, head) ?? 0)
  const isNew = isTag(from, 'latest')
  const first = isNew ? 0 : (heightOf(from, head) ?? 0)
  const isFromPending = isTag(from, 'pending')
  if (isFromPending ? !pending : isNew ? !isOpen : first > last) throw rpcFailed(COMBINATION)
  return { mined: isFromPending ? null : { from: first, to: last }, pending }
}

export const ethFilters: RpcNamespace = {
  eth_getLogs: method({
    params: [logQueryParam],
    handler: ([query], context, caller) => findLogs(query, context, caller),
  }),
  eth_newFilter: method({
    params: [logQueryParam],
    handler: ([query], context, { caller }) =>
      context.filters.addLogs(query, liveLogsOf(query, headNumber(context)), caller),
  }),
  eth_newBlockFilter: method({ params: [], handler: (_args, { filters }, { caller }) => filters.addBlocks(caller) }),
  eth_newPendingTransactionFilter: method({
    params: [],
    handler: (_args, { filters }, { caller }) => filters.addPending(caller),
  }),
  eth_getFilterChanges: method({
    params: [filterIdParam],
    handler: async ([id], { filters, feed }) => {
      await feed.settled()
      return arrayOf(filters.changes(id))
    },
  }),
  eth_getFilterLogs: method({
    params: [filterIdParam],
    handler: ([id], context, caller) => findLogs(context.filters.query(id), context, caller),
  }),
  eth_uninstallFilter: method({ params: [filterIdParam], handler: ([id], { filters }) => filters.remove(id) }),
}
