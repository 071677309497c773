// Converts the parameters of account_signData to the bytes to hash: EIP-191 text and validator data, clique headers
// (test/vectors/signer/sign-data.json).

import { RLP } from '@ethereumjs/rlp'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bigintFromBytes, concatBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { fromHex, toHex } from '../../base/hex'
import { readableText } from '../../base/language/readable-text'
import { SignerError } from '../errors'
import { argumentsBetween, requiredAddress } from '../model/arguments'
import type { DisplayEntry, SignableData } from '../model/signable'
import type { SpelledAddress } from '../model/transaction'

/** @throws SignerError SIGNER_DATA_INVALID */
function hexInput(text: string): Uint8Array {
  if (text === '') throw fault('empty hex string')
  if (!/^0[xX]/.test(text)) throw fault('hex string without 0x prefix')
  if (!/^[0-9a-fA-F]*$/.test(text.slice(2))) throw fault('invalid hex string')
  if (text.length % 2 !== 0) throw fault('hex string of odd length')
  const bytes = fromHex(text)
  if (bytes === null) throw fault('invalid hex string')
  return bytes
}

/** @param reason for the caller @param reference the text in strict mode, if different */
export function fault(reason: string, reference: string | null = null): Error {
  return new SignerError('SIGNER_DATA_INVALID', { reason, reference })
}

const NUMBER = 7
const EPOCH_START_TIME = 11
const EXTRA = 12
/** Bytes of the signature at the end of extraData. */
const SEAL_BYTES = 65

/** By position: an exact length, or the maximum length of a number; null = any. */
const FIELDS: readonly ({ readonly exact: number } | { readonly most: number } | null)[] = [
  { exact: 32 },
  { exact: 20 },
  { exact: 32 },
  { exact: 32 },
  { exact: 32 },
  { exact: 256 },
  { most: 32 },
  { most: 32 },
  { most: 8 },
  { most: 8 },
  { most: 8 },
  { most: 8 },
  null,
  { exact: 32 },
  { exact: 8 },
  { most: 32 },
]
/** The base fee may be missing. */
const FEWEST_FIELDS = 15

/**
 * A header of a proof-of-authority chain, which callers of the family's tools may sign.
 * @param bytes RLP, whose extra data has no seal @throws SignerError SIGNER_DATA_INVALID
 */
export function cliqueHeader(contentType: string, bytes: Uint8Array): SignableData {
  const fields = decodeFields(bytes)
  const named = fields.map((field, index) => (index === EXTRA ? concatBytes(field, new Uint8Array(SEAL_BYTES)) : field))
  const hashed = RLP.encode(fields.filter((_field, index) => index !== EPOCH_START_TIME))
  const number = bigintFromBytes(fields[NUMBER] ?? new Uint8Array(0))
  const name = toHex(keccak_256(RLP.encode(named)))
  return {
    form: 'clique',
    contentType,
    hashed,
    hash: keccak_256(hashed),
    text: null,
    readable: null,
    header: bytes,
    messages: [{ name: 'Clique header', value: `clique header ${number} [${name}]`, type: 'clique' }],
    parityOffset: 0,
  }
}

function decodeFields(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length === 0) throw fault('EOF')
  const decoded = decode(bytes)
  if (!Array.isArray(decoded)) throw fault('rlp: expected a list for a header')
  if (decoded.length < FEWEST_FIELDS || decoded.length > FIELDS.length) {
    throw fault(`rlp: ${decoded.length} fields in a header, want ${FEWEST_FIELDS} or ${FIELDS.length}`)
  }
  return decoded.map((field, index) => {
    if (!(field instanceof Uint8Array) || !fits(field, index)) throw fault(`rlp: field ${index} is not a header's`)
    return field
  })
}

function decode(bytes: Uint8Array): unknown {
  try {
    return RLP.decode(bytes)
  } catch {
    throw fault('rlp: input is not valid')
  }
}

function fits(field: Uint8Array, index: number): boolean {
  const rule = FIELDS[index] ?? null
  if (rule === null) return true
  if ('exact' in rule) return field.length === rule.exact
  return field.length <= rule.most && field[0] !== 0
}

/** Of media types (RFC 2045). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const LONGEST = 256

/** @returns `type/subtype` or a bare type, lower case @throws SignerError SIGNER_MEDIA_TYPE */
function parseContentType(text: string): string {
  const [first = '', ...parameters] = text.slice(0, LONGEST + 1).split(';')
  const type = first.trim()
  const [main = '', sub, ...rest] = type.split('/')
  if (text.length > LONGEST) throw mediaTypeFault('longer than 256 characters')
  if (!TOKEN.test(main)) throw mediaTypeFault(main === '' ? 'no media type' : 'expected slash after first token')
  if (rest.length > 0 || (sub !== undefined && !TOKEN.test(sub))) throw mediaTypeFault('expected token after slash')
  for (const parameter of parameters) {
    if (parameter.trim() !== '' && !isParameter(parameter.trim())) throw mediaTypeFault('invalid media parameter')
  }
  return type.toLowerCase()
}

function isParameter(text: string): boolean {
  const at = text.indexOf('=')
  if (at < 1 || !TOKEN.test(text.slice(0, at))) return false
  const value = text.slice(at + 1)
  return TOKEN.test(value) || /^"(?:[^"\\]|\\.)*"$/.test(value)
}

function mediaTypeFault(reason: string): Error {
  return new SignerError('SIGNER_MEDIA_TYPE', { reason })
}

interface SignDataRequest {
  readonly address: SpelledAddress
  readonly data: SignableData
}

const TEXT_PREFIX = '\u0019Ethereum Signed Message:\n'
const ADDRESS_BYTES = 20

/** @throws SignerError SIGNER_ARGUMENT_*, SIGNER_MEDIA_TYPE, SIGNER_DATA_INVALID */
export function parseSignData(params: readonly unknown[]): SignDataRequest {
  argumentsBetween(params, 3, 3)
  const [given, , data] = params
  if (typeof given !== 'string') throw new SignerError('SIGNER_ARGUMENT_INVALID', { index: 0, reason: 'not a string' })
  const address = requiredAddress(params, 1)
  return { address, data: signableData(parseContentType(given), data) }
}

/** @throws SignerError SIGNER_DATA_INVALID */
export function signableData(contentType: string, data: unknown): SignableData {
  switch (contentType) {
    case 'data/validator':
      return validatorData(contentType, data)
    // The interface's alternative name; with a string clef treats it as text.
    case 'text/validator':
      return typeof data === 'string' ? textOf(contentType, data) : validatorData(contentType, data)
    case 'application/x-clique-header':
      if (typeof data !== 'string') throw fault(`input for ${contentType} must be an hex-encoded string`)
      return cliqueHeader(contentType, hexInput(data))
    case 'application/clique':
      return cliqueOrText(contentType, data)
    default:
      return textOf(contentType, data)
  }
}

/** The hash of a text; also used to recover addresses from signatures. */
export function hashedText(bytes: Uint8Array): Uint8Array {
  return concatBytes(new TextEncoder().encode(`${TEXT_PREFIX}${bytes.length}`), bytes)
}

function textOf(contentType: string, data: unknown): SignableData {
  if (typeof data !== 'string') throw fault('input for text/plain must be an hex-encoded string')
  return textData(contentType, hexInput(data))
}

/** @param bytes the text without its prefix */
export function textData(contentType: string, bytes: Uint8Array): SignableData {
  const hashed = hashedText(bytes)
  const readable = readableText(bytes)
  const message: DisplayEntry =
    readable === null
      ? { name: 'message', value: toHex(bytes), type: 'hexdata' }
      : { name: 'message', value: `${TEXT_PREFIX}${bytes.length}${readable}`, type: 'text/plain' }
  return {
    form: 'text',
    contentType,
    hashed,
    hash: keccak_256(hashed),
    text: bytes,
    readable,
    messages: [message],
    parityOffset: 27,
  }
}

/** The display in clef's words: all bytes of a text are decoded, with U+FFFD for those that are none. */
export function referenceMessages({ form, hashed, messages }: SignableData): readonly DisplayEntry[] {
  if (form !== 'text') return messages
  const value = new TextDecoder('utf-8', { ignoreBOM: true }).decode(hashed)
  return [{ name: 'message', value, type: 'text/plain' }]
}

function cliqueOrText(contentType: string, data: unknown): SignableData {
  if (typeof data !== 'string') return textOf(contentType, data)
  const bytes = hexInput(data)
  try {
    return cliqueHeader(contentType, bytes)
  } catch {
    return textData(contentType, bytes)
  }
}

function validatorData(contentType: string, data: unknown): SignableData {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const reason = 'data for a validator is an object with address and message, both 0x and hex digits'
    throw fault(reason, 'validator input is not a map[string]any')
  }
  const validator = memberBytes(data, 'address', 'validator address')
  const message = memberBytes(data, 'message', 'message')
  const address = padded(validator)
  const hashed = concatBytes(Uint8Array.of(0x19, 0x00), address, message)
  return {
    form: 'validator',
    contentType,
    hashed,
    hash: keccak_256(hashed),
    text: null,
    readable: null,
    messages: [
      {
        name: 'This is a request to sign data intended for a particular validator (see EIP 191 version 0)',
        value: '',
        type: 'description',
      },
      { name: 'Intended validator address', value: checksumAddress(toHex(address)), type: 'address' },
      { name: 'Application-specific data', value: toHex(message), type: 'hexdata' },
      { name: 'Full message for signing', value: toHex(hashed), type: 'hexdata' },
    ],
    parityOffset: 27,
  }
}

function memberBytes(data: object, member: 'address' | 'message', what: string): Uint8Array {
  const value: unknown = Object.getOwnPropertyDescriptor(data, member)?.value
  if (typeof value !== 'string') throw fault(`${what} is not sent as a string`)
  const bytes = hexInput(value)
  if (bytes.length === 0) throw fault(`${what} is undefined`)
  return bytes
}

/** A shorter address is left-padded, as in clef; a longer one is rejected, since only its end would count. */
function padded(address: Uint8Array): Uint8Array {
  if (address.length > ADDRESS_BYTES)
    throw fault(`validator address has ${address.length} bytes, want ${ADDRESS_BYTES}`)
  return concatBytes(new Uint8Array(ADDRESS_BYTES - address.length), address)
}
