// Resolves a block argument.
import { type BlockArgument, SETTLED_DEPTHS } from '../../model/block-argument'
import { rpcFailed } from '../../rpc-fault'
import type { BlockId } from '../../worker/wire/shapes'
import type { RpcContext } from '../dispatch/method'

/** Whether the pending block is meant; `blockIdOf` doesn't handle it. */
export function isPending(argument: BlockArgument): boolean {
  return argument.kind === 'tag' && argument.tag === 'pending'
}

/** The block by height, tag or hash. @throws RpcFault for `pending`, see `isPending`, and when no block is named */
export async function blockIdOf(argument: BlockArgument, context: RpcContext): Promise<BlockId> {
  const isSettled = argument.kind === 'tag' && ['safe', 'finalized'].includes(argument.tag)
  return blockIdAt(argument, isSettled ? (await context.node.reader.head()).number : 0)
}

/** The same when the head's height is already known. */
export function blockIdAt(argument: BlockArgument, head: number): BlockId {
  if (argument.kind === 'number') return argument.number
  if (argument.kind === 'hash') return argument.hash
  if (argument.kind === 'neither') throw rpcFailed('invalid arguments; neither block nor hash specified')
  const { tag } = argument
  if (tag === 'earliest') return 0
  if (tag === 'pending') throw rpcFailed('the pending block is not available')
  if (tag === 'latest') return 'head'
  return Math.max(0, head - SETTLED_DEPTHS[tag])
}
