// The block header: 15 fields (16 with a base fee), its RLP, its hash, and the hash that the proof of work seals.
// Source: prlx core/types/block.go, consensus/xhash/consensus.go (SealHash); vectors chain/headers.json
import { bigintFromBytes, bytesFromBigint } from '../../base/bytes'
import { FieldReader } from '../codec/fields'
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger } from '../codec/rlp'

/** A decoded header. Only the lengths and sizes needed for decoding were checked. */
export interface BlockHeader {
  /** 32 bytes */
  readonly parentHash: Uint8Array
  /** 20 bytes; receives fees immediately and the subsidy after maturity */
  readonly coinbase: Uint8Array
  readonly stateRoot: Uint8Array
  readonly txRoot: Uint8Array
  readonly receiptRoot: Uint8Array
  /** 256 bytes */
  readonly logsBloom: Uint8Array
  readonly difficulty: bigint
  readonly number: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** unix seconds */
  readonly timestamp: bigint
  /** unix seconds; time of the first block of its retarget period */
  readonly epochStartTime: bigint
  readonly extraData: Uint8Array
  /** 32 bytes: the mix digest of the seal */
  readonly mixHash: Uint8Array
  /** 64 bits */
  readonly nonce: bigint
  /** Only after London, which no network has. A header with a base fee is invalid on all of them. */
  readonly baseFeePerGas?: bigint
}

const FIELDS = 15
/** More than any header has: enough to report the count, too few to cost much. */
const MAX_ITEMS = 32
/** Limits for untrusted input. */
const MAX_DIFFICULTY_BYTES = 10
const MAX_EXTRA_BYTES = 100 * 1024

/** The list that is hashed, stored and sent. */
export function headerToItem(header: BlockHeader): readonly RlpItem[] {
  return [
    header.parentHash,
    header.coinbase,
    header.stateRoot,
    header.txRoot,
    header.receiptRoot,
    header.logsBloom,
    rlpInteger(header.difficulty),
    rlpInteger(header.number),
    rlpInteger(header.gasLimit),
    rlpInteger(header.gasUsed),
    rlpInteger(header.timestamp),
    rlpInteger(header.epochStartTime),
    header.extraData,
    header.mixHash,
    bytesFromBigint(header.nonce, 8),
    ...baseFeeItem(header),
  ]
}

/** The RLP whose keccak-256 is the block hash. */
export function encodeHeader(header: BlockHeader): Uint8Array {
  return encodeRlp(headerToItem(header))
}

/** 32 bytes: keccak of the header's RLP. */
export function blockHash(header: BlockHeader): Uint8Array {
  return keccak256(encodeHeader(header))
}

/** 32 bytes: the input of the nonce search. Without mixHash and nonce; extraData comes BEFORE epochStartTime here. */
export function sealHash(header: BlockHeader): Uint8Array {
  const rest: RlpItem[] = [header.extraData, rlpInteger(header.epochStartTime), ...baseFeeItem(header)]
  return keccak256(encodeRlp([...headerToItem(header).slice(0, 11), ...rest]))
}

/** Strict: a wrong length or an integer with leading zeros is a fault, whose text names the field. */
export function decodeHeader(bytes: Uint8Array): Result<BlockHeader> {
  const decoded = decodeRlp(bytes, MAX_ITEMS)
  if (!decoded.ok) return decoded
  const item = decoded.value
  if (item instanceof Uint8Array) return fail('header: not a list')
  if (item.length !== FIELDS && item.length !== FIELDS + 1) return fail(`header: ${item.length} fields, want ${FIELDS}`)
  const fields = new FieldReader('header', item)
  const header: BlockHeader = {
    parentHash: fields.bytes('parentHash', { length: 32 }),
    coinbase: fields.bytes('coinbase', { length: 20 }),
    stateRoot: fields.bytes('stateRoot', { length: 32 }),
    txRoot: fields.bytes('txRoot', { length: 32 }),
    receiptRoot: fields.bytes('receiptRoot', { length: 32 }),
    logsBloom: fields.bytes('logsBloom', { length: 256 }),
    difficulty: fields.integer('difficulty', MAX_DIFFICULTY_BYTES),
    number: fields.integer('number'),
    gasLimit: fields.integer('gasLimit'),
    gasUsed: fields.integer('gasUsed'),
    timestamp: fields.integer('timestamp'),
    epochStartTime: fields.integer('epochStartTime'),
    extraData: fields.bytes('extraData', { maxLength: MAX_EXTRA_BYTES }),
    mixHash: fields.bytes('mixHash', { length: 32 }),
    nonce: bigintFromBytes(fields.bytes('nonce', { length: 8 })),
  }
  const full = fields.remaining > 0 ? { ...header, baseFeePerGas: fields.integer('baseFeePerGas', 32) } : header
  return fields.error === null ? ok(full) : fail(fields.error)
}

function baseFeeItem(header: BlockHeader): readonly RlpItem[] {
  return header.baseFeePerGas === undefined ? [] : [rlpInteger(header.baseFeePerGas)]
}
