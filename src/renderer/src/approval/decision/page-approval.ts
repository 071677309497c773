// What this page adds to an approval: the password sealed for exactly what is shown, or a token for an account that it has
// unlocked. It hashes what it shows, so the program in between can't have anything else signed with it.
import {
  type ApprovalToken,
  approvedChangeHash,
  approvedDataHash,
  approvedTransactionHash,
  changeText,
  type SealedPassword,
} from '../../../../base/approvals'
import { messageOf } from '../../../../base/errors'
import type { PageKeys } from '../../../../contract/approval/approval-keys'
import type { RequestView } from '../../../../contract/signer'
import type { EditsView } from '../../../../contract/signer-tools'
import type { Backend } from '../../data/backend'
import { fromBase64, toBase64 } from '../../format/secret-bytes'

/** This page's keys, and what to say where a key process answers that isn't the one from before. */
export interface PageSide {
  /** Null on a page without WebCrypto: passwords go as they are. */
  readonly keys: PageKeys | null
  readonly otherKeyProcess: string
}

/** What the user gave. */
export interface GivenHere {
  /** UTF-8 bytes, wiped here; null if none is needed. */
  readonly password: Uint8Array | null
  /** This page keeps the account unlocked. */
  readonly isKept: boolean
  readonly keepMinutes: 5 | 15 | null
  /** To the only request; null or missing = none. */
  readonly edits?: EditsView | null
}

/** What is sent, by request; or why nothing is. */
type Prepared =
  | {
      readonly password: string | null
      readonly sealed: SealedPassword | null
      readonly tokens: readonly ApprovalToken[]
    }
  | { readonly refusal: string }

export async function prepared(
  backend: Pick<Backend, 'call'>,
  requests: readonly RequestView[],
  { password, isKept, keepMinutes, edits = null }: GivenHere,
  { keys, otherKeyProcess }: PageSide,
): Promise<Prepared> {
  const contents = requests.flatMap((request) => contentHashOf(request, edits) ?? [])
  const isSigning = contents.length === requests.length
  if (keys === null || !isSigning || (password === null && !isKept)) {
    const encoded = password === null ? null : toBase64(password)
    password?.fill(0)
    return { password: encoded, sealed: null, tokens: [] }
  }
  try {
    const { receiver, reason } = await backend.call('signer.keyProcess', {})
    if (receiver === null) return { refusal: reason }
    if (!keys.trust(receiver)) return { refusal: otherKeyProcess }
    if (password !== null) {
      return { password: null, sealed: await keys.seal(password, contents, keepMinutes ?? 0), tokens: [] }
    }
    const tokens: ApprovalToken[] = []
    for (const content of contents) tokens.push(await keys.token(content))
    return { password: null, sealed: null, tokens }
  } catch (error: unknown) {
    return { refusal: messageOf(error) }
  } finally {
    password?.fill(0)
  }
}

/** A password (base64) sealed for exactly these changes; bare without keys. @throws Error says why nothing is sent */
export async function sealedFor(
  backend: Pick<Backend, 'call'>,
  { keys, otherKeyProcess }: PageSide,
  password: string,
  changes: readonly object[],
): Promise<string | SealedPassword> {
  if (keys === null) return password
  const { receiver, reason } = await backend.call('signer.keyProcess', {})
  if (receiver === null) throw new Error(reason)
  if (!keys.trust(receiver)) throw new Error(otherKeyProcess)
  const hashes = changes.map((change) => approvedChangeHash(changeText(change)))
  return keys.seal(fromBase64(password), hashes, 0)
}

/** Hash of what is shown, with the edits; null for what takes no password. */
export function contentHashOf({ kind, transaction, data }: RequestView, edits: EditsView | null): string | null {
  if (kind === 'newAccount') return approvedChangeHash(changeText({ change: 'create' }))
  if (data !== null) return approvedDataHash(data.address, data.hashed)
  if (transaction === null) return null
  const { from, chainId } = transaction
  return approvedTransactionHash(from, {
    ...transaction,
    chainId: String(chainId),
    gas: edits?.gas ?? transaction.gas,
    nonce: edits?.nonce ?? transaction.nonce,
    gasPrice: edits?.gasPrice ?? transaction.gasPrice,
    maxFeePerGas: edits?.maxFeePerGas ?? transaction.maxFeePerGas,
    maxPriorityFeePerGas: edits?.maxPriorityFeePerGas ?? transaction.maxPriorityFeePerGas,
  })
}
