// The severity that the signer gives a request, as a number: 2 CRITICAL, 1 WARNING, 0 nothing.

import { transactionMeaning } from '../../../src/signer/effects/call-effects'
import { effectFindings } from '../../../src/signer/effects/effect-findings'
import { documentMeaning } from '../../../src/signer/effects/typed-effects'
import type { Finding } from '../../../src/signer/model/findings'
import { parseDocument, signableDocument } from '../../../src/signer/typed-data/document'
import { TOKEN, type TypedDanger } from './dangers'

const RANKS: Readonly<Record<string, number>> = { CRITICAL: 2, WARNING: 1 }

export function rankOf(severity: string): number {
  return RANKS[severity] ?? 0
}

export function rankOfCall(data: Uint8Array): number {
  return highest(effectFindings(transactionMeaning({ to: TOKEN.toLowerCase(), value: 0n, data }).effects))
}

type Document = Pick<TypedDanger, 'types' | 'primaryType' | 'message'>

export function rankOfDocument(document: Document): number {
  return highest(effectFindings(documentMeaning(documentOf(document), null).effects))
}

/** @throws if the document could not be signed */
export function checkSignable(document: Document): void {
  signableDocument(documentOf(document))
}

function documentOf({ types, primaryType, message }: Document) {
  const domain = { name: 'Token', chainId: 2110, verifyingContract: TOKEN }
  return parseDocument({ types: { EIP712Domain: DOMAIN, ...types }, primaryType, domain, message })
}

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

function highest(findings: readonly Finding[]): number {
  return Math.max(0, ...findings.map(({ severity }) => rankOf(severity)))
}
