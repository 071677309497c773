// The known live nodes by distance to us, so that any of them is found in a few steps and no single network fills the
// table. Source: Kademlia; go-ethereum p2p/discover/table.go (bucket sizes, address limits)
import { compareBytes } from '../../../../base/bytes'
import { nodeIdOf } from '../../../identity/enr'
import { parseIp, regionKey, subnetKey } from '../../../identity/ip-address'
import { type NodeAddress, nodeName } from '../../node-address'

export const BUCKET_SIZE = 16
const MAX_REPLACEMENTS = 10
/** Closer distances share one bucket: 17 buckets for distances 240..256. */
const NEAREST_DISTANCE = 239
const BUCKETS = 256 - NEAREST_DISTANCE
/** Limits per /24 and per /16 (/48 and /32 of IPv6), for the table and for a bucket: a provider may own a whole /16. */
const MAX_OF_SUBNET = 10
const MAX_OF_SUBNET_IN_BUCKET = 2
const MAX_OF_REGION = 10
const MAX_OF_REGION_IN_BUCKET = 2

/** A table node with the values that determine its bucket. */
export interface TableNode {
  readonly address: NodeAddress
  /** keccak-256 of the public key, 32 bytes */
  readonly hash: Uint8Array
  readonly name: string
  /** Keys of the narrow and the wide neighborhood; null inside private networks. */
  readonly subnet: string | null
  readonly region: string | null
}

interface Bucket {
  /** Most recently seen first. */
  entries: TableNode[]
  replacements: TableNode[]
}

/** The outcome of an addition: `full` ones wait as replacements, `limited` ones exceed a neighborhood limit. */
type AddOutcome = 'added' | 'known' | 'full' | 'limited' | 'refused'

/** Kademlia buckets of 16 by hash distance. A full bucket keeps its old nodes; new ones wait as replacements. */
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

  /** Adds a node that has just answered us; a known one moves to the front and gets its current endpoint. */
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

  /** Removes a node that no longer answers; the newest replacement takes its place. */
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

  /** The least recently seen node of one bucket. @param pick in [0, 1): selects the bucket */
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

/** Whether a bucket, or its replacements, may hold another node of these neighborhoods. */
function hasRoomIn(nodes: readonly TableNode[], node: TableNode): boolean {
  const { near, around } = neighboursOf(nodes, node)
  return near < MAX_OF_SUBNET_IN_BUCKET && around < MAX_OF_REGION_IN_BUCKET
}

/** How many share the narrow and the wide neighborhood; 0 where no limit applies. */
function neighboursOf(nodes: readonly TableNode[], { subnet, region }: TableNode) {
  const near = subnet === null ? 0 : nodes.filter((node) => node.subnet === subnet).length
  const around = region === null ? 0 : nodes.filter((node) => node.region === region).length
  return { near, around }
}

/** Null when the host isn't an IP literal. */
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

/** A new list, sorted by distance to `target` (32 bytes). */
export function nearestFirst(nodes: readonly TableNode[], target: Uint8Array): TableNode[] {
  const distances = nodes.map((node) => ({ node, distance: node.hash.map((byte, i) => byte ^ (target[i] ?? 0)) }))
  return distances.sort((a, b) => compareBytes(a.distance, b.distance)).map(({ node }) => node)
}

/** Logarithmic distance: 0 for equal hashes, 256 when the first bit differs. */
export function logDistance(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i])
  return at === -1 ? 0 : 8 * (a.length - at) - Math.clz32((a[at] ?? 0) ^ (b[at] ?? 0)) + 24
}
