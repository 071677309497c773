// Findings about data to sign. The reference has none, so strict mode only gets those about a danger.

import { effectFindings } from '../effects/effect-findings'
import { typedEffects } from '../effects/typed-effects'
import type { Finding } from '../model/findings'
import type { SignableData } from '../model/signable'
import type { TypedDocument } from '../typed-data/document'
import { signInFindings } from './sign-in'

const PLAIN_TYPE = 'text/plain'

/** What the rules need to know. */
export interface DataRuleOptions {
  /** Configured. */
  readonly chainId: bigint
  readonly strict: boolean
  /** The caller's Origin header, the signing account, and UTC ms: what a sign-in is compared with. */
  readonly origin: string
  readonly address: string
  readonly now: number
}

/** @param document of typed data, else null */
export function checkData(
  data: SignableData,
  document: TypedDocument | null,
  options: DataRuleOptions,
): readonly Finding[] {
  if (document !== null) return checkDocument(document, options)
  const signIn = data.text === null ? [] : signInFindings(new TextDecoder().decode(data.text), options)
  return [...signIn, ...(options.strict ? [] : plainFindings(data))]
}

function plainFindings(data: SignableData): readonly Finding[] {
  if (data.form === 'clique') {
    return [critical('This signs a block header of a proof-of-authority network; this network has none')]
  }
  if (data.form === 'validator') return [warning('A contract decides what this signature means')]
  const findings: Finding[] = []
  if (data.contentType !== PLAIN_TYPE) {
    findings.push(warning(`The type ${data.contentType} is not known here; it is signed as plain text`))
  }
  if (data.text?.length === 32 && !isPrintable(data.text)) {
    findings.push(warning('The text is 32 bytes that nobody can read; it may be the hash of a transaction'))
  }
  return findings
}

function checkDocument(document: TypedDocument, { chainId, strict }: DataRuleOptions): readonly Finding[] {
  const dangers = effectFindings(typedEffects(document))
  // The reference signs documents of any chain and says nothing; strict mode only speaks of those that give something.
  const speaks = !strict || dangers.length > 0
  return [...(speaks ? chainFindings(document, chainId) : []), ...dangers]
}

function chainFindings({ domain }: TypedDocument, chainId: bigint): readonly Finding[] {
  if (domain.chainId === undefined) return [warning('The domain names no chain: the signature may be used on any')]
  if (BigInt(domain.chainId) === chainId) return []
  return [critical(`The domain is for chain ${domain.chainId}, this signer is for chain ${chainId}`)]
}

function isPrintable(bytes: Uint8Array): boolean {
  return bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09)
}

function critical(message: string): Finding {
  return { severity: 'CRITICAL', message }
}

function warning(message: string): Finding {
  return { severity: 'WARNING', message }
}
