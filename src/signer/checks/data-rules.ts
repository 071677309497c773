// What is said about data to sign. The reference says nothing, so strict mode gets none of it.

import type { SignableData } from '../data/signable'
import type { TypedDocument } from '../typed-data/document'
import { UNLIMITED } from './approval-rules'
import type { Finding } from './findings'

const PLAIN_TYPE = 'text/plain'

/** @param chainId configured @param document of typed data, else null */
export function checkData(data: SignableData, chainId: bigint, document: TypedDocument | null): readonly Finding[] {
  if (document !== null) return typedFindings(document, chainId)
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

function typedFindings({ domain, primaryType, message }: TypedDocument, chainId: bigint): readonly Finding[] {
  const findings: Finding[] = []
  if (domain.chainId === undefined)
    findings.push(warning('The domain names no chain: the signature may be used on any'))
  else if (BigInt(domain.chainId) !== chainId) {
    findings.push(critical(`The domain is for chain ${domain.chainId}, this signer is for chain ${chainId}`))
  }
  if (/^Permit/.test(primaryType)) {
    const spender = Object.getOwnPropertyDescriptor(message, 'spender')?.value
    // Only an address: any other text could be made to read as a sentence of ours.
    const named = typeof spender === 'string' && /^0x[0-9a-fA-F]{40}$/.test(spender) ? spender : 'somebody else'
    findings.push(
      isUnlimited(message)
        ? critical(`A permit lets ${named} take an unlimited amount of tokens without a transaction of yours`)
        : warning(`A permit lets ${named} take tokens from the account without a transaction of yours`),
    )
  }
  return findings
}

/** The amount stands in the document itself, or in its details. */
function isUnlimited(message: object): boolean {
  const memberOf = (name: string): unknown => Object.getOwnPropertyDescriptor(message, name)?.value
  if (memberOf('allowed') === true) return true
  const inner = [memberOf('details'), memberOf('permitted')].find((each) => typeof each === 'object' && each !== null)
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && isUnlimited(inner)) return true
  return ['value', 'amount'].some((name) => {
    const text = String(memberOf(name))
    return /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text) && BigInt(text) >= UNLIMITED
  })
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
