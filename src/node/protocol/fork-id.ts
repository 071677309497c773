// Fork id: 4 bytes that say whether two nodes share genesis and past forks, before anything else is exchanged. Source:
// EIP-2124; go-ethereum core/forkid; vectors p2p/forkid.json
import { bytesFromBigint, equalBytes } from '../../base/bytes'
import { FieldReader } from '../codec/fields'
import { fail, type Result } from '../codec/result'
import { type RlpItem, rlpInteger } from '../codec/rlp'

/** EIP-2124, as used in Status and in node records. */
export interface ForkId {
  /** 4 bytes: checksum of the genesis hash and the heights of past forks */
  readonly hash: Uint8Array
  /** Height of the next known fork; 0 = none known. */
  readonly next: bigint
}

/** What the fork ids of one chain are computed from. */
export interface ForkSchedule {
  /** 32 bytes */
  readonly genesisHash: Uint8Array
  /** Ascending, without 0 and duplicates. */
  readonly heights: readonly bigint[]
}

/** `remote needs update`, `local incompatible or needs update`: prlx's two rejections. */
type ForkVerdict = 'accept' | 'remote needs update' | 'local incompatible or needs update'

/** @param genesisHash 32 bytes @param heights of forks, in any order; the ASERT activation isn't one */
export function forkSchedule(genesisHash: Uint8Array, heights: readonly bigint[]): ForkSchedule {
  const counted = [...new Set(heights.filter((height) => height > 0n))].sort((a, b) => (a < b ? -1 : 1))
  return { genesisHash, heights: counted }
}

/** The id announced by a node with head `head`. */
export function forkIdAt(schedule: ForkSchedule, head: bigint): ForkId {
  const passed = schedule.heights.filter((height) => height <= head).length
  return { hash: checksumBytes(checksums(schedule)[passed] ?? 0), next: schedule.heights[passed] ?? 0n }
}

/** Whether a node with that id may be on our chain, given our head `localHead`. */
export function judgeForkId(schedule: ForkSchedule, localHead: bigint, remote: ForkId): ForkVerdict {
  const { heights } = schedule
  const passed = heights.filter((height) => height <= localHead).length
  const at = checksums(schedule).findIndex((sum) => equalBytes(checksumBytes(sum), remote.hash))
  if (at === passed) {
    return remote.next > 0n && localHead >= remote.next ? 'local incompatible or needs update' : 'accept'
  }
  if (at === -1) return 'local incompatible or needs update'
  if (at > passed) return 'accept'
  return remote.next === heights[at] ? 'accept' : 'remote needs update'
}

/** The RLP list [hash, next]. */
export function forkIdItem({ hash, next }: ForkId): readonly RlpItem[] {
  return [hash, rlpInteger(next)]
}

/** @param items of the list; exactly two, as in prlx */
export function readForkId(items: readonly RlpItem[]): Result<ForkId> {
  const fields = new FieldReader('fork id', items)
  const id = fields.result({ hash: fields.bytes('hash', { length: 4 }), next: fields.integer('next') })
  return id.ok && items.length > 2 ? fail('fork id: more than 2 items') : id
}

/** One for genesis, then one after each fork. */
function checksums({ genesisHash, heights }: ForkSchedule): number[] {
  const sums = [crc32(genesisHash, 0)]
  for (const height of heights) sums.push(crc32(bytesFromBigint(height, 8), sums[sums.length - 1] ?? 0))
  return sums
}

function checksumBytes(sum: number): Uint8Array {
  return Uint8Array.of(sum >>> 24, sum >>> 16, sum >>> 8, sum)
}

/** CRC-32/IEEE, continued from `before`; uint32. */
function crc32(bytes: Uint8Array, before: number): number {
  let sum = ~before
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ ((sum & 1) === 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}
