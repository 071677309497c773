// The database layout: every key starts with a letter that says what it holds.
// The state part is shared by all execution engines; changing any of it raises SCHEMA_VERSION.
import { bigintFromBytes, bytesFromBigint, EMPTY_BYTES } from '../../base/bytes'

/** 1 didn't count trie nodes; 2 had no incarnations: every storage is the first of its address; 3 had no nodes in
 * records and no history index. */
export const SCHEMA_VERSION = 4

function prefixed(letter: string, first: Uint8Array = EMPTY_BYTES, second: Uint8Array = EMPTY_BYTES): Uint8Array {
  const key = new Uint8Array(1 + first.length + second.length)
  key[0] = letter.charCodeAt(0)
  key.set(first, 1)
  key.set(second, 1 + first.length)
  return key
}

const height = (number: bigint): Uint8Array => bytesFromBigint(number, 8)

function slotsOf(address: Uint8Array, incarnation: number): Uint8Array {
  return incarnation === 0 ? prefixed('s', address) : prefixed('t', address, incarnationBytes(incarnation))
}

/** A number from 1 on as 4 bytes: the value at `stateKeys.incarnation`. */
export function incarnationBytes(incarnation: number): Uint8Array {
  const bytes = new Uint8Array(INCARNATION_BYTES)
  new DataView(bytes.buffer).setUint32(0, incarnation)
  return bytes
}

/** @param value as stored; undefined: the address never lost a storage */
export function incarnationFrom(value: Uint8Array | undefined): number {
  if (value === undefined) return 0
  if (value.length !== INCARNATION_BYTES) throw new RangeError('stored incarnation is damaged')
  return new DataView(value.buffer, value.byteOffset).getUint32(0)
}

/** A stored height; absent = 0. */
export function heightFrom(value: Uint8Array | undefined): bigint {
  return value === undefined ? 0n : bigintFromBytes(value)
}

const ACCOUNT_LETTER = 'a'.charCodeAt(0)
const SLOT_LETTER = 's'.charCodeAt(0)
const LATER_SLOT_LETTER = 't'.charCodeAt(0)
const INCARNATION_LETTER = 'w'.charCodeAt(0)
const FLAT_LETTERS = [ACCOUNT_LETTER, SLOT_LETTER, LATER_SLOT_LETTER, INCARNATION_LETTER]
const ADDRESS_BYTES = 20
const INCARNATION_BYTES = 4
const NODE_LETTER = 'n'.charCodeAt(0)
const CODE_LETTER = 'c'.charCodeAt(0)

export const stateKeys = {
  /** account RLP [nonce, balance, storageRoot, codeHash] at the head */
  account: (address: Uint8Array) => prefixed('a', address),
  /** value at the head, big-endian, no leading zeros */
  slot: (address: Uint8Array, slot: Uint8Array, incarnation: number) => {
    const prefix = slotsOf(address, incarnation)
    const key = new Uint8Array(prefix.length + slot.length)
    key.set(prefix)
    key.set(slot, prefix.length)
    return key
  },
  /** prefix of every slot of one incarnation of an account */
  slotsOf,
  /** prefixes of every slot of all accounts */
  slotPrefixes: ['s', 't'].map((letter) => prefixed(letter)),
  /** 4 bytes: which storage of an address is the head's; absent = 0. Deleting one adds 1, see decisions/0013. */
  incarnation: (address: Uint8Array) => prefixed('w', address),
  /** trie node RLP by hash */
  node: (hash: Uint8Array) => prefixed('n', hash),
  /** reference count of a node, big-endian; absent = 1, see execution/node-places.ts */
  shares: (hash: Uint8Array) => prefixed('k', hash),
  code: (hash: Uint8Array) => prefixed('c', hash),
  /** previous values of the flat keys that a block changed */
  undo: (number: bigint, hash: Uint8Array) => prefixed('u', height(number), hash),
  /** nodes that a block added and places that it removed, see recorded-nodes.ts, or places alone: execution/node-places.ts */
  places: (number: bigint, hash: Uint8Array) => prefixed('j', height(number), hash),
  /** letters of everything that can be rebuilt from the flat keys */
  nodePrefixes: ['n', 'k', 'j'].map((letter) => prefixed(letter)),
  isAccount: (key: Uint8Array): boolean => key[0] === ACCOUNT_LETTER,
  /** An account, an incarnation or a slot: what an undo record holds. */
  isFlat: (key: Uint8Array): boolean => FLAT_LETTERS.includes(key[0] ?? 0),
  isNode: (key: Uint8Array): boolean => key[0] === NODE_LETTER,
  isCode: (key: Uint8Array): boolean => key[0] === CODE_LETTER,
  isIncarnation: (key: Uint8Array): boolean => key[0] === INCARNATION_LETTER,
  /** Null for a key that isn't a slot's. */
  slotOfKey: (key: Uint8Array) => {
    const address = key.subarray(1, 1 + ADDRESS_BYTES)
    const rest = key.subarray(1 + ADDRESS_BYTES)
    if (key[0] === SLOT_LETTER) return { address, incarnation: 0, slot: rest }
    if (key[0] !== LATER_SLOT_LETTER) return null
    const incarnation = incarnationFrom(rest.subarray(0, INCARNATION_BYTES))
    return { address, incarnation, slot: rest.subarray(INCARNATION_BYTES) }
  },
}

export const chainKeys = {
  header: (hash: Uint8Array) => prefixed('h', hash),
  /** RLP list of transactions */
  body: (hash: Uint8Array) => prefixed('b', hash),
  /** receipts without blooms; only for executed blocks */
  receipts: (hash: Uint8Array) => prefixed('r', hash),
  /** total difficulty, big-endian */
  totalDifficulty: (hash: Uint8Array) => prefixed('d', hash),
  /** hash of the canonical block at a height */
  canonical: (number: bigint) => prefixed('i', height(number)),
  /** present for each stored side block */
  side: (number: bigint, hash: Uint8Array) => prefixed('f', height(number), hash),
  /** RLP [block hash, index] of a canonical transaction */
  transaction: (hash: Uint8Array) => prefixed('x', hash),
}

export const logKeys = {
  /** blocks of a section with logs that contain `item`, see log-index/log-index.ts */
  section: (item: Uint8Array, section: number) => prefixed('l', item, bytesFromBigint(BigInt(section), 4)),
}

export const historyKeys = {
  /** blocks of a section that changed the value of a flat key, see chain/state-window.ts */
  section: (flat: Uint8Array, section: number) => prefixed('y', flat, bytesFromBigint(BigInt(section), 4)),
}

export const metaKeys = {
  schema: prefixed('m', new TextEncoder().encode('schema')),
  /** 32 bytes */
  head: prefixed('m', new TextEncoder().encode('head')),
  /** height of the oldest block whose state is complete, 8 bytes */
  statesFrom: prefixed('m', new TextEncoder().encode('statesFrom')),
  /** height of the oldest block whose state the history index gives, 8 bytes; absent = 0 */
  historyFrom: prefixed('m', new TextEncoder().encode('historyFrom')),
  /** set while nodes are being rebuilt from the flat state, see chain/rebuild-state.ts */
  rebuilding: prefixed('m', new TextEncoder().encode('rebuilding')),
  /** genesis file, JSON text */
  genesis: prefixed('m', new TextEncoder().encode('genesis')),
  /** proof-of-work sizes of a custom network: the name of the mode */
  xhashMode: prefixed('m', new TextEncoder().encode('xhashMode')),
  /** height from which on the canonical blocks are in the log index, 8 bytes */
  logsFrom: prefixed('m', new TextEncoder().encode('logsFrom')),
}
