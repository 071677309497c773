// Findings about data to sign. clef has none, so strict mode only gets those about a danger.

import { effectFindings, understandingFindings } from '../effects/effect-findings'
import { documentMeaning } from '../effects/typed-effects'
import { critical, type Finding, info, warning } from '../model/findings'
import type { DisplayEntry, SignableData } from '../model/signable'
import type { TypedDocument } from '../typed-data/document'

export interface SignInPlace {
  /** The caller's Origin header; empty when it sent none. */
  readonly origin: string
  readonly address: string
  readonly chainId: bigint
  /** UTC ms */
  readonly now: number
}

interface SignIn {
  /** Lower case, including a port if given. */
  readonly domain: string
  readonly address: string
  readonly fields: ReadonlyMap<string, string>
}

/** In any spelling: what follows must match the standard's format. */
const OPENING = /wants\s+you\s+to\s+sign\s+in\s+with\s+your\s+\w+\s+account/i
const FIRST_LINE = /^(?:https?:\/\/)?([\w.:[\]-]+) wants you to sign in with your Ethereum account:$/
const FIELD = /^(URI|Version|Chain ID|Nonce|Issued At|Expiration Time|Not Before|Request ID): (.*)$/
const REQUIRED = ['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At']
const TIMES = ['Issued At', 'Expiration Time', 'Not Before']
/** An empty line, the statement, an empty line. */
const MAX_HEAD_LINES = 3
/** Tolerated clock difference between site and user. */
const SKEW_MS = 5 * 60_000

/** Nothing for a text that isn't a sign-in. @param text UTF-8, as signed, without the prefix */
export function signInFindings(text: string, place: SignInPlace): readonly Finding[] {
  if (!OPENING.test(text)) return []
  const read = readSignIn(text)
  if (typeof read === 'string') return [warning(`The text looks like a sign-in, but isn't one: ${read}`)]
  return [...whereFindings(read, place), ...whoFindings(read, place), ...whenFindings(read, place)]
}

function readSignIn(text: string): SignIn | string {
  const lines = text.split('\n')
  const domain = FIRST_LINE.exec(lines[0] ?? '')?.[1]
  if (domain === undefined) return 'its first line names no plain domain'
  const address = lines[1] ?? ''
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return "the second line isn't an address"
  const fields = new Map<string, string>()
  for (const line of fieldLines(lines)) {
    const [, name = '', value = ''] = FIELD.exec(line) ?? []
    if (name === '') return `"${line.slice(0, 40)}" is no field of it`
    if (fields.has(name)) return `it has ${name} twice`
    fields.set(name, value)
  }
  const missing = REQUIRED.find((name) => !fields.has(name))
  if (missing !== undefined) return `it has no ${missing}`
  if (fields.get('Version') !== '1') return 'its version is not 1'
  const badTime = TIMES.find((name) => Number.isNaN(timeOf(fields.get(name)) ?? 0))
  if (badTime !== undefined) return `its ${badTime} is no time`
  return { domain: domain.toLowerCase(), address, fields }
}

/** From the URI on. At most one line of statement precedes it, between empty lines; resources come last. */
function fieldLines(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.startsWith('URI: '))
  const head = lines.slice(2, Math.max(2, start))
  if (head.length > MAX_HEAD_LINES || head.some((line, at) => at !== 1 && line !== '')) return lines.slice(2)
  const rest = lines.slice(start)
  const end = rest.indexOf('Resources:')
  if (end < 0) return rest
  // Anything that isn't a resource is read as a field, and found invalid.
  return [...rest.slice(0, end), ...rest.slice(end + 1).filter((line) => !line.startsWith('- '))]
}

function whereFindings({ domain, fields }: SignIn, { origin }: SignInPlace): readonly Finding[] {
  const findings: Finding[] = []
  const asking = hostOf(origin)
  if (asking === null) findings.push(warning(`The text signs in at ${domain}; which page asks for it isn't known`))
  else if (asking !== domain) findings.push(critical(`The text signs in at ${domain}, but ${asking} asks for it`))
  const uri = hostOf(fields.get('URI') ?? '')
  if (uri !== domain) findings.push(critical(`The text signs in at ${domain}, but for ${uri ?? 'no page'}`))
  return findings
}

function whoFindings({ address, fields }: SignIn, place: SignInPlace): readonly Finding[] {
  const findings: Finding[] = []
  if (address.toLowerCase() !== place.address.toLowerCase()) {
    findings.push(critical(`The text signs in as ${address}, which isn't the account that signs`))
  }
  const chain = fields.get('Chain ID') ?? ''
  if (!/^\d{1,78}$/.test(chain) || BigInt(chain) !== place.chainId) {
    findings.push(critical(`The text is for chain ${chain}, this signer is for chain ${place.chainId}`))
  }
  if (!/^[A-Za-z0-9]{8,}$/.test(fields.get('Nonce') ?? '')) {
    findings.push(
      critical('The nonce of the sign-in is not 8 or more letters and digits: an older text could serve again'),
    )
  }
  return findings
}

function whenFindings({ fields }: SignIn, { now }: SignInPlace): readonly Finding[] {
  const findings: Finding[] = []
  const [issued = null, expires = null, from = null] = TIMES.map((name) => timeOf(fields.get(name)))
  if (expires !== null && expires <= now) findings.push(critical(`The sign-in expired ${textOf(expires)}`))
  if (issued !== null && issued > now + SKEW_MS)
    findings.push(warning(`The sign-in was issued later than now, ${textOf(issued)}`))
  if (from !== null && from > now + SKEW_MS) findings.push(warning(`The sign-in is not valid before ${textOf(from)}`))
  if (expires === null) findings.push(info('The sign-in does not say when it expires'))
  return findings
}

/** With its port when that isn't the scheme's default; null when the text names none. */
function hostOf(text: string): string | null {
  try {
    const { host } = new URL(text)
    return host === '' ? null : host.toLowerCase()
  } catch {
    return null
  }
}

/** UTC ms; null when missing, NaN when invalid. */
function timeOf(text: string | undefined): number | null {
  if (text === undefined) return null
  return /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
}

function textOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

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
