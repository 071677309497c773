// The nodes we know to live, by their distance to us, so that any of them is found in a few steps and no one address fills the table.
// Source: Kademlia; go-ethereum p2p/discover/table.go (bucket sizes, address limits)
import { compareBytes } from '../../../../base/bytes'
import { type NodeAddress, nodeName } from '../../node-address'
import { nodeIdOf } from '../enr'
import { parseIp, regionKey, subnetKey } from '../ip-address'

export const BUCKET_SIZE = 16
const MAX_REPLACEMENTS = 10
/** Nearer than this no bucket of its own is worth it: 17 buckets for distances 240..256. */
const NEAREST_DISTANCE = 239
const BUCKETS = 256 - NEAREST_DISTANCE
/** Of one /24 and of one /16 (/48 and /32 of IPv6), in the table and in a bucket: a provider may own all of a /16. */
const MAX_OF_SUBNET = 10
const MAX_OF_SUBNET_IN_BUCKET = 2
const MAX_OF_REGION = 10
const MAX_OF_REGION_IN_BUCKET = 2

/** A node of the table, with what its place is computed from. */
export interface TableNode {
  readonly address: NodeAddress
  /** keccak-256 of the public key, 32 bytes */
  readonly hash: Uint8Array
  readonly name: string
  /** Keys of the narrow and of the wide neighbourhood; null inside private networks. */
  readonly subnet: string | null
  readonly region: string | null
}

interface Bucket {
  /** Most recently heard of first. */
  entries: TableNode[]
  replacements: TableNode[]
}

/** What became of a node: `full` ones wait for a place, `limited` ones are too many of one neighbourhood. */
export type AddOutcome = 'added' | 'known' | 'full' | 'limited' | 'refused'

/**
 * Kademlia buckets of 16 by distance of the hashes. A full bucket keeps its old nodes; newcomers wait as replacements.
 */
export class NodeTable {
  readonly #selfHash: Uint8Array
  readonly #selfName: string
  readonly #buckets: readonly Bucket[] = Array.from({ length: BUCKETS }, () => ({ entries: [], replacements: [] }))

  /** @param selfId our public key, 64 bytes */
  constructor(selfId: Uint8Array) {
    this.#selfHash = nodeIdOf(selfId)
    this.#selfName = nodeName(selfId)
  }

  get size(): number {
    return this.#buckets.reduce((sum, bucket) => sum + bucket.entries.length, 0)
  }

  /** Takes a node that has just answered us; a known one moves to the front, with the endpoint it has now. */
  add(address: NodeAddress): AddOutcome {
    const node = tableNode(address)
    if (node === null || node.name === this.#selfName) return 'refused'
    const bucket = this.#bucketOf(node.hash)
    const known = bucket.entries.find((entry) => entry.name === node.name)
    if (known !== undefined) return this.#renew(bucket, known, node)
    bucket.replacements = bucket.replacements.filter((other) => other.name !== node.name)
    if (!this.#hasRoomFor(bucket, node)) return 'limited'
    if (bucket.entries.length < BUCKET_SIZE) {
      bucket.entries.unshift(node)
      return 'added'
    }
    if (!hasRoomIn(bucket.replacements, node)) return 'limited'
    bucket.replacements = [node, ...bucket.replacements].slice(0, MAX_REPLACEMENTS)
    return 'full'
  }

  /** Takes a node out that no longer answers; the newest waiting one takes its place. */
  remove(name: string): void {
    for (const bucket of this.#buckets) {
      if (!bucket.entries.some((entry) => entry.name === name)) continue
      bucket.entries = bucket.entries.filter((entry) => entry.name !== name)
      const next = bucket.replacements.find((node) => this.#hasRoomFor(bucket, node))
      if (next === undefined) return
      bucket.replacements = bucket.replacements.filter((node) => node !== next)
      bucket.entries.push(next)
      return
    }
  }

  /** Up to `count` nodes, nearest to `target` (32 bytes) first. */
  closest(target: Uint8Array, count: number): TableNode[] {
    return nearestFirst(this.all(), target).slice(0, count)
  }

  all(): TableNode[] {
    return this.#buckets.flatMap((bucket) => bucket.entries)
  }

  /** The node of one bucket that was not heard of for longest. @param pick in [0, 1): which bucket */
  stalest(pick: number): TableNode | null {
    const filled = this.#buckets.filter((bucket) => bucket.entries.length > 0)
    return filled[Math.floor(pick * filled.length)]?.entries.at(-1) ?? null
  }

  #renew(bucket: Bucket, known: TableNode, node: TableNode): AddOutcome {
    const rest = bucket.entries.filter((entry) => entry !== known)
    bucket.entries = rest
    const isElsewhere = node.subnet !== known.subnet || node.region !== known.region
    const hasMoved = isElsewhere && !this.#hasRoomFor(bucket, node)
    bucket.entries = [hasMoved ? known : node, ...rest]
    return 'known'
  }

  #bucketOf(hash: Uint8Array): Bucket {
    const index = Math.max(0, logDistance(this.#selfHash, hash) - NEAREST_DISTANCE - 1)
    return this.#buckets[index] ?? { entries: [], replacements: [] }
  }

  #hasRoomFor(bucket: Bucket, node: TableNode): boolean {
    if (!hasRoomIn(bucket.entries, node)) return false
    const { near, around } = neighboursOf(this.all(), node)
    return near < MAX_OF_SUBNET && around < MAX_OF_REGION
  }
}

/** Whether a bucket, or what waits for it, may have one more of the node's neighbourhoods. */
function hasRoomIn(nodes: readonly TableNode[], node: TableNode): boolean {
  const { near, around } = neighboursOf(nodes, node)
  return near < MAX_OF_SUBNET_IN_BUCKET && around < MAX_OF_REGION_IN_BUCKET
}

/** How many are in the narrow and in the wide neighbourhood; 0 where none is counted. */
function neighboursOf(nodes: readonly TableNode[], { subnet, region }: TableNode) {
  const near = subnet === null ? 0 : nodes.filter((node) => node.subnet === subnet).length
  const around = region === null ? 0 : nodes.filter((node) => node.region === region).length
  return { near, around }
}

/** Null for a host that isn't an IP literal. */
export function tableNode(address: NodeAddress): TableNode | null {
  const ip = parseIp(address.host)
  if (ip === null) return null
  return {
    address,
    hash: nodeIdOf(address.id),
    name: nodeName(address.id),
    subnet: subnetKey(ip),
    region: regionKey(ip),
  }
}

/** A new list, nearest to `target` (32 bytes) first. */
export function nearestFirst(nodes: readonly TableNode[], target: Uint8Array): TableNode[] {
  const distances = nodes.map((node) => ({ node, distance: node.hash.map((byte, i) => byte ^ (target[i] ?? 0)) }))
  return distances.sort((a, b) => compareBytes(a.distance, b.distance)).map(({ node }) => node)
}

/** Bits that differ, from the first differing one on: 0 for the same hash, 256 for the farthest half. */
export function logDistance(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i])
  return at === -1 ? 0 : 8 * (a.length - at) - Math.clz32((a[at] ?? 0) ^ (b[at] ?? 0)) + 24
}
