// The sender of a transaction: this chain's signature rules, then recovery by libsecp256k1.
// Source: go-ethereum 1.10 core/types/transaction_signing.go
import { bytesFromBigint, concatBytes, joinBytes } from '../../base/bytes'
import { secp256k1 } from '../../native/secp256k1'
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import { type AnyTransaction, signedHash, type Transaction } from './transaction'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HALF_ORDER = CURVE_ORDER / 2n

/** A transaction and the 20-byte address that signed it. */
export interface SignedTransaction {
  readonly tx: Transaction
  readonly sender: Uint8Array
}

/** What a signer's address is recovered from. */
export interface SignedDigest {
  /** 32 bytes */
  readonly hash: Uint8Array
  /** r and s, 64 bytes */
  readonly signature: Uint8Array
  readonly recoveryId: 0 | 1
}

/** Senders of a block's transactions, recovered beforehand. */
export interface KnownSenders {
  /** 20 bytes; null when unknown. @param index of the transaction in its block */
  addressOf(index: number): Uint8Array | null
}

/** The sender under the chain's rules; error texts are prlx's. @param known its address, recovered beforehand */
export function recoverSender(
  tx: AnyTransaction,
  chainId: bigint,
  known: Uint8Array | null = null,
): Result<SignedTransaction> {
  const signed = readSignature(tx, chainId)
  if (!signed.ok) return signed
  const { tx: supported, recoveryId } = signed.value
  const sender = known ?? recoverAddress(digestOf(supported, recoveryId))
  return sender === null ? fail('recovery failed') : ok({ tx: supported, sender })
}

/** Signatures recovered together take three quarters of the time. More would gain little. */
export const RECOVERED_AT_ONCE = 16

/** The senders of a block's transactions, read in order; those that aren't known are recovered a few at a time. */
export class SenderReader {
  /** Of the transactions from `#first` on; null for one whose signature is invalid, which `recoverSender` words. */
  #addresses: readonly (Uint8Array | null)[] = []
  #first = 0

  /** @param known senders recovered beforehand; asked for a few transactions ahead */
  constructor(
    private readonly transactions: readonly AnyTransaction[],
    private readonly chainId: bigint,
    private readonly known: KnownSenders | undefined,
  ) {}

  /** As `recoverSender`. @param index of the transaction, not below the one before */
  of(tx: AnyTransaction, index: number): Result<SignedTransaction> {
    if (index >= this.#first + this.#addresses.length) this.#readFrom(index)
    return recoverSender(tx, this.chainId, this.#addresses[index - this.#first] ?? null)
  }

  #readFrom(first: number): void {
    const next = this.transactions.slice(first, first + RECOVERED_AT_ONCE)
    const addresses = next.map((_, place) => this.known?.addressOf(first + place) ?? null)
    const unknown = next.flatMap((tx, place) => {
      const digest = addresses[place] === null ? signedDigest(tx, this.chainId) : null
      return digest === null ? [] : [{ place, digest }]
    })
    const recovered = recoverAddresses(unknown.map(({ digest }) => digest))
    for (const [at, { place }] of unknown.entries()) addresses[place] = recovered[at] ?? null
    this.#addresses = addresses
    this.#first = first
  }
}

/** What the sender is recovered from; null for a transaction without a recoverable sender. */
export function signedDigest(tx: AnyTransaction, chainId: bigint): SignedDigest | null {
  const signed = readSignature(tx, chainId)
  return signed.ok ? digestOf(signed.value.tx, signed.value.recoveryId) : null
}

/** The 20-byte address of the signer; null when no key could have made the signature. */
export function recoverAddress({ hash, signature, recoveryId }: SignedDigest): Uint8Array | null {
  return secp256k1().recoverAddress(hash, signature, recoveryId)
}

/** The same for many, in their order. */
export function recoverAddresses(digests: readonly SignedDigest[]): readonly (Uint8Array | null)[] {
  const items = digests.flatMap(({ hash, signature, recoveryId }) => [hash, signature, Uint8Array.of(recoveryId)])
  return digests.length === 0 ? [] : secp256k1().recoverAddresses(joinBytes(items))
}

function readSignature(
  tx: AnyTransaction,
  chainId: bigint,
): Result<{ readonly tx: Transaction; readonly recoveryId: 0 | 1 }> {
  if (tx.kind === 'unsupported') return fail('transaction type not supported')
  const recoveryId = recoveryIdOf(tx)
  if (tx.chainId !== null && tx.chainId !== chainId) return fail('invalid chain id for signer')
  const inRange = tx.r > 0n && tx.r < CURVE_ORDER && tx.s > 0n && tx.s <= HALF_ORDER
  if (recoveryId === null || !inRange) return fail('invalid transaction v, r, s values')
  return ok({ tx, recoveryId })
}

function digestOf(tx: Transaction, recoveryId: 0 | 1): SignedDigest {
  return {
    hash: signedHash(tx),
    signature: concatBytes(bytesFromBigint(tx.r, 32), bytesFromBigint(tx.s, 32)),
    recoveryId,
  }
}

function recoveryIdOf(tx: Transaction): 0 | 1 | null {
  const parity = tx.type === 1 ? tx.v : tx.chainId === null ? tx.v - 27n : tx.v - 35n - 2n * tx.chainId
  if (parity === 0n) return 0
  return parity === 1n ? 1 : null
}

/** 32 bytes: the hash of a signed text message. Source: EIP-191, version 0x45 */
export function personalHash(message: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${message.length}`)
  return keccak256(concatBytes(head, message))
}
