// Who signed a transaction: the signature's rules of this chain, then recovery by libsecp256k1.
// Source: go-ethereum 1.10 core/types/transaction_signing.go
import secp256k1 from 'secp256k1'
import { bytesFromBigint, concatBytes } from '../../base/bytes'
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import { type AnyTransaction, signingHash, type Transaction } from './transaction'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A transaction and the 20-byte address that signed it. */
export interface SignedTransaction {
  readonly tx: Transaction
  readonly sender: Uint8Array
}

/** The sender under the rules of `chainId`; the error texts are the reference's. */
export function recoverSender(tx: AnyTransaction, chainId: bigint): Result<SignedTransaction> {
  if (tx.kind === 'unsupported') return fail('transaction type not supported')
  const recoveryId = recoveryIdOf(tx)
  if (tx.chainId !== null && tx.chainId !== chainId) return fail('invalid chain id for signer')
  const inRange = tx.r > 0n && tx.r < CURVE_ORDER && tx.s > 0n && tx.s <= CURVE_ORDER / 2n
  if (recoveryId === null || !inRange) return fail('invalid transaction v, r, s values')
  const signature = concatBytes(bytesFromBigint(tx.r, 32), bytesFromBigint(tx.s, 32))
  const key = recoverPublicKey(signature, recoveryId, signingHash(tx))
  if (key === null) return fail('invalid transaction v, r, s values')
  return ok({ tx, sender: keccak256(key.subarray(1)).subarray(12) })
}

function recoveryIdOf(tx: Transaction): 0 | 1 | null {
  const parity = tx.type === 1 ? tx.v : tx.chainId === null ? tx.v - 27n : tx.v - 35n - 2n * tx.chainId
  if (parity === 0n) return 0
  return parity === 1n ? 1 : null
}

/** 65 bytes beginning with 4, or null when the signature has no key. */
function recoverPublicKey(signature: Uint8Array, recoveryId: 0 | 1, hash: Uint8Array): Uint8Array | null {
  try {
    return secp256k1.ecdsaRecover(signature, recoveryId, hash, false)
  } catch {
    return null // the library's way of saying that no point belongs to r
  }
}
