// The last step of every block, which the engine takes: its own subsidy is scheduled, and the one maturing now is paid.
// Source: prlx consensus/xhash/consensus.go (Finalize); vectors chain/maturity.json
import { bigintFromBytes } from '../../base/bytes'
import type { ConsensusParams } from '../consensus/params'
import { payoutSlots, subsidyAt, unlockHeight } from '../consensus/rewards'
import { slotWord } from './state-reader'

/** The network rules that a payout reads. */
export type PayoutParams = Pick<ConsensusParams, 'initialSubsidy' | 'subsidyHalvingBlocks' | 'coinbaseMaturityBlocks'>

/** At the end of a block, in wei; null when nothing is due. @param slot reads the lockbox before it, by 32-byte key */
export function payoutOf(
  params: PayoutParams,
  block: { readonly number: bigint; readonly coinbase: Uint8Array },
  slot: (key: Uint8Array) => Uint8Array,
): { readonly receiver: Uint8Array; readonly amount: bigint } | null {
  if (block.number === 0n) return null
  const scheduled = unlockHeight(params, block.number) === block.number ? subsidyAt(params, block.number) : 0n
  if (scheduled > 0n) return { receiver: block.coinbase, amount: scheduled }
  const due = payoutSlots(block.number)
  const amount = bigintFromBytes(slot(due.amount))
  return amount === 0n ? null : { receiver: slotWord(slot(due.address)).slice(12), amount }
}
