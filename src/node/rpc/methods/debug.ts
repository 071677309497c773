// debug_*: raw blocks, for comparing nodes.

import { toHex } from '../../../base/hex'
import { JsonText } from '../../../net/json-rpc/json-rpc'
import { firstItems } from '../../codec/rlp'
import type { BlockArgument } from '../../model/block-argument'
import { encodeUnplacedBlock } from '../../query/encoding'
import { RpcFault } from '../../rpc-fault'
import { transactionBytes } from '../answers/transaction-bytes'
import { blockIdOf } from '../arguments/block-argument'
import { keyParam, mostParam } from '../arguments/dump-params'
import {
  addressParam,
  blockNumberParam,
  blockParam,
  booleanParam,
  dataParam,
  hashParam,
  optional,
  quantity64,
} from '../arguments/params'
import { numberParam } from '../arguments/plain-params'
import { traceParam } from '../arguments/trace-params'
import { method, type RpcContext, type RpcMethod, type RpcNamespace } from '../dispatch/method'

/** Methods with a height as a JSON number. */
function ofHeight(kind: 'headerRlp' | 'blockRlp' | 'seedHash'): RpcMethod {
  return method({
    params: [numberParam],
    handler: async ([number], { node }, caller) => new JsonText(await node.queries.ask({ kind, number }, caller)),
  })
}

/** RLP of a stored block. @throws RpcFault RPC_FAILED */
async function blockBytes(at: BlockArgument, context: RpcContext): Promise<Uint8Array> {
  const bytes = await context.node.reader.blockBytes(await blockIdOf(at, context))
  if (bytes === null) throw new RpcFault('RPC_FAILED', { reason: 'block not found' })
  return bytes
}

const WHOLE = { kind: 'dump', code: true, storage: true } as const
const LAST_HEIGHT = BigInt(Number.MAX_SAFE_INTEGER)

export const debug: RpcNamespace = {
  debug_getHeaderRlp: ofHeight('headerRlp'),
  debug_getBlockRlp: ofHeight('blockRlp'),
  debug_seedHash: ofHeight('seedHash'),
  debug_getAccessibleState: method({
    params: [blockNumberParam, blockNumberParam],
    handler: async ([from, to], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'accessibleState', from, to }, caller)),
  }),
  debug_getModifiedAccountsByNumber: method({
    params: [numberParam, optional<number | null>(numberParam, null)],
    handler: async ([first, last], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'modifiedAccounts', first, last }, caller)),
  }),
  debug_getModifiedAccountsByHash: method({
    params: [hashParam, optional<Uint8Array | null>(hashParam, null)],
    handler: async ([first, last], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'modifiedAccounts', first, last }, caller)),
  }),
  debug_dumpBlock: method({
    params: [blockNumberParam],
    handler: async ([at], { node }, caller) =>
      new JsonText(
        await node.queries.ask(
          { ...WHOLE, at, start: new Uint8Array(0), most: 0, nameless: false, paged: false },
          caller,
        ),
      ),
  }),
  debug_accountRange: method({
    params: [blockParam, keyParam, mostParam, booleanParam, booleanParam, booleanParam],
    handler: async ([at, start, most, noCode, noStorage, nameless], { node }, caller) =>
      new JsonText(
        await node.queries.ask(
          { kind: 'dump', at, start, most, code: !noCode, storage: !noStorage, nameless, paged: true },
          caller,
        ),
      ),
  }),
  debug_getBadBlocks: method({
    params: [],
    handler: async (_args, { node }) =>
      (await node.reader.badBlocks()).map(({ hash, detail, reason, rlp }) => ({
        hash: toHex(hash),
        block: detail === null ? { error: reason } : encodeUnplacedBlock(detail),
        rlp: toHex(rlp),
      })),
  }),
  debug_setHead: method({
    params: [quantity64],
    timeLimitMs: null,
    handler: async ([number], { node }) => {
      const refusal = await node.goBackTo(Number(number > LAST_HEIGHT ? LAST_HEIGHT : number))
      if (refusal !== null) throw new RpcFault('RPC_FAILED', { reason: refusal })
      return null
    },
  }),
  debug_intermediateRoots: method({
    params: [hashParam, traceParam],
    handler: async ([hash], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'intermediateRoots', hash }, caller)),
  }),
  debug_storageRangeAt: method({
    params: [hashParam, numberParam, addressParam, dataParam, numberParam],
    handler: async ([hash, index, address, start, most], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'storageRange', hash, index, address, start, most }, caller)),
  }),
  debug_getRawHeader: method({
    params: [blockParam],
    handler: async ([at], context) => toHex(firstItems(await blockBytes(at, context), 1)),
  }),
  debug_getRawBlock: method({
    params: [blockParam],
    handler: async ([at], context) => toHex(await blockBytes(at, context)),
  }),
  /** `0x` when it is unknown. */
  debug_getRawTransaction: method({
    params: [hashParam],
    handler: async ([hash], { node }) => {
      const tx = await node.reader.transaction(hash)
      return tx === null ? '0x' : toHex(transactionBytes(tx))
    },
  }),
  debug_getRawReceipts: method({
    params: [blockParam],
    handler: async ([at], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'rawReceipts', at }, caller)),
  }),
}
