// Findings about data to sign. clef has none, so strict mode only gets those about a danger.

import { effectFindings, understandingFindings } from '../effects/effect-findings'
import { documentMeaning } from '../effects/typed-effects'
import { critical, type Finding, warning } from '../model/findings'
import type { DisplayEntry, SignableData } from '../model/signable'
import type { TypedDocument } from '../typed-data/document'
import { signInFindings } from './sign-in'

const PLAIN_TYPE = 'text/plain'
const HASH_BYTES = 32
const MAX_UNSIGNED = 20

interface DataRuleOptions {
  readonly chainId: bigint
  readonly strict: boolean
  /** The caller's Origin header, the signing account, and UTC ms: what a sign-in is compared with. */
  readonly origin: string
  readonly address: string
  readonly now: number
}

interface DataCheck {
  readonly findings: readonly Finding[]
  /** Parts that aren't understood; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
}

/** @param document of typed data, else null */
export function checkData(data: SignableData, document: TypedDocument | null, options: DataRuleOptions): DataCheck {
  if (document !== null) {
    const { findings, notUnderstood } = checkDocument(document, options)
    const turns = options.strict ? [] : turnFindings(data.messages)
    return { findings: [...wholenessFindings(data, document), ...findings, ...turns], notUnderstood }
  }
  // Also of a text with a broken byte: the page that checks it may read it so.
  const signIn = data.text === null ? [] : signInFindings(new TextDecoder().decode(data.text), options)
  const notUnderstood = unreadableParts(data)
  const own = options.strict
    ? []
    : [...plainFindings(data), ...turnFindings(data.messages), ...understandingFindings(notUnderstood, false)]
  return { findings: [...signIn, ...own], notUnderstood }
}

/** A readable text means what it says to its reader; anything else means what a program makes of it. */
function unreadableParts({ form, readable }: SignableData): readonly string[] {
  if (form === 'clique') return ['what a network of another kind does with a block header']
  if (form === 'validator') return ['what the contract that checks this signature does with it']
  return readable === null ? ['bytes that nobody can read'] : []
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
  if (data.text?.length === HASH_BYTES && data.readable === null) {
    findings.push(warning('The text is 32 bytes that nobody can read; it may be the hash of a transaction'))
  }
  return findings
}

function checkDocument(document: TypedDocument, { chainId, strict, address }: DataRuleOptions): DataCheck {
  const account = address === '' ? null : address.toLowerCase()
  const { effects, notUnderstood } = documentMeaning(document, account)
  const dangers = effectFindings(effects, account)
  // clef signs documents of any chain and says nothing; strict mode only speaks of those that give something.
  const speaks = !strict || dangers.length > 0
  const own = strict ? [] : understandingFindings(notUnderstood, effects.length > 0)
  return { findings: [...(speaks ? chainFindings(document, chainId) : []), ...dangers, ...own], notUnderstood }
}

/** Characters that turn the direction of what follows: a reader sees another order than the one that is signed. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

function turnFindings(messages: readonly DisplayEntry[]): readonly Finding[] {
  const hasTurns = ({ name, value }: DisplayEntry): boolean =>
    TURNS.test(name) || (typeof value === 'string' ? TURNS.test(value) : value.some(hasTurns))
  if (!messages.some(hasTurns)) return []
  return [warning('Contains characters that reverse the reading direction: what you see may not be what is signed')]
}

/** What a document shows or names that its signature doesn't cover. */
function wholenessFindings({ unsigned = [] }: SignableData, { domain }: TypedDocument): readonly Finding[] {
  const findings: Finding[] = []
  if (unsigned.length > 0) {
    const more = unsigned.length > MAX_UNSIGNED ? ', and more' : ''
    const names = unsigned.slice(0, MAX_UNSIGNED).join(', ')
    findings.push(warning(`Not signed, since no type declares it: ${names}${more}`))
  }
  if (Object.keys(domain).length === 0) {
    findings.push(warning('The domain is empty: any application may use the signature'))
  }
  return findings
}

function chainFindings({ domain }: TypedDocument, chainId: bigint): readonly Finding[] {
  if (domain.chainId === undefined) return [warning('The domain names no chain: the signature may be used on any')]
  if (BigInt(domain.chainId) === chainId) return []
  return [critical(`The domain is for chain ${domain.chainId}, this signer is for chain ${chainId}`)]
}
