// The layout of the one database: every key starts with a letter that says what it holds.
// The state part is shared by all execution engines (execution.md 6); changing any of it raises SCHEMA_VERSION.
import { bytesFromBigint, concatBytes } from '../../base/bytes'

export const SCHEMA_VERSION = 1

const prefixed = (letter: string, ...parts: readonly Uint8Array[]): Uint8Array =>
  concatBytes(Uint8Array.of(letter.charCodeAt(0)), ...parts)

const height = (number: bigint): Uint8Array => bytesFromBigint(number, 8)

export const stateKeys = {
  /** account RLP [nonce, balance, storageRoot, codeHash] at the head */
  account: (address: Uint8Array) => prefixed('a', address),
  /** value at the head, big-endian, no leading zeros */
  slot: (address: Uint8Array, slot: Uint8Array) => prefixed('s', address, slot),
  /** every slot of an account starts so */
  slotsOf: (address: Uint8Array) => prefixed('s', address),
  /** trie node RLP by hash */
  node: (hash: Uint8Array) => prefixed('n', hash),
  code: (hash: Uint8Array) => prefixed('c', hash),
  /** previous values of the flat keys that a block changed */
  undo: (number: bigint, hash: Uint8Array) => prefixed('u', height(number), hash),
}

export const chainKeys = {
  header: (hash: Uint8Array) => prefixed('h', hash),
  /** RLP list of transactions */
  body: (hash: Uint8Array) => prefixed('b', hash),
  /** receipts without blooms; only of blocks that were executed */
  receipts: (hash: Uint8Array) => prefixed('r', hash),
  /** total difficulty, big-endian */
  totalDifficulty: (hash: Uint8Array) => prefixed('d', hash),
  /** hash of the canonical block of a height */
  canonical: (number: bigint) => prefixed('i', height(number)),
  /** RLP [block hash, index] of a canonical transaction */
  transaction: (hash: Uint8Array) => prefixed('x', hash),
}

export const metaKeys = {
  schema: prefixed('m', new TextEncoder().encode('schema')),
  /** 32 bytes */
  head: prefixed('m', new TextEncoder().encode('head')),
  /** genesis file, JSON text */
  genesis: prefixed('m', new TextEncoder().encode('genesis')),
}
