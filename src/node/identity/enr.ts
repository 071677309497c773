// Node records: a node's signed description of itself. They come from others, so nothing is trusted before the
// signature is verified. Source: EIP-778 ("v4" identity scheme)
import { bigintFromBytes, compareBytes, concatBytes, equalBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import { secp256k1 } from '../../native/secp256k1'
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger } from '../codec/rlp'
import { type ForkId, forkIdItem, readForkId } from '../protocol/fork-id'
import { formatIp } from './ip-address'

const MAX_RECORD_BYTES = 300

/** A record with a verified signature (EIP-778). */
export interface NodeRecord {
  readonly sequence: bigint
  /** Public key, 64 bytes. */
  readonly publicKey: Uint8Array
  /** Values by key, in record order. */
  readonly entries: ReadonlyMap<string, RlpItem>
  /** The whole record, RLP, at most 300 bytes. */
  readonly rlp: Uint8Array
}

/** What a node announces about itself. */
export interface RecordContent {
  /** 4 or 16 bytes; null while no address is known. */
  readonly host: Uint8Array | null
  /** 0 = omitted. */
  readonly tcpPort: number
  readonly udpPort: number
  /** The chain's entry; null = none. */
  readonly forkId: ForkId | null
}

interface RecordEndpoint {
  readonly host: string
  readonly tcpPort: number
  readonly udpPort: number
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

/** Makes and signs a record. @param key 32 bytes @param sequence increases with each change */
export function signRecord(key: Uint8Array, sequence: bigint, content: RecordContent): NodeRecord {
  const entries: [string, RlpItem][] = [
    ['id', text('v4')],
    ['secp256k1', compressedKey(secp256k1().publicKey(key))],
  ]
  if (content.host !== null) entries.push([content.host.length === 16 ? 'ip6' : 'ip', content.host])
  // A port key without the 6 covers both families (EIP-778).
  if (content.tcpPort !== 0) entries.push(['tcp', rlpInteger(content.tcpPort)])
  if (content.udpPort !== 0) entries.push(['udp', rlpInteger(content.udpPort)])
  // We serve states for our whole chain: the state protocol's entry is an empty list.
  if (content.forkId !== null) entries.push(['parallax', [forkIdItem(content.forkId)]], ['snap', []])
  return signEntries(key, sequence, entries)
}

/** The record with the given entries, sorted by key. `id` and `secp256k1` must be included. */
export function signEntries(
  key: Uint8Array,
  sequence: bigint,
  entries: readonly (readonly [string, RlpItem])[],
): NodeRecord {
  const sorted = [...entries].sort(([a], [b]) => compareBytes(text(a), text(b)))
  const content: RlpItem[] = [rlpInteger(sequence), ...sorted.flatMap(([name, value]) => [text(name), value])]
  const signature = secp256k1()
    .sign(keccak256(encodeRlp(content)), key)
    .subarray(0, 64)
  const rlp = encodeRlp([signature, ...content])
  if (rlp.length > MAX_RECORD_BYTES) throw new RangeError(`a record of ${rlp.length} bytes, want at most 300`)
  return { sequence, publicKey: secp256k1().publicKey(key), entries: new Map(sorted), rlp }
}

/** Parses a record and verifies its signature. */
export function readRecord(rlp: Uint8Array): Result<NodeRecord> {
  if (rlp.length > MAX_RECORD_BYTES) return fail(`node record: ${rlp.length} bytes, want at most ${MAX_RECORD_BYTES}`)
  const item = decodeRlp(rlp)
  if (!item.ok) return item
  return item.value instanceof Uint8Array ? fail('node record: not a list') : readRecordItem(item.value)
}

/** The same for a record inside a message. */
export function readRecordItem(items: readonly RlpItem[]): Result<NodeRecord> {
  const [signature, sequence, ...pairs] = items
  if (!(signature instanceof Uint8Array) || signature.length !== 64)
    return fail('node record: signature is not 64 bytes')
  if (!(sequence instanceof Uint8Array) || sequence.length > 8 || sequence[0] === 0)
    return fail('node record: sequence is not a 64-bit integer')
  const entries = readEntries(pairs)
  if (!entries.ok) return entries
  const publicKey = checkedKey(signature, items.slice(1), entries.value)
  if (!publicKey.ok) return publicKey
  const rlp = encodeRlp(items)
  if (rlp.length > MAX_RECORD_BYTES) return fail(`node record: ${rlp.length} bytes, want at most ${MAX_RECORD_BYTES}`)
  return ok({ sequence: bigintFromBytes(sequence), publicKey: publicKey.value, entries: entries.value, rlp })
}

/** `enr:` and URL-safe base64 without padding. */
export function recordText(record: NodeRecord): string {
  return `enr:${Buffer.from(record.rlp).toString('base64url')}`
}

/** @param value with or without the `enr:` */
export function readRecordText(value: string): Result<NodeRecord> {
  const body = value.startsWith('enr:') ? value.slice(4) : value
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(body)) return fail('node record: not URL-safe base64')
  const bytes = new Uint8Array(Buffer.from(body, 'base64url'))
  if (Buffer.from(bytes).toString('base64url') !== body) return fail('node record: base64 with loose bits at its end')
  return readRecord(bytes)
}

/** The endpoint of the record's node: IPv4 first, then IPv6; null without an address and port. */
export function recordEndpoint(record: NodeRecord): RecordEndpoint | null {
  return endpointOf(record, 'ip', '') ?? endpointOf(record, 'ip6', '6')
}

/** The node's IPv4 TCP port, 0 when missing; works without an address. */
export function recordTcpPort(record: NodeRecord): number {
  return portFrom(record.entries.get('tcp'))
}

/** The chain's entry: [[hash, next], ...]; null when missing or malformed. */
export function recordForkId(record: NodeRecord): ForkId | null {
  const entry = record.entries.get('parallax')
  const first = entry instanceof Uint8Array ? undefined : entry?.[0]
  if (first === undefined || first instanceof Uint8Array) return null
  const id = readForkId(first)
  return id.ok ? id.value : null
}

/** The node id from which distances are computed: keccak-256 of the public key, 32 bytes. */
export function nodeIdOf(publicKey: Uint8Array): Uint8Array {
  return keccak256(publicKey)
}

function readEntries(pairs: readonly RlpItem[]): Result<Map<string, RlpItem>> {
  if (pairs.length % 2 !== 0) return fail('node record: a key without a value')
  const entries = new Map<string, RlpItem>()
  let last: Uint8Array | null = null
  for (let i = 0; i < pairs.length; i += 2) {
    const key = pairs[i]
    const value = pairs[i + 1]
    if (!(key instanceof Uint8Array) || value === undefined) return fail('node record: a key is not a byte string')
    if (last !== null && compareBytes(last, key) >= 0) return fail('node record: keys are not in order')
    last = key
    entries.set(Buffer.from(key).toString('latin1'), value)
  }
  return ok(entries)
}

function checkedKey(
  signature: Uint8Array,
  content: readonly RlpItem[],
  entries: ReadonlyMap<string, RlpItem>,
): Result<Uint8Array> {
  const scheme = entries.get('id')
  if (!(scheme instanceof Uint8Array) || !equalBytes(scheme, text('v4')))
    return fail('node record: not of the identity scheme v4')
  const compressed = entries.get('secp256k1')
  if (!(compressed instanceof Uint8Array) || compressed.length !== 33) return fail('node record: no public key')
  const publicKey = secp256k1().expandKey(compressed)
  if (publicKey === null) return fail('node record: its public key is no point of the curve')
  const isSigned = secp256k1().verify(keccak256(encodeRlp(content)), signature, publicKey)
  return isSigned ? ok(publicKey) : fail('node record: wrong signature')
}

function endpointOf(record: NodeRecord, hostKey: 'ip' | 'ip6', suffix: '' | '6'): RecordEndpoint | null {
  const host = record.entries.get(hostKey)
  if (!(host instanceof Uint8Array) || host.length !== (hostKey === 'ip' ? 4 : 16)) return null
  const portOf = (name: string): number => portFrom(record.entries.get(`${name}${suffix}`) ?? record.entries.get(name))
  const [tcpPort, udpPort] = [portOf('tcp'), portOf('udp')]
  return tcpPort === 0 && udpPort === 0 ? null : { host: formatIp(host), tcpPort, udpPort }
}

function portFrom(item: RlpItem | undefined): number {
  if (!(item instanceof Uint8Array) || item.length > 2 || item[0] === 0) return 0
  return Number(bigintFromBytes(item))
}

/** The 33-byte form: parity of y, then x. @param key 64 bytes */
function compressedKey(key: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(2 + ((key[63] ?? 0) & 1)), key.subarray(0, 32))
}

interface NodeEndpoint {
  /** dotted IPv4 */
  readonly ip: string
  /** TCP; 0 = not listening */
  readonly port: number
  /** UDP; 0 = no discovery */
  readonly discoveryPort: number
}

/** The identity announced to other nodes. */
export interface NodeIdentity extends NodeEndpoint {
  /** `HOST:PORT` of the listener; `IP:0` without one. */
  readonly listenAddress: string
  /** keccak-256 of the public key, 32 bytes */
  readonly id: Uint8Array
  readonly enode: string
  /** `enr:` and URL-safe base64 */
  readonly enr: string
}

/** @param key 32 bytes @param sequence of the record; increases with each change of the endpoint */
export function nodeIdentity(key: Uint8Array, endpoint: NodeEndpoint, sequence: bigint): NodeIdentity {
  const publicKey = secp256k1().publicKey(key)
  const { ip, port, discoveryPort } = endpoint
  const host = Uint8Array.from(ip.split('.').map(Number))
  const discovery = discoveryPort === port ? '' : `?discport=${discoveryPort}`
  return {
    ...endpoint,
    listenAddress: `${ip}:${port}`,
    id: nodeIdOf(publicKey),
    enode: `enode://${toBareHex(publicKey)}@${ip}:${port}${discovery}`,
    enr: recordText(signRecord(key, sequence, { host, tcpPort: port, udpPort: discoveryPort, forkId: null })),
  }
}
