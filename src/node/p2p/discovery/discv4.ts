// The discovery v4 protocol: whom to ask, whom to answer, whom to ignore. Source: devp2p, discovery v4

import { createSocket, type Socket } from 'node:dgram'
import { equalBytes } from '../../../base/bytes'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { BoundedMap } from '../../../base/limits/bounded-map'
import { TokenBucket, type TokenRate } from '../../../base/limits/token-bucket'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { DiscoveryError } from '../../errors'
import { type NodeRecord, readRecordItem } from '../../identity/enr'
import { canonicalIp, hostKey, hostWithoutIpv6, mayRelay, type NetRestrict, parseIp } from '../../identity/ip-address'
import type { NetworkParts } from '../network-parts'
import { type NodeAddress, nodeName } from '../node-address'
import type { LocalRecord } from './local-record'
import {
  decodePacket,
  encodePacket,
  type FindNode,
  MAX_NEIGHBORS,
  makePing,
  type Packet,
  type PacketEndpoint,
  type PacketNode,
  type Ping,
  type SignedPacket,
} from './packets'
import { BUCKET_SIZE } from './table/node-table'

export interface Datagram {
  readonly bytes: Uint8Array
  /** Canonical IP literal. */
  readonly host: string
  readonly port: number
}

export interface UdpOptions {
  /** Literal; an IPv6 one (`::`) accepts both families. */
  readonly host: string
  /** 0 = any free one. */
  readonly port: number
}

export type DatagramPort = Pick<UdpPort, 'open' | 'send' | 'close'>

/** The socket itself. A failed send is treated as a lost datagram; only `open` throws, when the port is taken. */
export class UdpPort {
  #socket: Socket | null = null
  #isDual: boolean

  constructor(
    private readonly options: UdpOptions,
    private readonly deps: { readonly log: Logger },
  ) {
    this.#isDual = options.host.includes(':')
  }

  /** @returns the bound port @throws DiscoveryError P2P_UDP_LISTEN_FAILED */
  async open(receive: (datagram: Datagram) => void): Promise<number> {
    const { host, port } = this.options
    const failed = (cause: unknown): Error =>
      new DiscoveryError('P2P_UDP_LISTEN_FAILED', { host, port, reason: messageOf(cause) }, { cause })
    try {
      return await this.#bind(host, receive)
    } catch (error: unknown) {
      const other = hostWithoutIpv6(host, error)
      if (other === null) throw failed(error)
      this.#isDual = false
      return this.#bind(other, receive).catch((second: unknown) => Promise.reject(failed(second)))
    }
  }

  #bind(host: string, receive: (datagram: Datagram) => void): Promise<number> {
    const socket = createSocket({ type: this.#isDual ? 'udp6' : 'udp4' })
    this.#socket = socket
    socket.on('message', (bytes, { address, port: from }) => {
      const sender = canonicalIp(address.split('%')[0] ?? '')
      // A copy: slices of a Buffer would share its memory.
      if (sender !== null && from !== 0) receive({ bytes: new Uint8Array(bytes), host: sender, port: from })
    })
    return new Promise((resolve, reject) => {
      socket.once('error', (cause) => {
        this.#socket = null
        reject(cause)
      })
      socket.bind(this.options.port, host, () => {
        socket.removeAllListeners('error')
        socket.on('error', (error) => this.deps.log.debug('discovery socket failed', { error: messageOf(error) }))
        resolve(socket.address().port)
      })
    })
  }

  send(bytes: Uint8Array, host: string, port: number): void {
    const isV6 = host.includes(':')
    if (isV6 && !this.#isDual) return
    // Without a callback, a failed send would become an error event of the socket.
    this.#socket?.send(bytes, port, this.#isDual && !isV6 ? `::ffff:${host}` : host, (error) => {
      if (error !== null) this.deps.log.trace('datagram not sent', { host, port, error: messageOf(error) })
    })
  }

  close(): Promise<void> {
    const socket = this.#socket
    this.#socket = null
    if (socket === null) return Promise.resolve()
    return new Promise((resolve) => socket.close(() => resolve()))
  }
}

// Which nodes have proven to be reachable at their endpoint. Only they get answers longer than their questions. Source:
// devp2p, discovery v4, endpoint proof

const PROOF_MS = 24 * 3_600_000
const MAX_HOSTS = 1_024
/** One host with many keys must not evict the proofs of others. */
const MAX_PROOFS_OF_HOST = 64
/** Any key can ping us, so these get little memory. */
const MAX_PINGS = 2_048
/** Unanswered FindNodes after which the other side has probably lost our proof. */
const MAX_FAILURES = 5

/** Keyed by id and address, valid for 24 hours: a proof holds for that address only. */
export class EndpointProofs {
  readonly #pongAt = new BoundedMap<string, BoundedMap<string, number>>(MAX_HOSTS)
  readonly #pingAt = new BoundedMap<string, number>(MAX_PINGS)
  readonly #failures = new BoundedMap<string, number>(MAX_PINGS)

  constructor(private readonly clock: Clock) {}

  /** It answered our Ping: its endpoint is proven to us. */
  notePong(endpoint: string, host: string): void {
    const key = hostKey(host)
    const ofHost = this.#pongAt.use(key) ?? new BoundedMap<string, number>(MAX_PROOFS_OF_HOST)
    ofHost.set(endpoint, this.clock.now())
    this.#pongAt.set(key, ofHost)
  }

  /** It pinged us and got our Pong: our endpoint is proven to it. */
  notePing(endpoint: string): void {
    this.#pingAt.set(endpoint, this.clock.now())
    this.#failures.delete(endpoint)
  }

  noteFindNode(endpoint: string, isAnswered: boolean): void {
    if (isAnswered) this.#failures.delete(endpoint)
    else this.#failures.set(endpoint, (this.#failures.use(endpoint) ?? 0) + 1)
  }

  isProven(endpoint: string, host: string): boolean {
    return this.#isFresh(this.#pongAt.use(hostKey(host))?.use(endpoint))
  }

  /** Whether the other side should still accept our FindNode. */
  isProvenToIt(endpoint: string): boolean {
    return this.#isFresh(this.#pingAt.use(endpoint)) && (this.#failures.use(endpoint) ?? 0) < MAX_FAILURES
  }

  get size(): number {
    const proofs = [...this.#pongAt.values()].reduce((sum, ofHost) => sum + ofHost.size, 0)
    return proofs + this.#pingAt.size + this.#failures.size
  }

  #isFresh(at: number | undefined): boolean {
    return at !== undefined && this.clock.now() - at < PROOF_MS
  }
}

interface RateLimitOptions extends TokenRate {
  readonly maxAddresses: number
  readonly totalPerSecond: number
}

/** Reserve of the total budget for answers to our own requests, however much strangers send. */
const RESERVED = 0.25

/** Counts datagrams before they are read. The addresses that were quiet longest are forgotten first. */
export class RateLimit {
  readonly #budgets: BoundedMap<string, TokenBucket>
  readonly #total: TokenBucket

  constructor(
    private readonly options: RateLimitOptions,
    private readonly clock: Clock,
  ) {
    const { maxAddresses, totalPerSecond } = options
    this.#budgets = new BoundedMap(maxAddresses)
    this.#total = new TokenBucket({ perSecond: totalPerSecond, burst: 2 * totalPerSecond }, clock)
  }

  /** Addresses remembered; at most `maxAddresses`. */
  get addresses(): number {
    return this.#budgets.size
  }

  /** Takes one from the budget of `address` and from the total; false when either is exhausted. */
  take(address: string): boolean {
    const budget = this.#budgets.get(address) ?? new TokenBucket(this.options, this.clock)
    this.#budgets.set(address, budget)
    return budget.take(1) && this.#total.take(1, RESERVED * this.options.totalPerSecond)
  }

  /** Takes one from the total only, including the reserve: for answers to our requests. */
  takeShared(): boolean {
    return this.#total.take(1)
  }
}

interface Expected<K extends Packet['kind'], T> {
  /** Endpoint: id@host|port. */
  readonly from: string
  readonly kind: K
  /** What the packet means to this request; `pass` = not an answer to it, `more` = part of one, keep waiting. */
  readonly take: (packet: Extract<Packet, { kind: K }>) => { readonly done: T } | 'more' | 'pass'
  /** The result on timeout. */
  readonly late: () => T
}

interface Waiting {
  readonly kind: Packet['kind']
  readonly offer: (packet: Packet) => boolean
  readonly cancel: () => void
}

const REPLY_TIMEOUT_MS = 500
const MAX_WAITING = 1_024

/** Open requests by endpoint. Each ends either by its answer or by its timeout. */
class Requests {
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #hosts = new Map<string, number>()
  #count = 0

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#count >= MAX_WAITING
  }

  /** Resolves with what `take` makes of the answer, or with `late()` on timeout or `cancelAll`. */
  expect<K extends Packet['kind'], T>({ from, kind, take, late }: Expected<K, T>): Promise<T> {
    return new Promise((resolve) => {
      let timer: Disposable | null = null
      const finish = (value: T): void => {
        timer?.dispose()
        this.#remove(from, waiting)
        resolve(value)
      }
      const waiting: Waiting = {
        kind,
        cancel: () => finish(late()),
        offer: (packet) => {
          // `offer` has already compared the kinds.
          const outcome = take(packet as Extract<Packet, { kind: K }>)
          if (outcome === 'pass') return false
          if (outcome !== 'more') finish(outcome.done)
          return true
        },
      }
      timer = this.clock.setTimeout(waiting.cancel, REPLY_TIMEOUT_MS)
      this.#waiting.set(from, [...(this.#waiting.get(from) ?? []), waiting])
      this.#count++
      this.#hosts.set(hostOf(from), (this.#hosts.get(hostOf(from)) ?? 0) + 1)
    })
  }

  awaitsHost(host: string): boolean {
    return (this.#hosts.get(host) ?? 0) > 0
  }

  /** Passes a packet to the first request it answers; false when there is none. */
  offer(from: string, packet: Packet): boolean {
    const candidates = this.#waiting.get(from) ?? []
    return candidates.some((waiting) => waiting.kind === packet.kind && waiting.offer(packet))
  }

  cancelAll(): void {
    for (const waiting of [...this.#waiting.values()].flat()) waiting.cancel()
  }

  #remove(from: string, waiting: Waiting): void {
    const rest = (this.#waiting.get(from) ?? []).filter((other) => other !== waiting)
    this.#count--
    const left = (this.#hosts.get(hostOf(from)) ?? 1) - 1
    if (left === 0) this.#hosts.delete(hostOf(from))
    else this.#hosts.set(hostOf(from), left)
    if (rest.length === 0) this.#waiting.delete(from)
    else this.#waiting.set(from, rest)
  }
}

function hostOf(endpoint: string): string {
  return endpoint.slice(endpoint.indexOf('@') + 1, endpoint.lastIndexOf('|'))
}

const EXPIRATION_SECONDS = 20
/** No node listens there: a packet naming such a port tries to aim our traffic at some other service. */
const LAST_LOW_PORT = 1_024
const MAX_PINGS_BACK = 64

/** What the protocol learns about nodes: alive, not responding, or how they see us. */
interface Discv4Events {
  /** A node answered our Ping from the named endpoint; the sequence is its record's. */
  nodeVerified: { readonly node: NodeAddress; readonly recordSequence: bigint | null }
  /** Our address as seen by a node that answered. */
  endpointSeen: { readonly host: string; readonly by: string }
}

interface Discv4Deps extends Pick<NetworkParts, 'clock' | 'log'> {
  readonly key: Uint8Array
  readonly record: LocalRecord
  readonly port: DatagramPort
  readonly restrict: NetRestrict
  /** Nodes to return for a FindNode, nearest first. @param target public key, 64 bytes */
  readonly closest: (target: Uint8Array, count: number) => readonly NodeAddress[]
}

/** Datagrams processed per second, the burst per address being thrice as many; others aren't even verified. */
const LIMITS = { perAddress: 100, total: 1_000 }
export type Discv4Limits = Readonly<typeof LIMITS>

/** The protocol without a table. A silent node gives `false` or null, never an exception. */
export class Discv4 {
  readonly events = new Emitter<Discv4Events>()
  readonly #requests: Requests
  readonly #proofs: EndpointProofs
  readonly #limit: RateLimit
  readonly #pings = new Map<string, Promise<boolean>>()
  #isOpen = false

  constructor(
    private readonly deps: Discv4Deps,
    { perAddress, total }: Discv4Limits = LIMITS,
  ) {
    this.#requests = new Requests(deps.clock)
    this.#proofs = new EndpointProofs(deps.clock)
    const rates = { perSecond: perAddress, burst: 3 * perAddress, maxAddresses: 4_096, totalPerSecond: total }
    this.#limit = new RateLimit(rates, deps.clock)
  }

  /** Entries held because of others; bounded whatever arrives. */
  get memory(): number {
    return this.#requests.size + this.#proofs.size + this.#limit.addresses + this.#pings.size
  }

  /** @returns the UDP port @throws DiscoveryError P2P_UDP_LISTEN_FAILED */
  async open(): Promise<number> {
    const port = await this.deps.port.open((datagram) => this.#receive(datagram))
    this.#isOpen = true
    return port
  }

  async close(): Promise<void> {
    this.#isOpen = false
    this.#requests.cancelAll()
    await this.deps.port.close()
  }

  /** Whether the node answers; concurrent calls share one Ping. */
  ping(node: NodeAddress): Promise<boolean> {
    const endpoint = endpointKey(node)
    const running = this.#pings.get(endpoint)
    if (running !== undefined) return running
    const ping = this.#ping(node, endpoint).finally(() => this.#pings.delete(endpoint))
    this.#pings.set(endpoint, ping)
    return ping
  }

  /** The nodes nearest to `target` (public key, 64 bytes) that `node` knows; null when it doesn't answer. */
  async findNode(node: NodeAddress, target: Uint8Array): Promise<readonly NodeAddress[] | null> {
    const endpoint = endpointKey(node)
    if (!(await this.#bond(node, endpoint)) || !this.#canAsk(node)) return null
    const found: PacketNode[] = []
    let isAnswered = false
    const answer = this.#requests.expect({
      from: endpoint,
      kind: 'neighbors',
      take: ({ nodes }) => {
        isAnswered = true
        found.push(...nodes.slice(0, BUCKET_SIZE - found.length))
        return found.length >= BUCKET_SIZE || nodes.length < MAX_NEIGHBORS ? { done: true } : ('more' as const)
      },
      late: () => true,
    })
    this.#send({ kind: 'findNode', target, expiration: this.#expiration() }, node)
    await answer
    this.#proofs.noteFindNode(endpoint, isAnswered)
    return isAnswered ? found.filter((other) => this.#isUsable(other, node.host)) : null
  }

  /** The node's record, signature verified; null when there is none, or it isn't the node's own. */
  async requestRecord(node: NodeAddress): Promise<NodeRecord | null> {
    const endpoint = endpointKey(node)
    if (!(await this.#bond(node, endpoint)) || !this.#canAsk(node)) return null
    const { bytes, hash } = encodePacket({ kind: 'enrRequest', expiration: this.#expiration() }, this.deps.key)
    const answer = this.#requests.expect({
      from: endpoint,
      kind: 'enrResponse',
      take: ({ requestHash, record }) => (equalBytes(requestHash, hash) ? { done: record } : ('pass' as const)),
      late: () => null,
    })
    this.deps.port.send(bytes, node.host, node.udpPort)
    const items = await answer
    const record = items === null ? null : readRecordItem(items)
    return record?.ok === true && equalBytes(record.value.publicKey, node.id) ? record.value : null
  }

  async #ping(node: NodeAddress, endpoint: string): Promise<boolean> {
    if (!this.#canAsk(node)) return false
    const { record, key, port } = this.deps
    const packet = makePing(
      packetEndpoint(record.address('0.0.0.0')),
      packetEndpoint(node),
      this.#expiration(),
      record.sequence,
    )
    const { bytes, hash } = encodePacket(packet, key)
    const answer = this.#requests.expect({
      from: endpoint,
      kind: 'pong',
      take: (pong) => (equalBytes(pong.pingHash, hash) ? { done: pong } : ('pass' as const)),
      late: () => null,
    })
    port.send(bytes, node.host, node.udpPort)
    const pong = await answer
    if (pong === null) return false
    this.#proofs.notePong(endpoint, node.host)
    this.events.emit('nodeVerified', { node, recordSequence: pong.recordSequence })
    if (pong.to.host !== '') this.events.emit('endpointSeen', { host: pong.to.host, by: node.host })
    return true
  }

  async #bond(node: NodeAddress, endpoint: string): Promise<boolean> {
    if (this.#proofs.isProven(endpoint, node.host) && this.#proofs.isProvenToIt(endpoint)) return true
    if (!(await this.ping(node))) return false
    if (this.#proofs.isProvenToIt(endpoint)) return true
    // It has our Pong only after it pinged us, which our Ping triggers; a node that already has our proof won't ping.
    const [take, late] = [() => ({ done: true }), () => true]
    await this.#requests.expect({ from: endpoint, kind: 'ping', take, late })
    return true
  }

  #receive({ bytes, host, port }: Datagram): void {
    if (!this.#isOpen || !this.deps.restrict.allows(host)) return
    // Answers to our requests must get through even when others flood with a spoofed source address.
    const isAwaited = this.#requests.awaitsHost(host)
    if (!(isAwaited ? this.#limit.takeShared() : this.#limit.take(hostKey(host)))) return
    const signed = decodePacket(bytes)
    if (!signed.ok) {
      this.deps.log.trace('datagram refused', { host, reason: signed.error })
      return
    }
    const { packet, sender } = signed.value
    if (equalBytes(sender, this.deps.record.id)) return
    if ('expiration' in packet && packet.expiration * 1_000 < this.deps.clock.now()) return
    this.#dispatch(signed.value, { id: sender, host, udpPort: port, tcpPort: 0 })
  }

  #dispatch({ packet, hash }: SignedPacket, from: NodeAddress): void {
    const endpoint = endpointKey(from)
    const isProven = this.#proofs.isProven(endpoint, from.host)
    if (packet.kind === 'ping') this.#answerPing(packet, hash, from)
    else if (packet.kind === 'findNode' && isProven) this.#answerFindNode(packet, from)
    else if (packet.kind === 'enrRequest' && isProven)
      this.#send({ kind: 'enrResponse', requestHash: hash, record: this.deps.record.items() }, from)
    else this.#requests.offer(endpoint, packet)
  }

  /** A Pong is no longer than the Ping, so it may be sent to an unverified address. */
  #answerPing(ping: Ping, hash: Uint8Array, from: NodeAddress): void {
    const endpoint = endpointKey(from)
    const node = { ...from, tcpPort: ping.from.tcpPort }
    const recordSequence = this.deps.record.sequence
    const [to, expiration] = [packetEndpoint(node), this.#expiration()]
    this.#send({ kind: 'pong', to, pingHash: hash, expiration, recordSequence }, from)
    this.#proofs.notePing(endpoint)
    this.#requests.offer(endpoint, ping)
    if (this.#proofs.isProven(endpoint, from.host) || this.#pings.size >= MAX_PINGS_BACK) return
    void this.ping(node) // its outcome arrives as an event
  }

  #answerFindNode({ target }: FindNode, asker: NodeAddress): void {
    const askerIp = parseIp(asker.host)
    const isFit = ({ host, id }: NodeAddress): boolean => {
      const ip = parseIp(host)
      return ip !== null && askerIp !== null && mayRelay(askerIp, ip) && !equalBytes(id, asker.id)
    }
    const nodes = this.deps.closest(target, BUCKET_SIZE).filter(isFit)
    const expiration = this.#expiration()
    for (let at = 0; at === 0 || at < nodes.length; at += MAX_NEIGHBORS)
      this.#send({ kind: 'neighbors', nodes: nodes.slice(at, at + MAX_NEIGHBORS), expiration }, asker)
  }

  /** Validates what a node says about others before we send anything there. */
  #isUsable(node: PacketNode, toldBy: string): boolean {
    const ip = parseIp(node.host)
    const teller = parseIp(toldBy)
    if (ip === null || teller === null || node.udpPort <= LAST_LOW_PORT) return false
    if (!mayRelay(teller, ip) || !this.deps.restrict.allows(node.host)) return false
    return nodeName(node.id) !== nodeName(this.deps.record.id)
  }

  #canAsk({ host, udpPort }: NodeAddress): boolean {
    return this.#isOpen && udpPort !== 0 && !this.#requests.isFull && this.deps.restrict.allows(host)
  }

  #send(packet: Packet, { host, udpPort }: NodeAddress): void {
    if (this.#isOpen) this.deps.port.send(encodePacket(packet, this.deps.key).bytes, host, udpPort)
  }

  #expiration(): number {
    return Math.floor(this.deps.clock.now() / 1_000) + EXPIRATION_SECONDS
  }
}

/** Id and address as one text: proofs and answers are valid for exactly that. */
function endpointKey({ id, host, udpPort }: NodeAddress): string {
  return `${nodeName(id)}@${host}|${udpPort}`
}

function packetEndpoint({ host, udpPort, tcpPort }: NodeAddress): PacketEndpoint {
  return { host, udpPort, tcpPort }
}
