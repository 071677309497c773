// Contents to be signed: what the key worker is given, and its way from there to the 32 bytes that are signed, with the
// parsers and hashes that are used for display.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { approvedDataHash, approvedTransactionHash } from '../../base/approvals'
import { toHex } from '../../base/hex'
import { signableData } from '../data/sign-data'
import type { SignableData } from '../model/signable'
import type { SignedContent, ToSign } from '../model/signed-content'
import { plainMembers } from '../model/transaction'
import { signingPayload } from '../transactions/encode'
import { parseSignTransaction } from '../transactions/parse'
import { parseDocument, plainDocument, signableDocument, type TypedDocument } from '../typed-data/document'

export interface ReadContent {
  /** 32 bytes, signed. */
  readonly digest: Uint8Array
  readonly isTransaction: boolean
  /** Hash of the approval that a page makes for it, hex. */
  readonly approvalHash: () => string
}

/**
 * Decodes and hashes a content. @param account that signs, `0x` text
 * @throws SignerError SIGNER_ARGUMENT_INVALID, SIGNER_DATA_INVALID, SIGNER_TYPED_DATA_INVALID
 */
export function readContent(account: string, content: SignedContent): ReadContent {
  if (content.kind === 'transaction') {
    const tx = parseSignTransaction([content.transaction])
    const chainId = BigInt(content.chainId)
    const to = tx.to === null ? null : toHex(tx.to.bytes)
    return {
      digest: keccak_256(signingPayload(tx, chainId)),
      isTransaction: true,
      approvalHash: () => approvedTransactionHash(account, { ...plainMembers(tx), chainId: content.chainId, to }),
    }
  }
  const { hashed, hash } =
    content.kind === 'data'
      ? signableData(content.contentType, content.data)
      : signableDocument(parseDocument(content.document))
  return { digest: hash, isTransaction: false, approvalHash: () => approvedDataHash(account, toHex(hashed)) }
}

/** What the key worker is given for displayed data. @param document of typed data; null for other forms */
export function dataToSign(data: SignableData, document: TypedDocument | null): ToSign {
  return { content: contentOf(data, document), digest: data.hash }
}

const VALIDATOR_AT = 2
const MESSAGE_AT = VALIDATOR_AT + 20

function contentOf({ text, header, hashed }: SignableData, document: TypedDocument | null): SignedContent {
  if (document !== null) return { kind: 'typed', document: plainDocument(document) }
  // Whatever its type is called: other types are signed as text.
  if (text !== null) return { kind: 'data', contentType: 'text/plain', data: toHex(text) }
  if (header !== undefined) {
    return { kind: 'data', contentType: 'application/x-clique-header', data: toHex(header) }
  }
  const [address, message] = [hashed.subarray(VALIDATOR_AT, MESSAGE_AT), hashed.subarray(MESSAGE_AT)]
  return { kind: 'data', contentType: 'data/validator', data: { address: toHex(address), message: toHex(message) } }
}
