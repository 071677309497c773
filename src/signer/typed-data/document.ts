// Parses account_signTypedData's parameters into a hash and its display (test/vectors/signer/typed-data.json).

import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '../../base/bytes'
import { fromHex, toHex } from '../../base/hex'
import { isJsonObject } from '../../base/json-text'
import type { LowerAddress } from '../address'
import { SignerError } from '../errors'
import { argumentsBetween, requiredAddress } from '../model/arguments'
import type { SignableData } from '../model/signable'
import type { SpelledAddress } from '../model/transaction'
import { type HashedStruct, StructHasher } from './encode'
import { typedFault, within } from './faults'
import { checkTypes, DOMAIN_TYPE, type Member, type TypeTable } from './types'
import { integerOfText } from './values'

export interface TypedDataRequest {
  readonly address: SpelledAddress
  readonly data: SignableData
  readonly document: TypedDocument
}

export interface TypedDocument {
  readonly types: TypeTable
  readonly primaryType: string
  /** Known members, nonempty but for `name` and `version`; `chainId` as decimal text. */
  readonly domain: Readonly<Record<string, string>>
  readonly message: Readonly<Record<string, unknown>>
}

const ARGUMENT = 1
const DOMAIN_TEXTS = ['name', 'version', 'verifyingContract', 'salt'] as const
const PREFIX = Uint8Array.of(0x19, 0x01)

/** @throws SignerError SIGNER_ARGUMENT_*, SIGNER_TYPED_DATA_INVALID */
export function parseSignTypedData(params: readonly unknown[], strict = false): TypedDataRequest {
  argumentsBetween(params, 2, 2)
  const address = requiredAddress(params, 0)
  const document = parseDocument(params[ARGUMENT])
  return { address, data: signableDocument(document, strict), document }
}

/** @throws SignerError SIGNER_ARGUMENT_INVALID */
export function parseDocument(given: unknown): TypedDocument {
  if (!isJsonObject(given)) throw invalid('document is not an object')
  const primaryType = own(given, 'primaryType') ?? ''
  if (typeof primaryType !== 'string') throw invalid('primaryType is not a string')
  const message = own(given, 'message') ?? {}
  if (!isJsonObject(message)) throw invalid('message is not an object')
  return { types: parseTypes(own(given, 'types')), primaryType, domain: parseDomain(own(given, 'domain')), message }
}

/**
 * @param given from parseDocument
 * @param strict true: only what clef signs, too: plain names, no undeclared members, no empty domain
 * @throws SignerError SIGNER_TYPED_DATA_INVALID
 */
export function signableDocument(given: TypedDocument, strict = false): SignableData {
  const { primaryType, domain, message } = given
  const isEmpty = Object.keys(domain).length === 0
  if (strict && isEmpty) {
    throw typedFault(`domain is empty, want at least one of chainId, ${DOMAIN_TEXTS.join(', ')}`, 'domain is undefined')
  }
  if (!strict && primaryType === DOMAIN_TYPE) {
    throw typedFault('primaryType is the domain: programs disagree on what signing it alone means')
  }
  const types = isEmpty && !given.types.has(DOMAIN_TYPE) ? withEmptyDomain(given.types) : given.types
  checkTypes(types, strict)
  // Undeclared members of the domain are refused: implementations disagree on what they mean.
  const domainHasher = new StructHasher(types, null, strict)
  const separator = hashPart(domainHasher, DOMAIN_TYPE, domain, types.has(DOMAIN_TYPE) ? 'domain' : 'types')
  const unsigned: string[] = []
  const hasher = new StructHasher(types, strict ? null : unsigned, strict)
  const content = hashPart(hasher, primaryType, message, types.has(primaryType) ? 'message' : 'primaryType')
  const hashed = concatBytes(PREFIX, separator.hash, content.hash)
  return {
    form: 'typed',
    contentType: 'data/typed',
    hashed,
    hash: keccak_256(hashed),
    text: null,
    readable: null,
    messages: [
      { name: DOMAIN_TYPE, value: separator.entries, type: 'domain' },
      { name: primaryType, value: content.entries, type: 'primary type' },
    ],
    ...(unsigned.length === 0 ? {} : { unsigned }),
    parityOffset: 27,
  }
}

/** The domain's contract, however it is spelled: with `0x` or without. Null when there is none, or no address. */
export function contractIn({ domain }: TypedDocument): LowerAddress | null {
  const bytes = fromHex(domain.verifyingContract ?? '')
  return bytes?.length === 20 ? toHex(bytes) : null
}

/** A document as plain JSON, in the form of devices and their libraries. Includes the domain's type, empty when there is none. The message is shared. */
export function plainDocument({ types, primaryType, domain, message }: TypedDocument) {
  const tables = [...types].map(([name, members]) => [name, members.map((member) => ({ ...member }))] as const)
  const domainMembers = tables.find(([name]) => name === DOMAIN_TYPE)?.[1] ?? []
  return { types: { ...Object.fromEntries(tables), [DOMAIN_TYPE]: domainMembers }, primaryType, domain, message }
}

function withEmptyDomain(types: TypeTable): TypeTable {
  return new Map([...types, [DOMAIN_TYPE, []]])
}

/** @param part of the document, for the error */
function hashPart(hasher: StructHasher, typeName: string, data: object, part: string): HashedStruct {
  try {
    return hasher.hash(typeName, data)
  } catch (error) {
    throw within(error, part)
  }
}

function parseTypes(given: unknown): TypeTable {
  if (given === undefined || given === null) return new Map()
  if (!isJsonObject(given)) throw invalid('types is not an object')
  return new Map(
    Object.entries(given).map(([name, members]) => {
      if (!Array.isArray(members)) throw invalid(`type ${JSON.stringify(name)} is not an array of members`)
      return [name, members.map((member: unknown) => parseMember(name, member))]
    }),
  )
}

function parseMember(typeName: string, given: unknown): Member {
  const name = isJsonObject(given) ? (own(given, 'name') ?? '') : null
  const type = isJsonObject(given) ? (own(given, 'type') ?? '') : null
  if (typeof name === 'string' && typeof type === 'string') return { name, type }
  throw invalid(`type ${JSON.stringify(typeName)} has a member without name and type as strings`)
}

function parseDomain(given: unknown): Readonly<Record<string, string>> {
  if (given === undefined || given === null) return {}
  if (!isJsonObject(given)) throw invalid('domain is not an object')
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    // An empty text is a value of a text member, and no value of the others.
    if (value === null || (value === '' && name !== 'name' && name !== 'version')) continue
    if (name === 'chainId') out.chainId = chainIdText(value)
    else if (!DOMAIN_TEXTS.some((known) => known === name)) {
      throw invalid(`domain: unknown member ${JSON.stringify(name.slice(0, 100))}`)
    } else if (typeof value !== 'string') throw invalid(`domain.${name}: not a string`)
    else out[name] = value
  }
  return out
}

function chainIdText(value: unknown): string {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value)
  if (typeof value !== 'string') throw invalid('domain.chainId: not a decimal or hex string')
  try {
    return integerOfText(value).toString()
  } catch (cause) {
    const reason = `invalid hex or decimal integer ${JSON.stringify(value.slice(0, 100))}`
    throw new SignerError('SIGNER_ARGUMENT_INVALID', { index: ARGUMENT, reason }, { cause })
  }
}

function own(record: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(record, name)?.value
}

function invalid(reason: string): Error {
  return new SignerError('SIGNER_ARGUMENT_INVALID', { index: ARGUMENT, reason })
}
