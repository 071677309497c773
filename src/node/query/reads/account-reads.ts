// Balance, nonce, code and storage of an account in a block's state, and Merkle proofs for them.

import { bigintFromBytes, equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { Keccak256 } from '../../codec/keccak'
import { decodeRlp } from '../../codec/rlp'
import { StoreError } from '../../errors'
import { decodeAccount, EMPTY_ACCOUNT, EMPTY_CODE_HASH } from '../../execution/account'
import { slotWord } from '../../execution/state-reader'
import { stateKeys } from '../../store/keys'
import type { StoreReader } from '../../store/store'
import { commonPrefix, nibblesOf } from '../../trie/nibbles'
import { decodeNode, type TrieNode } from '../../trie/node'
import { EMPTY_TRIE_ROOT } from '../../trie/trie'
import type { AskRequest } from '../query-wire'
import type { QuerySession } from '../session'

type AccountQuestion = Extract<AskRequest, { kind: 'balance' | 'nonce' | 'code' | 'hasCode' | 'storage' }>
type ProofQuestion = Extract<AskRequest, { kind: 'proof' }>

/** JSON text. */
export function readAccount(session: QuerySession, question: AccountQuestion): string {
  const { state } = session.blocks().find(question.at)
  if (question.kind === 'storage') return quoted(toHex(slotWord(state.slot(question.address, question.slot))))
  const account = state.account(question.address) ?? EMPTY_ACCOUNT
  if (question.kind === 'hasCode') return String(!equalBytes(account.codeHash, EMPTY_CODE_HASH))
  if (question.kind === 'balance') return quoted(toQuantity(account.balance))
  return quoted(question.kind === 'nonce' ? toQuantity(account.nonce) : toHex(state.code(account.codeHash)))
}

const quoted = (text: string): string => `"${text}"`

/** EIP-1186, as JSON text. */
export function proveAccount(session: QuerySession, question: ProofQuestion): string {
  const { keccak256 } = session
  const { header, store } = session.blocks().find(question.at)
  const found = walk(store, header.stateRoot, keccak256(question.address))
  const account = found.value === null ? EMPTY_ACCOUNT : decodeAccount(found.value)
  const storageProof = question.keys.map(({ text, slot }) => ({
    key: text,
    ...storageProofOf(store, account.storageRoot, { slot, keccak256 }),
  }))
  return JSON.stringify({
    address: toHex(question.address),
    accountProof: found.nodes.map(toHex),
    balance: toQuantity(account.balance),
    codeHash: toHex(account.codeHash),
    nonce: toQuantity(account.nonce),
    storageHash: toHex(account.storageRoot),
    storageProof,
  })
}

function storageProofOf(
  store: StoreReader,
  root: Uint8Array,
  key: { readonly slot: Uint8Array; readonly keccak256: Keccak256 },
) {
  const { value, nodes } = walk(store, root, key.keccak256(key.slot))
  const item = value === null ? null : decodeRlp(value)
  const isNumber = item?.ok === true && item.value instanceof Uint8Array
  return { value: toQuantity(isNumber ? bigintFromBytes(item.value) : 0n), proof: nodes.map(toHex) }
}

interface Walk {
  readonly value: Uint8Array | null
  /** RLP of the hashed nodes on the path, root first; also when the key doesn't exist. */
  readonly nodes: readonly Uint8Array[]
}

/** @throws StoreError STORE_MISSING_NODE when that state isn't available */
function walk(store: StoreReader, root: Uint8Array, key: Uint8Array): Walk {
  const nodes: Uint8Array[] = []
  if (toHex(root) === toHex(EMPTY_TRIE_ROOT)) return { value: null, nodes }
  let node: TrieNode | null = { kind: 'hash', hash: root }
  let path = nibblesOf(key)
  while (node !== null) {
    if (node.kind === 'hash') {
      const bytes = store.get(stateKeys.node(node.hash))
      if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(node.hash) })
      nodes.push(bytes)
      node = decodeNode(bytes)
      continue
    }
    if (node.kind === 'branch') {
      node = node.children[path[0] ?? 16] ?? null
      path = path.subarray(1)
      continue
    }
    const shared = commonPrefix(node.path, path)
    if (shared !== node.path.length) return { value: null, nodes }
    if (node.kind === 'leaf') return { value: shared === path.length ? node.value : null, nodes }
    node = node.child
    path = path.subarray(shared)
  }
  return { value: null, nodes }
}
