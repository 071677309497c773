// Balance, nonce, code and storage of an account in a block's state, and Merkle proofs for them.

import { bigintFromBytes, equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { decodeRlp } from '../../codec/rlp'
import { decodeAccount, EMPTY_ACCOUNT, EMPTY_CODE_HASH } from '../../execution/account'
import { slotWord } from '../../execution/state-reader'
import type { StoreReader } from '../../store/store'
import { commonPrefix, nibblesOf } from '../../trie/nibbles'
import type { TrieNode } from '../../trie/node'
import { EMPTY_TRIE_ROOT } from '../../trie/trie'
import type { AskRequest } from '../query-wire'
import type { QuerySession } from '../session'
import type { ProofNodes } from './proof-nodes'

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
  const { keccak256, proofNodes: nodes } = session
  const { header, store } = session.blocks().find(question.at)
  const found = walk({ store, nodes }, header.stateRoot, keccak256(question.address))
  const account = found.value === null ? EMPTY_ACCOUNT : decodeAccount(found.value)
  const storageProof = question.keys.map(({ text, slot }) => {
    const { value, proof } = walk({ store, nodes }, account.storageRoot, keccak256(slot))
    return `{"key":${JSON.stringify(text)},"value":${quoted(toQuantity(slotNumber(value)))},"proof":[${proof}]}`
  })
  const members = [
    `"address":${quoted(toHex(question.address))}`,
    `"accountProof":[${found.proof}]`,
    `"balance":${quoted(toQuantity(account.balance))}`,
    `"codeHash":${quoted(toHex(account.codeHash))}`,
    `"nonce":${quoted(toQuantity(account.nonce))}`,
    `"storageHash":${quoted(toHex(account.storageRoot))}`,
    `"storageProof":[${storageProof.join(',')}]`,
  ]
  return `{${members.join(',')}}`
}

/** Of a storage trie's leaf; 0 when there is none. */
function slotNumber(leaf: Uint8Array | null): bigint {
  const item = leaf === null ? null : decodeRlp(leaf)
  return item?.ok === true && item.value instanceof Uint8Array ? bigintFromBytes(item.value) : 0n
}

interface Walk {
  readonly value: Uint8Array | null
  /** JSON strings of the hashed nodes on the path, root first, with commas between; also when the key doesn't exist. */
  readonly proof: string
}

/** @throws StoreError STORE_MISSING_NODE when that state isn't available */
function walk(
  from: { readonly store: StoreReader; readonly nodes: ProofNodes },
  root: Uint8Array,
  key: Uint8Array,
): Walk {
  if (equalBytes(root, EMPTY_TRIE_ROOT)) return { value: null, proof: '' }
  let node: TrieNode | null = { kind: 'hash', hash: root }
  let proof = ''
  const path = nibblesOf(key)
  let at = 0
  while (node !== null) {
    if (node.kind === 'hash') {
      const stored = from.nodes.get(from.store, node.hash)
      proof += proof === '' ? stored.text : `,${stored.text}`
      node = stored.node
      continue
    }
    if (node.kind === 'branch') {
      node = node.children[path[at++] ?? 16] ?? null
      continue
    }
    const shared = commonPrefix(node.path, path, at)
    if (shared !== node.path.length) return { value: null, proof }
    at += shared
    if (node.kind === 'leaf') return { value: at === path.length ? node.value : null, proof }
    node = node.child
  }
  return { value: null, proof }
}
