// The reference's messages for a transaction that the module refuses.

import { checksumAddress } from '../../../base/checksum-address'
import { toHex } from '../../../base/hex'
import type { SignedTransaction } from '../../model/sender'
import { intrinsicGas } from '../intrinsic-gas'
import type { WireRefusal } from './wire'

export const NONCE_TOO_HIGH = 1
export const BLOCK_GAS = 6

/** Numbers as in native/engine/src/transition.rs (Reason). */
export function refusalText(refusal: WireRefusal, { tx, sender }: SignedTransaction): string {
  const who = `address ${checksumAddress(sender)}`
  const { nonce, balance } = refusal
  switch (refusal.reason) {
    case NONCE_TOO_HIGH:
      return `nonce too high: ${who}, tx: ${tx.nonce} state: ${nonce}`
    case 2:
      return `nonce too low: ${who}, tx: ${tx.nonce} state: ${nonce}`
    case 3:
      return `nonce has max value: ${who}, nonce: ${nonce}`
    case 4:
      return `sender not an eoa: ${who}, codehash: ${toHex(refusal.codeHash)}`
    case 5: {
      const want = tx.gasLimit * tx.gasPrice + tx.value
      return `insufficient funds for gas * price + value: ${who} have ${balance} want ${want}`
    }
    case BLOCK_GAS:
      return 'gas limit reached'
    default:
      return `intrinsic gas too low: have ${tx.gasLimit}, want ${intrinsicGas(tx)}`
  }
}
