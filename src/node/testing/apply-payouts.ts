// The last step of every block in TypeScript, beside the engine's. Source: prlx consensus/xhash/consensus.go (Finalize);
// vectors chain/maturity.json
import { minimalBytes } from '../../base/bytes'
import { LOCKBOX_ADDRESS, payoutSlots, subsidyAt, unlockHeight } from '../consensus/rewards'
import { EMPTY_ACCOUNT, EMPTY_CODE_HASH } from '../execution/account'
import { type PayoutParams, payoutOf } from '../execution/payout'
import type { StateOverlay } from './state-overlay'

/** Scheduling comes first, so that a maturity of 0 pays in the same block. */
export function applyPayouts(
  state: StateOverlay,
  params: PayoutParams,
  block: { readonly number: bigint; readonly coinbase: Uint8Array },
): void {
  const paid = payoutOf(params, block, (key) => state.slot(LOCKBOX_ADDRESS, key))
  const subsidy = subsidyAt(params, block.number)
  const touched: Uint8Array[] = []
  if (subsidy > 0n) {
    const slots = payoutSlots(unlockHeight(params, block.number))
    writeLockbox(state, slots.address, block.coinbase)
    writeLockbox(state, slots.amount, minimalBytes(subsidy))
    touched.push(LOCKBOX_ADDRESS)
  }
  if (paid !== null) {
    const due = payoutSlots(block.number)
    writeLockbox(state, due.address, new Uint8Array(0))
    writeLockbox(state, due.amount, new Uint8Array(0))
    state.addBalance(paid.receiver, paid.amount)
    touched.push(LOCKBOX_ADDRESS, paid.receiver)
  }
  for (const address of touched) deleteIfEmpty(state, address)
}

/** A storage write creates a missing account; without its 1 wei it is deleted again together with the schedule. */
function writeLockbox(state: StateOverlay, slot: Uint8Array, value: Uint8Array): void {
  if (state.account(LOCKBOX_ADDRESS) === null) state.setAccount(LOCKBOX_ADDRESS, EMPTY_ACCOUNT)
  state.setSlot(LOCKBOX_ADDRESS, slot, value)
}

function deleteIfEmpty(state: StateOverlay, address: Uint8Array): void {
  const account = state.account(address)
  if (account === null || account.nonce !== 0n || account.balance !== 0n) return
  const withoutCode = account.codeHash.every((byte, i) => byte === EMPTY_CODE_HASH[i])
  if (withoutCode) state.setAccount(address, null)
}
