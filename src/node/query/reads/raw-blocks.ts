// Raw blocks for the debug namespace.
import { toHex } from '../../../base/hex'
import { seedHash } from '../../../xhash/seed'
import { encodeBlock } from '../../model/block'
import type { BlockArgument } from '../../model/block-argument'
import { encodeHeader } from '../../model/header'
import { failed } from '../block-state'
import type { QuerySession } from '../session'

/** JSON text of the header's RLP. */
export function headerRlp(session: QuerySession, number: number): string {
  const found = session.blocks().header(number)
  if (found === null) throw failed(`header #${number} not found`)
  return JSON.stringify(toHex(encodeHeader(found.header)))
}

/** JSON text of the block's RLP. */
export function blockRlp(session: QuerySession, number: number): string {
  const { reads } = session.view()
  const hash = reads.canonicalHash(BigInt(number))
  const block = hash === null ? null : reads.block(hash)
  if (block === null) throw failed(`block #${number} not found`)
  return JSON.stringify(toHex(encodeBlock(block)))
}

/** JSON text of the seed hash of the block's epoch. */
export function seedHashOf(session: QuerySession, number: number): string {
  if (session.blocks().header(number) === null) throw failed(`block #${number} not found`)
  return JSON.stringify(toHex(seedHash(Math.floor(number / session.options.epochBlocks))))
}

/** JSON text: the receipts as the receipt root covers them; none for the pending block, as in the reference. */
export function rawReceipts(session: QuerySession, at: BlockArgument): string {
  if (at.kind === 'tag' && at.tag === 'pending') return '[]'
  const { base } = session.blocks().find(at)
  const stored = session.view().reads.storedReceipts(base.hash)
  if (stored === null) return '[]'
  return JSON.stringify(stored.outcomes.map((_outcome, index) => toHex(stored.encoded(index))))
}
