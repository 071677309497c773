// What is transferred of the pending block: the known header fields, and the rest as bytes, which the host thread hands on to
// query workers without reading them: a waiting transaction may log a million times.
import { z } from 'zod'
import { joinBytes } from '../../../base/bytes'
import { addressSchema, bytesSchema, hashSchema } from './shapes'

const count = z.number().int().min(0)
const natural = z.bigint().min(0n)

export const pendingBlockSchema = z.object({
  /** Hash of its parent, the head: apply the changes to that head's state only. */
  parentHash: hashSchema,
  number: count,
  /** unix seconds */
  timestamp: count,
  /** The zero address while no coinbase is chosen. */
  miner: addressSchema,
  difficulty: natural,
  /** Of the chain including this block. */
  totalDifficulty: natural,
  gasLimit: natural,
  gasUsed: natural,
  /** unix seconds */
  epochStartTime: count,
  extraData: bytesSchema,
  /** 256 bytes */
  logsBloom: bytesSchema,
  stateRoot: hashSchema,
  txRoot: hashSchema,
  receiptRoot: hashSchema,
  /** of the block's RLP */
  sizeBytes: count,
  transactionCount: count,
  /** wei: of all its transactions */
  fees: natural,
  /** RLP list, as in a body. */
  transactions: bytesSchema,
  /** Stored form, one per transaction, in order. */
  receipts: bytesSchema,
  /** To the head's state, of `packEntries`. */
  changes: bytesSchema,
})

/** `block` is null when the caller already has it. */
export const pendingAnswerSchema = z.object({ id: count, block: pendingBlockSchema.nullable() })

export type PendingBlockInfo = z.infer<typeof pendingBlockSchema>
export type PendingAnswer = z.infer<typeof pendingAnswerSchema>

/** A key (store/keys.ts) of flat state, trie or code, and its value after the pending block; null = deleted. */
export type StateEntry = readonly [key: Uint8Array, value: Uint8Array | null]

/** Lengths of key and value, 4 bytes each. */
const LENGTHS_BYTES = 8
/** Length of a value that is deleted. */
const DELETED = 0xffffffff

/** Entries one after the other: two lengths, key, value. */
export function packEntries(entries: Iterable<StateEntry>): Uint8Array {
  const parts: Uint8Array[] = []
  for (const [key, value] of entries) {
    const lengths = new DataView(new ArrayBuffer(LENGTHS_BYTES))
    lengths.setUint32(0, key.length)
    lengths.setUint32(LENGTHS_BYTES / 2, value?.length ?? DELETED)
    parts.push(new Uint8Array(lengths.buffer), key, value ?? new Uint8Array(0))
  }
  return joinBytes(parts)
}

/** The entries of `packEntries`, as views. */
export function* entriesOf(packed: Uint8Array): Generator<StateEntry> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let at = 0; at < packed.length; ) {
    const keyLength = view.getUint32(at)
    const valueLength = view.getUint32(at + LENGTHS_BYTES / 2)
    const key = at + LENGTHS_BYTES
    const value = key + keyLength
    at = value + (valueLength === DELETED ? 0 : valueLength)
    yield [packed.subarray(key, value), valueLength === DELETED ? null : packed.subarray(value, at)]
  }
}
