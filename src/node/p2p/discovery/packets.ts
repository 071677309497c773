// The six discovery v4 packets as bytes: hash, signature, type, RLP. Input comes from anyone, so decoding never throws.
// Source: devp2p, discovery v4, EIP-8 (tolerance), EIP-868 (record sequence); vectors p2p/discv4.json
import { bigintFromBytes, concatBytes, equalBytes } from '../../../base/bytes'
import { secp256k1 } from '../../../native/secp256k1'
import { FieldReader } from '../../codec/fields'
import { keccak256 } from '../../codec/keccak'
import { fail, ok, type Result } from '../../codec/result'
import { encodeRlp, leadingList, type RlpItem, rlpInteger } from '../../codec/rlp'
import { formatIp, parseIp } from '../../identity/ip-address'

/** Largest datagram sent or accepted, bytes. */
const MAX_PACKET_BYTES = 1280
/** Nodes with IPv6 addresses that fit into one Neighbors packet. */
export const MAX_NEIGHBORS = 12

const HASH_BYTES = 32
const HEAD_BYTES = HASH_BYTES + 65
const PROTOCOL_VERSION = 4
const TYPES = { ping: 1, pong: 2, findNode: 3, neighbors: 4, enrRequest: 5, enrResponse: 6 } as const

/** An address as stated in a packet; unverified. */
export interface PacketEndpoint {
  /** Literal; empty when the sender's was unreadable. */
  readonly host: string
  readonly udpPort: number
  readonly tcpPort: number
}

/** A neighbor as reported by another node. */
export interface PacketNode extends PacketEndpoint {
  /** Public key, 64 bytes. */
  readonly id: Uint8Array
}

/** Type 1: asks for a Pong; states both endpoints as the sender sees them. */
export interface Ping {
  readonly kind: 'ping'
  readonly version: number
  readonly from: PacketEndpoint
  readonly to: PacketEndpoint
  /** UTC seconds */
  readonly expiration: number
  /** Sequence of the sender's record; null when omitted. */
  readonly recordSequence: bigint | null
}

/** Type 2: answers a Ping; `to` is the pinging node's endpoint as seen by the sender. */
interface Pong {
  readonly kind: 'pong'
  readonly to: PacketEndpoint
  /** Hash of the Ping, 32 bytes. */
  readonly pingHash: Uint8Array
  readonly expiration: number
  readonly recordSequence: bigint | null
}

/** Type 3: asks for the known nodes nearest to a key. */
export interface FindNode {
  readonly kind: 'findNode'
  /** Public key, 64 bytes; the distance is to its hash. */
  readonly target: Uint8Array
  readonly expiration: number
}

/** Type 4: part of an answer to FindNode; a full answer takes several packets. */
interface Neighbors {
  readonly kind: 'neighbors'
  readonly nodes: readonly PacketNode[]
  readonly expiration: number
}

interface EnrRequest {
  readonly kind: 'enrRequest'
  readonly expiration: number
}

interface EnrResponse {
  readonly kind: 'enrResponse'
  /** Hash of the request, 32 bytes. */
  readonly requestHash: Uint8Array
  /** Not verified yet; see `readRecordItem`. */
  readonly record: readonly RlpItem[]
}

/** Any of the six. `expiration` is UTC seconds; expired packets are dropped. */
export type Packet = Ping | Pong | FindNode | Neighbors | EnrRequest | EnrResponse

/** A packet with verified hash and signature. */
export interface SignedPacket {
  readonly packet: Packet
  /** The signer's public key, 64 bytes. */
  readonly sender: Uint8Array
  /** 32 bytes; answers refer to it. */
  readonly hash: Uint8Array
}

/** A version 4 Ping, as we send it. */
export function makePing(from: PacketEndpoint, to: PacketEndpoint, expiration: number, sequence: bigint): Ping {
  return { kind: 'ping', version: PROTOCOL_VERSION, from, to, expiration, recordSequence: sequence }
}

/** @param key 32 bytes @throws RangeError when the packet exceeds 1280 bytes: a bug of ours */
export function encodePacket(packet: Packet, key: Uint8Array) {
  const content = concatBytes(Uint8Array.of(TYPES[packet.kind]), encodeRlp(itemsOf(packet)))
  const signed = concatBytes(secp256k1().sign(keccak256(content), key), content)
  const hash = keccak256(signed)
  const bytes = concatBytes(hash, signed)
  if (bytes.length > MAX_PACKET_BYTES) throw new RangeError(`a packet of ${bytes.length} bytes`)
  return { bytes, hash }
}

/** Verifies length and hash, recovers the signer, decodes; ignores extra items and trailing bytes (EIP-8). */
export function decodePacket(bytes: Uint8Array): Result<SignedPacket> {
  if (bytes.length > MAX_PACKET_BYTES) return fail(`packet: ${bytes.length} bytes, want at most ${MAX_PACKET_BYTES}`)
  if (bytes.length <= HEAD_BYTES) return fail(`packet: ${bytes.length} bytes, want at least ${HEAD_BYTES + 1}`)
  const hash = bytes.slice(0, HASH_BYTES)
  if (!equalBytes(hash, keccak256(bytes.subarray(HASH_BYTES)))) return fail('packet: wrong hash')
  const content = bytes.subarray(HEAD_BYTES)
  const packet = readContent(content)
  if (!packet.ok) return packet
  const signature = bytes.subarray(HASH_BYTES, HEAD_BYTES)
  const sender = secp256k1().recoverKey(keccak256(content), signature.subarray(0, 64), signature[64] ?? 4)
  return sender === null ? fail('packet: the signature belongs to no key') : ok({ packet: packet.value, sender, hash })
}

function itemsOf(packet: Packet): readonly RlpItem[] {
  const sequence = (value: bigint | null): readonly RlpItem[] => (value === null ? [] : [rlpInteger(value)])
  switch (packet.kind) {
    case 'ping': {
      const { version, from, to, expiration, recordSequence } = packet
      const ends = [endpointItem(from), endpointItem(to)]
      return [rlpInteger(version), ...ends, rlpInteger(expiration), ...sequence(recordSequence)]
    }
    case 'pong': {
      const { to, pingHash, expiration, recordSequence } = packet
      return [endpointItem(to), pingHash, rlpInteger(expiration), ...sequence(recordSequence)]
    }
    case 'findNode':
      return [packet.target, rlpInteger(packet.expiration)]
    case 'neighbors':
      return [packet.nodes.map((node) => [...endpointItem(node), node.id]), rlpInteger(packet.expiration)]
    case 'enrRequest':
      return [rlpInteger(packet.expiration)]
    case 'enrResponse':
      return [packet.requestHash, packet.record]
  }
}

function endpointItem({ host, udpPort, tcpPort }: PacketEndpoint): readonly RlpItem[] {
  return [parseIp(host) ?? new Uint8Array(0), rlpInteger(udpPort), rlpInteger(tcpPort)]
}

function readContent(content: Uint8Array): Result<Packet> {
  if ((content[1] ?? 0) < 0xc0) return fail('packet: the content is no list')
  const list = leadingList(content.subarray(1))
  if (!list.ok) return list
  switch (content[0]) {
    case TYPES.ping:
      return readPing(list.value)
    case TYPES.pong:
      return readPong(list.value)
    case TYPES.findNode: {
      const fields = new FieldReader('findnode', list.value)
      const target = fields.bytes('target', { length: 64 })
      return fields.result({ kind: 'findNode', target, expiration: readExpiration(fields) })
    }
    case TYPES.neighbors: {
      const fields = new FieldReader('neighbors', list.value)
      const nodes = readNodes(fields.list('nodes'))
      if (!nodes.ok) return nodes
      return fields.result({ kind: 'neighbors', nodes: nodes.value, expiration: readExpiration(fields) })
    }
    case TYPES.enrRequest: {
      const fields = new FieldReader('enrrequest', list.value)
      return fields.result({ kind: 'enrRequest', expiration: readExpiration(fields) })
    }
    case TYPES.enrResponse: {
      const fields = new FieldReader('enrresponse', list.value)
      const requestHash = fields.bytes('request hash', { length: 32 })
      return fields.result({ kind: 'enrResponse', requestHash, record: fields.list('record') })
    }
    default:
      return fail(`packet: unknown type ${content[0]}`)
  }
}

function readPing(items: readonly RlpItem[]): Result<Packet> {
  const fields = new FieldReader('ping', items)
  const version = Number(fields.integer('version'))
  const from = readEndpoint(new FieldReader('ping from', fields.list('from')))
  const to = readEndpoint(new FieldReader('ping to', fields.list('to')))
  if (!from.ok) return from
  if (!to.ok) return to
  const expiration = readExpiration(fields)
  const recordSequence = trailingSequence(items[4])
  return fields.result({ kind: 'ping', version, from: from.value, to: to.value, expiration, recordSequence })
}

function readPong(items: readonly RlpItem[]): Result<Packet> {
  const fields = new FieldReader('pong', items)
  const to = readEndpoint(new FieldReader('pong to', fields.list('to')))
  if (!to.ok) return to
  const pingHash = fields.bytes('ping hash', { length: 32 })
  const expiration = readExpiration(fields)
  const recordSequence = trailingSequence(items[3])
  return fields.result({ kind: 'pong', to: to.value, pingHash, expiration, recordSequence })
}

/** A record sequence, if the item is one: before EIP-868 anything could be there. */
function trailingSequence(item: RlpItem | undefined): bigint | null {
  return item instanceof Uint8Array && item.length <= 8 && item[0] !== 0 ? bigintFromBytes(item) : null
}

/** An unsigned 64-bit number that every node reads as signed: values with the top bit set have long expired. */
function readExpiration(fields: FieldReader): number {
  const value = fields.integer('expiration')
  return value >= 2n ** 64n ? 0 : Number(BigInt.asIntN(64, value))
}

function readEndpoint(fields: FieldReader): Result<PacketEndpoint> {
  const ip = fields.bytes('address', { maxLength: 16 })
  const udpPort = Number(fields.integer('udp port', 2))
  const tcpPort = Number(fields.integer('tcp port', 2))
  return fields.result({ host: ip.length === 4 || ip.length === 16 ? formatIp(ip) : '', udpPort, tcpPort })
}

function readNodes(items: readonly RlpItem[]): Result<readonly PacketNode[]> {
  const nodes: PacketNode[] = []
  for (const item of items) {
    const fields = new FieldReader('neighbors node', item instanceof Uint8Array ? [] : item)
    const endpoint = readEndpoint(fields)
    if (!endpoint.ok) return endpoint
    const node = fields.result({ ...endpoint.value, id: fields.bytes('id', { length: 64 }) })
    if (!node.ok) return node
    nodes.push(node.value)
  }
  return ok(nodes)
}
