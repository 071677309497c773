// ots_*, and the other methods that Otterscan needs. Source: Otterscan's description of its JSON-RPC extensions
import { z } from 'zod'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { fail, ok } from '../../codec/result'
import type { BlockArgument } from '../../model/block-argument'
import { encodeBlock, encodeHeader, encodeOutcome, encodeTransaction } from '../../query/encoding'
import { foundPageSchema, TOO_LONG } from '../../query/query-wire'
import { rpcFailed } from '../../rpc-fault'
import type { BlockDetail } from '../../worker/wire/shapes'
import { blockIdOf, isPending } from '../arguments/block-argument'
import { addressParam, blockNumberParam, countParam, hashParam, type Param } from '../arguments/params'
import {
  asked,
  type MethodContext,
  method,
  type RpcContext,
  type RpcMethod,
  type RpcNamespace,
  streamed,
} from '../dispatch/method'
import { headerOf } from './eth/chain'

const API_LEVEL = 8
/** `0x` and the 4-byte selector. */
const SELECTOR_TEXT = 10

/** Entries per page. */
const MAX_PAGE = 100
const pageSizeParam: Param<number> = {
  type: `page size: 1 to ${MAX_PAGE}`,
  read: (value) => {
    const read = countParam.read(value)
    return read.ok && (read.value < 1 || read.value > MAX_PAGE) ? fail(`want a page of 1 to ${MAX_PAGE}`) : read
  },
}

/** A height as a number or QUANTITY, or a tag. */
const heightParam: Param<BlockArgument> = {
  type: 'height: a whole number or a block number',
  read: (value) => {
    if (typeof value !== 'number') return blockNumberParam.read(value)
    const read = countParam.read(value)
    return read.ok ? ok({ kind: 'number', number: read.value }) : read
  },
}

/** Null when unknown, and for `pending`. */
async function headerAt(argument: BlockArgument, context: RpcContext): Promise<BlockDetail | null> {
  return isPending(argument) ? null : context.node.reader.header(await blockIdOf(argument, context))
}

/** Without transactions and bloom, which may be large. */
function slimBlock(block: BlockDetail) {
  return { ...encodeHeader(block), uncles: [], logsBloom: null, transactionCount: block.transactionCount }
}

/** The subsidy is what the block earns, whenever it is paid. Null when it was never executed. */
async function detailsOf(block: BlockDetail | null, { node }: RpcContext) {
  const fees = block === null ? null : await node.reader.fees(block.hash)
  if (block === null || fees === null) return null
  const subsidy = toQuantity(block.subsidy)
  return {
    block: slimBlock(block),
    issuance: { blockReward: subsidy, uncleReward: '0x0', issuance: subsidy },
    totalFees: toQuantity(fees),
  }
}

/** Pages count from the end of the block; within a page the block order is kept. */
async function pageOf(block: BlockDetail | null, page: number, size: number, { node }: RpcContext) {
  if (block === null) return null
  const end = Math.max(0, block.transactionCount - page * size)
  const start = Math.max(0, end - size)
  const most = Math.max(1, end - start)
  const receipts = await node.reader.outcomes(block.hash, start, most)
  if (receipts === null) return null
  const found = end === start ? [] : await node.reader.transactions(block.hash, start, most)
  const transactions = found.map((tx) => {
    const encoded = encodeTransaction(tx)
    return { ...encoded, input: encoded.input.slice(0, SELECTOR_TEXT) }
  })
  return {
    fullblock: { ...encodeBlock(block, false), ...slimBlock(block), transactions },
    receipts: receipts.slice(0, end - start).map((one) => ({ ...encodeOutcome(one), logs: null, logsBloom: null })),
  }
}

/** Answers about a transaction's calls. */
const ofCalls = (view: 'operations' | 'error' | 'calls') =>
  streamed([hashParam], (hash) => ({ kind: 'callView', hash, view }))

/** Last transaction of the block first. */
async function foundIn(
  { number, indexes }: { readonly number: number; readonly indexes: readonly number[] },
  context: RpcContext,
  caller: MethodContext,
) {
  const block = await context.node.reader.header(number)
  const rows = []
  for (const index of [...indexes].reverse()) {
    const [tx] = block === null ? [] : await context.node.reader.transactions(block.hash, index, 1)
    if (block === null || tx === undefined) continue // removed by a reorganisation
    const text = await context.node.queries.ask({ kind: 'receipt', hash: tx.hash }, caller)
    if (text === TOO_LONG) throw rpcFailed(`${toHex(tx.hash)} has too many logs: read its receipt alone`)
    const receipt = receiptObject.parse(JSON.parse(text))
    if (receipt !== null) rows.push({ tx: encodeTransaction(tx), receipt: { ...receipt, timestamp: block.timestamp } })
  }
  return rows
}

const receiptObject = z.record(z.string(), z.unknown()).nullable()

/** Newest first. @throws RpcFault RPC_FAILED when the search stopped before it found any */
function searches(isBackwards: boolean): RpcMethod {
  return method({
    params: [addressParam, countParam, pageSizeParam],
    handler: async ([address, number, size], context, caller) => {
      const isFromEnd = number === 0
      const from = isBackwards ? (isFromEnd ? Number.MAX_SAFE_INTEGER : number - 1) : number + 1
      const request = { kind: 'addressSearch', address, from, isBackwards, most: size } as const
      const answer: unknown = JSON.parse(await context.node.queries.ask(request, caller))
      const { blocks, next, isStopped } = foundPageSchema.parse(answer)
      if (isStopped && blocks.length === 0 && next !== null) {
        const again = isBackwards ? next + 1 : next - 1
        const way = isBackwards ? 'down' : 'up'
        const found = `no transaction of ${toHex(address)} ${way} to block ${again}`
        throw rpcFailed(`${found}, where the search stopped: ask on from ${again}`)
      }
      const newestFirst = isBackwards ? blocks : [...blocks].reverse()
      const rows = (await Promise.all(newestFirst.map((one) => foundIn(one, context, caller)))).flat()
      return {
        txs: rows.map(({ tx }) => tx),
        receipts: rows.map(({ receipt }) => receipt),
        firstPage: isBackwards ? isFromEnd : next === null,
        lastPage: isBackwards ? next === null : isFromEnd,
      }
    },
  })
}

export const otsNamespace: RpcNamespace = {
  ots_getContractCreator: asked([addressParam], (address) => ({ kind: 'contractCreator', address })),
  ots_getTransactionBySenderAndNonce: asked([addressParam, countParam], (address, nonce) => ({
    kind: 'senderNonce',
    address,
    nonce: BigInt(nonce),
  })),
  ots_hasCode: asked([addressParam, heightParam], (address, at) => ({ kind: 'hasCode', address, at })),
  ots_getApiLevel: method({ params: [], handler: () => API_LEVEL }),
  ots_getBlockDetails: method({
    params: [heightParam],
    handler: async ([argument], context) => detailsOf(await headerAt(argument, context), context),
  }),
  ots_getBlockDetailsByHash: method({
    params: [hashParam],
    handler: async ([hash], context) => detailsOf(await context.node.reader.header(hash), context),
  }),
  ots_getBlockTransactions: method({
    params: [heightParam, countParam, pageSizeParam],
    handler: async ([at, page, size], context) => pageOf(await headerAt(at, context), page, size, context),
  }),
  ots_getInternalOperations: ofCalls('operations'),
  ots_getTransactionError: ofCalls('error'),
  ots_traceTransaction: ofCalls('calls'),
  ots_searchTransactionsBefore: searches(true),
  ots_searchTransactionsAfter: searches(false),
  /** How Otterscan detects a node with the methods above. */
  erigon_getHeaderByNumber: method({
    params: [heightParam],
    handler: async ([at], context) => (isPending(at) ? null : headerOf(await blockIdOf(at, context), context)),
  }),
}
