// A transaction or an unsigned call as the engine runs it, its outcome, and the addresses of what it creates. Source:
// go-ethereum 1.10 core/state_transition.go (Berlin)
import { bigintFromBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import type { Keccak256 } from '../codec/keccak'
import { encodeRlp, rlpInteger } from '../codec/rlp'
import type { AccessListEntry, Transaction } from '../model/transaction'
import { addressBytes, bytesOfWord } from './word'

/** Gas that a transaction costs before its first instruction: EIP-2, 2028, 2930. */
export function intrinsicGas(tx: Pick<Transaction, 'to' | 'data' | 'accessList'>): bigint {
  let zeros = 0
  for (const byte of tx.data) if (byte === 0) zeros++
  let gas = (tx.to === null ? 53_000n : 21_000n) + BigInt(4 * zeros + 16 * (tx.data.length - zeros))
  for (const entry of tx.accessList) gas += 2400n + 1900n * BigInt(entry.storageKeys.length)
  return gas
}

export interface Message {
  /** 160 bits */
  readonly from: bigint
  /** Null = creation. */
  readonly to: bigint | null
  readonly gas: number
  /** wei per gas */
  readonly gasPrice: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: readonly AccessListEntry[]
}

export interface MessageResult {
  /** After refunds. */
  readonly gasUsed: number
  /** Before refunds. */
  readonly gasSpent: number
  /** Null on success. */
  readonly error: string | null
  readonly isRevert: boolean
  /** Also set for a revert. */
  readonly output: Uint8Array
}

/** Refused = a check before the first instruction failed, and nothing changed. */
export type Applied = { readonly kind: 'done'; readonly result: MessageResult } | Refused

export interface Refused {
  readonly kind: 'refused'
  readonly reason: string
  readonly isIntrinsic: boolean
}

/** Refused because the sender can't pay. @param balance the sender's, wei */
export function refusedForFunds({ from, gas, gasPrice, value }: Message, balance: bigint): Refused {
  const who = `address ${checksumAddress(addressBytes(from))}`
  const want = BigInt(gas) * gasPrice + value
  const reason = `insufficient funds for gas * price + value: ${who} have ${balance} want ${want}`
  return { kind: 'refused', reason, isIntrinsic: false }
}

/** Refused because the gas doesn't cover what is charged before the first instruction. */
export function refusedForGas({ gas, to, data, accessList }: Message): Refused {
  const needed = intrinsicGas({ to: to === null ? null : addressBytes(to), data, accessList })
  return { kind: 'refused', reason: `intrinsic gas too low: have ${gas}, want ${needed}`, isIntrinsic: true }
}

/** 160 bits. The address of a contract created by CREATE. */
export function createdAddress(keccak256: Keccak256, creator: bigint, nonce: bigint): bigint {
  return bigintFromBytes(keccak256(encodeRlp([addressBytes(creator), rlpInteger(nonce)])).subarray(12))
}

/** EIP-1014: the address of a contract created by CREATE2. */
export function createdWithSalt(
  keccak256: Keccak256,
  from: { readonly creator: bigint; readonly salt: bigint; readonly code: Uint8Array },
): bigint {
  const data = new Uint8Array(85)
  data[0] = 0xff
  data.set(addressBytes(from.creator), 1)
  data.set(bytesOfWord(from.salt), 21)
  data.set(keccak256(from.code), 53)
  return bigintFromBytes(keccak256(data).subarray(12))
}
