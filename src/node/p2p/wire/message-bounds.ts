// Maximum message size by kind: what an honest node ever sends, plus a margin; larger ones are rejected before being
// uncompressed.
import { FIRST_CAPABILITY_CODE } from './base-messages'
import { CODES } from './messages'
import { maxSnapBytes } from './snap-messages'

/** Of any message, uncompressed, without the code. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024
const KIB = 1024
/** Ping, Pong, Disconnect, and what later versions may add. */
const BASE_BYTES = 2 * KIB
/** Up to 2048 hashes are looked up, 33 bytes each. */
const REQUEST_BYTES = 128 * KIB

/** The others (blocks, transactions, answers) may reach `MAX_MESSAGE_BYTES`. */
const BYTES: ReadonlyMap<number, number> = new Map([
  [CODES.status, KIB],
  // 256 announcements of a peer are kept.
  [CODES.newBlockHashes, 128 * KIB],
  [CODES.getBlockHeaders, KIB],
  [CODES.getBlockBodies, REQUEST_BYTES],
  [CODES.getReceipts, REQUEST_BYTES],
  [CODES.getNodeData, REQUEST_BYTES],
  [CODES.getPooledTransactions, REQUEST_BYTES],
  // 4096 announcements of a peer are kept; packs of other nodes have about 100 KiB.
  [CODES.newPooledTransactionHashes, 512 * KIB],
])

/**
 * @param wireCode as on the connection, including base protocol codes @returns bytes, uncompressed, without the code
 */
export function maxBytesOf(wireCode: number): number {
  if (wireCode < FIRST_CAPABILITY_CODE) return BASE_BYTES
  const code = wireCode - FIRST_CAPABILITY_CODE
  return BYTES.get(code) ?? maxSnapBytes(code) ?? MAX_MESSAGE_BYTES
}
