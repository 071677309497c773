// An account as the state holds it: RLP [nonce, balance, storageRoot, codeHash].
import { FieldReader } from '../codec/fields'
import { keccak256 } from '../codec/keccak'
import { decodeRlp, encodeRlp, rlpInteger } from '../codec/rlp'
import { EMPTY_TRIE_ROOT } from '../trie/trie'

export interface AccountState {
  readonly nonce: bigint
  /** wei */
  readonly balance: bigint
  /** 32 bytes */
  readonly storageRoot: Uint8Array
  /** 32 bytes; keccak-256 of empty input when there is no code */
  readonly codeHash: Uint8Array
}

export const EMPTY_CODE_HASH: Uint8Array = keccak256(new Uint8Array(0))

export const EMPTY_ACCOUNT: AccountState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
}

/** RLP of the leaf in the account trie. */
export function encodeAccount(account: AccountState): Uint8Array {
  return encodeRlp([rlpInteger(account.nonce), rlpInteger(account.balance), account.storageRoot, account.codeHash])
}

/** @throws RangeError when stored bytes aren't an account: the database is corrupt */
export function decodeAccount(bytes: Uint8Array): AccountState {
  const decoded = decodeRlp(bytes)
  if (!decoded.ok || decoded.value instanceof Uint8Array) throw new RangeError('stored account is damaged')
  const fields = new FieldReader('account', decoded.value)
  const nonce = fields.integer('nonce')
  const balance = fields.integer('balance', 32)
  const storageRoot = fields.bytes('storageRoot', { length: 32 })
  const codeHash = fields.bytes('codeHash', { length: 32 })
  if (fields.error !== null) throw new RangeError(`stored account is damaged: ${fields.error}`)
  return { nonce, balance, storageRoot, codeHash }
}
