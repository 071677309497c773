// Finds the block that an argument means. Source: rpc.md 4
import { equalBytes } from '../../base/bytes'
import type { BlockId, BlockSummary } from '../worker/shapes'
import { RpcFault } from './errors'
import type { RpcContext } from './method'
import type { BlockArgument } from './params'

/** How far under the head the two settled tags are. */
const SAFE_DEPTH = 6
const FINALIZED_DEPTH = 100

const failed = (reason: string) => new RpcFault('RPC_FAILED', { reason })

/**
 * The block by height or tag, null when there is none (block methods).
 * @throws RpcFault for `pending`: pending blocks are not built for callers in this version
 */
export async function blockIdOf(argument: BlockArgument, context: RpcContext): Promise<BlockId> {
  if (argument.kind === 'number') return argument.number
  if (argument.kind === 'hash') return argument.hash
  if (argument.kind === 'neither') throw failed('invalid arguments; neither block nor hash specified')
  const { tag } = argument
  if (tag === 'earliest') return 0
  if (tag === 'pending') throw failed('the pending block is not available')
  if (tag === 'latest') return 'head'
  const head = await context.node.reader.head()
  return Math.max(0, head.number - (tag === 'safe' ? SAFE_DEPTH : FINALIZED_DEPTH))
}

/** The block whose state is meant. @throws RpcFault with the reference's text when it is unknown */
export async function stateBlock(argument: BlockArgument, context: RpcContext): Promise<BlockSummary> {
  const { reader } = context.node
  const block = await reader.summary(await blockIdOf(argument, context))
  if (argument.kind !== 'hash') {
    if (block === null) throw failed('header not found')
    return block
  }
  if (block === null) throw failed('header for hash not found')
  if (!argument.requireCanonical) return block
  const canonical = await reader.summary(block.number)
  if (canonical === null || !equalBytes(canonical.hash, block.hash)) throw failed('hash is not currently canonical')
  return block
}
