// A proof-of-authority header without its seal. This chain doesn't use such headers; callers of the family's tools may
// still sign them. Source, recorded in vectors/signer/sign-data.json.
import { RLP } from '@ethereumjs/rlp'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bigintFromBytes, concatBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { SignableData } from '../model/signable'
import { fault } from './hex-input'

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

/** @param bytes RLP of a header of this chain, whose extra data has no seal @throws SignerError SIGNER_DATA_INVALID */
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
