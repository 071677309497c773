// Balance, nonce, code and storage of an account in a block's state, and Merkle proofs for them.
import { bigintFromBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { decodeRlp } from '../../codec/rlp'
import { decodeAccount, EMPTY_ACCOUNT } from '../../execution/account'
import { slotWord } from '../../execution/state-reader'
import type { StoreReader } from '../../store/store'
import { nibblesOf, valueAt } from '../../trie/node'
import { rootNode } from '../../trie/trie'
import type { ProofNodes } from '../kept-blocks'
import type { Asked } from '../query-wire'
import type { QuerySession } from '../session'

type AccountQuestion = Asked<'balance' | 'nonce' | 'code' | 'storage'>

/** JSON text. */
export function readAccount(session: QuerySession, question: AccountQuestion): string {
  const { state } = session.blocks().find(question.at)
  if (question.kind === 'storage') return quoted(toHex(slotWord(state.slot(question.address, question.slot))))
  const account = state.account(question.address) ?? EMPTY_ACCOUNT
  if (question.kind === 'balance') return quoted(toQuantity(account.balance))
  return quoted(question.kind === 'nonce' ? toQuantity(account.nonce) : toHex(state.code(account.codeHash)))
}

const quoted = (text: string): string => `"${text}"`

/** EIP-1186, as JSON text. */
export function proveAccount(session: QuerySession, question: Asked<'proof'>): string {
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

/** `proof`: JSON strings of the hashed nodes, root first, with commas; also of an absent key. @throws STORE_MISSING_NODE */
function walk(from: { readonly store: StoreReader; readonly nodes: ProofNodes }, root: Uint8Array, key: Uint8Array) {
  let proof = ''
  const value = valueAt(rootNode(root), nibblesOf(key), ({ hash }) => {
    const { node, text } = from.nodes.get(from.store, hash)
    proof += proof === '' ? text : `,${text}`
    return node
  })
  return { value, proof }
}
