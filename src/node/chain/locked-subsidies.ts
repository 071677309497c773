// Subsidies of an address that are scheduled but not yet paid: what the lockbox holds for the next heights.
import { bigintFromBytes, equalBytes } from '../../base/bytes'
import type { ConsensusParams } from '../consensus/params'
import { LOCKBOX_ADDRESS, payoutSlots } from '../consensus/rewards'
import { type StateReader, slotWord } from '../execution/state-reader'

/** What an address will be paid. */
interface LockedSubsidies {
  /** wei, all heights together */
  readonly total: bigint
  /** The earliest one. */
  readonly next: { readonly height: bigint; readonly amount: bigint } | null
}

/** What `address` (20 bytes) is paid at the heights after `headNumber`. */
export function lockedSubsidies(
  state: StateReader,
  params: Pick<ConsensusParams, 'coinbaseMaturityBlocks'>,
  headNumber: bigint,
  address: Uint8Array,
): LockedSubsidies {
  let total = 0n
  let next: LockedSubsidies['next'] = null
  const maturity = BigInt(params.coinbaseMaturityBlocks)
  // There is no block below 1, so nothing is due up to the maturity height, which a custom network may set very high.
  const first = (headNumber > maturity ? headNumber : maturity) + 1n
  for (let height = first; height <= headNumber + maturity; height++) {
    const slots = payoutSlots(height)
    const amount = bigintFromBytes(state.slot(LOCKBOX_ADDRESS, slots.amount))
    if (amount === 0n) continue
    const receiver = slotWord(state.slot(LOCKBOX_ADDRESS, slots.address)).subarray(12)
    if (!equalBytes(receiver, address)) continue
    total += amount
    next ??= { height, amount }
  }
  return { total, next }
}
