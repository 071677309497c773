// Reads accounts, slots and code: for the head from the flat keys, for older blocks through the trie nodes.
import { bytesName, equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Keccak256 } from '../codec/keccak'
import { decodeRlp } from '../codec/rlp'
import { StoreError } from '../errors'
import { incarnationFrom, stateKeys } from '../store/keys'
import type { StoreReader } from '../store/store'
import type { NodeCache } from '../trie/node'
import { Trie } from '../trie/trie'
import { type AccountState, decodeAccount, EMPTY_CODE_HASH } from './account'

/** Synchronous. Throws STORE_MISSING_NODE or STORE_MISSING_CODE when that state isn't stored. */
export interface StateReader {
  /** Null when the account doesn't exist. @param address 20 bytes */
  account(address: Uint8Array): AccountState | null
  /** Big-endian without leading zeros; empty = 0. @param slot 32 bytes */
  slot(address: Uint8Array, slot: Uint8Array): Uint8Array
  /** Empty when there is none. */
  code(codeHash: Uint8Array): Uint8Array
}

/** Which of the address's storages is the head's, counted from 0. @throws RangeError when it is damaged */
export function incarnationOf(store: StoreReader, address: Uint8Array): number {
  return incarnationFrom(store.get(stateKeys.incarnation(address)))
}

/** The head's state, from the flat keys. */
export function headState(store: StoreReader): StateReader {
  return {
    account: (address) => {
      const bytes = store.get(stateKeys.account(address))
      return bytes === undefined ? null : decodeAccount(bytes)
    },
    slot: (address, slot) =>
      store.get(stateKeys.slot(address, slot, incarnationOf(store, address))) ?? new Uint8Array(0),
    code: (codeHash) => readCode(store, codeHash),
  }
}

/** An account that was read, and its storage. */
interface Owner {
  readonly account: AccountState | null
  readonly storage: Trie | null
}

/** RLP: this and the length of a string of up to 55 bytes. */
const SHORT_STRING = 0x80

/** Accounts that a reader remembers: their slots would otherwise be looked for from the root, each time. */
const MAX_OWNERS = 1_024

/** Through trie nodes; reads throw STORE_MISSING_NODE when it isn't stored. @param cache of nodes; absent: none */
export function stateAtRoot(
  store: StoreReader,
  root: Uint8Array,
  keccak256: Keccak256,
  cache?: NodeCache,
): StateReader {
  const tries = {
    read: (hash: Uint8Array) => store.get(stateKeys.node(hash)),
    keccak256,
    ...(cache === undefined ? {} : { cache }),
  }
  const accounts = new Trie(root, tries)
  const owners = new Map<string, Owner>()
  const ownerOf = (address: Uint8Array): Owner => {
    const name = bytesName(address)
    const known = owners.get(name)
    if (known !== undefined) return known
    const bytes = accounts.get(keccak256(address))
    const account = bytes === null ? null : decodeAccount(bytes)
    const owner = { account, storage: account === null ? null : new Trie(account.storageRoot, tries) }
    if (owners.size === MAX_OWNERS) owners.clear()
    owners.set(name, owner)
    return owner
  }
  return {
    account: (address) => ownerOf(address).account,
    slot: (address, slot) => {
      const bytes = ownerOf(address).storage?.get(keccak256(slot)) ?? null
      if (bytes === null) return new Uint8Array(0)
      // What every slot of more than a byte is: a length and so many bytes.
      if (bytes[0] === SHORT_STRING + bytes.length - 1) return bytes.subarray(1)
      const value = decodeRlp(bytes)
      return value.ok && value.value instanceof Uint8Array ? value.value : new Uint8Array(0)
    },
    code: (codeHash) => readCode(store, codeHash),
  }
}

function readCode(store: StoreReader, codeHash: Uint8Array): Uint8Array {
  if (equalBytes(codeHash, EMPTY_CODE_HASH)) return new Uint8Array(0)
  const code = store.get(stateKeys.code(codeHash))
  if (code === undefined) throw new StoreError('STORE_MISSING_CODE', { hash: toHex(codeHash) })
  return code
}

/** A slot's value as 32 bytes. */
export function slotWord(value: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(value.subarray(0, 32), 32 - Math.min(32, value.length))
  return word
}
