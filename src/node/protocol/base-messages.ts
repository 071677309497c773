// The messages of every RLPx connection, whatever its capabilities: Hello, Disconnect, Ping, Pong. Source: devp2p,
// RLPx; vectors test/vectors/p2p/base.json
import { bigintFromBytes } from '../../base/bytes'
import { fail, ok, type Result } from '../codec/result'
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger } from '../codec/rlp'

export const BASE_CODES = { hello: 0, disconnect: 1, ping: 2, pong: 3 } as const
/** Lower codes belong to the base protocol; the first capability starts here. */
export const FIRST_CAPABILITY_CODE = 0x10
export const P2P_VERSION = 5
export const MAX_HELLO_BYTES = 2048

/** Reasons for disconnecting. */
export const DISCONNECT = {
  requested: 0,
  badProtocol: 2,
  uselessPeer: 3,
  tooManyPeers: 4,
  alreadyConnected: 5,
  incompatibleVersion: 6,
  invalidIdentity: 7,
  quitting: 8,
  unexpectedIdentity: 9,
  self: 10,
  readTimeout: 11,
  subprotocol: 16,
} as const
/** The reason byte of a Disconnect message. */
export type DisconnectReason = (typeof DISCONNECT)[keyof typeof DISCONNECT]

/** A protocol that both sides may support, such as parallax/66. */
export interface Capability {
  readonly name: string
  readonly version: number
}

/** Message 0: identity and capabilities. */
export interface Hello {
  readonly p2pVersion: number
  readonly clientId: string
  readonly capabilities: readonly Capability[]
  readonly listenPort: number
  /** 64 bytes */
  readonly nodeId: Uint8Array
}

const MAX_CAPABILITIES = 64

/** RLP [version, client, capabilities, port, id], uncompressed. */
export function encodeHello(hello: Hello): Uint8Array {
  const text = (value: string): Uint8Array => new TextEncoder().encode(value)
  return encodeRlp([
    rlpInteger(hello.p2pVersion),
    text(hello.clientId),
    hello.capabilities.map(({ name, version }) => [text(name), rlpInteger(version)]),
    rlpInteger(hello.listenPort),
    hello.nodeId,
  ])
}

/** Later items are ignored. */
export function decodeHello(bytes: Uint8Array): Result<Hello> {
  if (bytes.length > MAX_HELLO_BYTES) return fail(`hello: more than ${MAX_HELLO_BYTES} bytes`)
  const decoded = decodeRlp(bytes)
  if (!decoded.ok) return decoded
  if (decoded.value instanceof Uint8Array) return fail('hello: not a list')
  const [version, client, offered, port, id] = decoded.value
  const p2pVersion = smallInteger(version)
  const listenPort = smallInteger(port)
  if (p2pVersion === null || listenPort === null) return fail('hello: a number is malformed')
  if (!(client instanceof Uint8Array) || !(id instanceof Uint8Array)) return fail('hello: an item is missing')
  if (offered === undefined || offered instanceof Uint8Array || offered.length > MAX_CAPABILITIES)
    return fail('hello: the capabilities are malformed')
  const capabilities: Capability[] = []
  for (const item of offered) {
    const capability = capabilityOf(item)
    if (capability === null) return fail('hello: a capability is malformed')
    capabilities.push(capability)
  }
  const clientId = printable(client)
  return ok({ p2pVersion, clientId, capabilities, listenPort, nodeId: id.slice() })
}

/** @param bare true before Hello, when prlx reads no other form */
export function encodeDisconnect(reason: number, bare: boolean): Uint8Array {
  return bare ? Uint8Array.of(reason) : Uint8Array.of(0xc1, reason === 0 ? 0x80 : reason)
}

/** A list, a bare byte or nothing at all: implementations differ. */
export function decodeDisconnect(bytes: Uint8Array): number {
  const first = bytes[0] ?? 0
  const value = first >= 0xc0 ? (bytes[1] ?? 0) : first
  return value < 0x80 ? value : 0
}

/** Sanitizes a remote's self-reported text for display and logs: printable ASCII, bounded. */
function printable(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes.subarray(0, 200))
  return text.replace(/[^\x20-\x7e]/g, '?')
}

function capabilityOf(item: RlpItem): Capability | null {
  if (item instanceof Uint8Array) return null
  const [name, version] = item
  const number = smallInteger(version)
  return name instanceof Uint8Array && number !== null ? { name: printable(name), version: number } : null
}

function smallInteger(item: RlpItem | undefined): number | null {
  if (!(item instanceof Uint8Array) || item.length > 6 || item[0] === 0) return null
  return Number(bigintFromBytes(item))
}
