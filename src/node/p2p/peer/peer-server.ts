// Connections in and out: listens, dials, and admits those that pass every check as peers.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { equalBytes } from '../../../base/bytes'
import { hasCode, messageOf } from '../../../base/errors'
import { plainAddress } from '../../../base/ip-address'
import { Disposables } from '../../../base/lifecycle'
import { BoundedMap } from '../../../base/limits/bounded-map'
import { type Clock, within } from '../../../base/time'
import { P2pError } from '../../errors'
import {
  hostKey,
  hostWithoutIpv6,
  isPrivateHost,
  type NetRestrict,
  neighbourhood,
  region,
} from '../../identity/ip-address'
import { DISCONNECT, FIRST_CAPABILITY_CODE, P2P_VERSION } from '../../protocol/base-messages'
import { type ForkSchedule, forkIdAt, judgeForkId } from '../../protocol/fork-id'
import { CODES, decodeStatus, encodeStatus, PARALLAX, type Status } from '../../protocol/messages'
import { maxSnapBytes, SNAP_CAPABILITIES } from '../../protocol/snap-messages'
import { chanceBelow, type NetworkParts } from '../network-parts'
import { type NodeAddress, nodeName } from '../node-address'
import { MemoryBudget } from '../rlpx/byte-queue'
import { Connection, type Message } from '../rlpx/connection'
import { publicKeyOf } from '../rlpx/handshake'
import { AddressRatings, Bans } from './bans'
import { Peer, type PeerInfo } from './peer'
import { PeerSet } from './peer-set'

interface DialQueueDeps {
  readonly clock: Clock
  /** True for a node that must not be dialed now: connected, being dialed, banned, ourselves. */
  readonly isBusy: (name: string) => boolean
  /** Wide neighborhoods we already have outbound peers in: others are preferred. */
  readonly regions: () => ReadonlySet<string>
  /** A random integer below its argument: the order of discovery must not decide the order of dialing. */
  readonly chance: (limit: number) => number
}

interface Candidate {
  readonly address: NodeAddress
  /** Null = not limited. */
  readonly neighbourhood: string | null
  readonly region: string | null
  readonly isFixed: boolean
  /** A peer of the last run: before all discovered ones, until it fails. */
  isAnchor: boolean
  isProven: boolean
  failures: number
  /** on the monotonic clock, ms */
  notBefore: number
}

const MAX_CANDIDATES = 1000
/** Maximum discovered nodes per neighborhood: its owner must not choose whom we dial. */
const MAX_NEIGHBOURS = 4
/** The same for a wide one (/16, /32 of IPv6), which a provider may own. */
const MAX_OF_REGION = 16
/** Rank penalty of a candidate in a region we are already connected to. */
const KNOWN_REGION_RANK = 100
/** Less than one failure. */
const UNTESTED_RANK = 0.5
const ANCHOR_RANK = 500
const FOUND_RANK = 1000
const REDIAL_MS = 35_000
const FIRST_BACKOFF_MS = 5_000
const MAX_FIXED_BACKOFF_MS = 60_000
const MAX_BACKOFF_MS = 30 * 60_000
/** Discovered nodes that never answer are dropped after this. */
const MAX_FAILURES = 6

/** Candidates and their back-off. It doesn't dial: `next` selects a node, `tried` reports the outcome. */
export class DialQueue {
  readonly #candidates = new Map<string, Candidate>()

  constructor(private readonly deps: DialQueueDeps) {}

  get size(): number {
    return this.#candidates.size
  }

  /** Adds a discovered node; dropped when its neighborhood or the queue is full of nodes that haven't failed. */
  found(address: NodeAddress): void {
    const name = nodeName(address.id)
    const known = this.#candidates.get(name)
    if (address.tcpPort === 0 || known?.isFixed === true) return
    const isMoved = known !== undefined && known.neighbourhood !== neighbourhood(address.host)
    if ((known === undefined || isMoved) && !this.#hasRoomNear(address.host)) return
    const isFull = known === undefined && this.#candidates.size >= MAX_CANDIDATES
    if (isFull && !this.#dropWorst() && !this.#dropCrowded(address.host)) return
    this.#put(address, known)
  }

  /** Adds a good peer of the previous run, chosen before anyone could influence us. */
  anchor(address: NodeAddress): void {
    if (!this.#candidates.has(nodeName(address.id))) this.#put(address, { isAnchor: true })
  }

  /** A random candidate we were never connected to, for a test connection: good ones are known before they're needed. */
  untested(): NodeAddress | null {
    const now = this.deps.clock.monotonic()
    const found = [...this.#candidates].filter(
      ([name, { isFixed, isProven, notBefore }]) =>
        !isFixed && !isProven && notBefore <= now && !this.deps.isBusy(name),
    )
    return found[this.deps.chance(found.length)]?.[1].address ?? null
  }

  fix(address: NodeAddress): void {
    this.#put(address, { isFixed: true })
  }

  /** False when it wasn't a static node. */
  unfix(name: string): boolean {
    return this.isFixed(name) && this.#candidates.delete(name)
  }

  isFixed(name: string): boolean {
    return this.#candidates.get(name)?.isFixed === true
  }

  /** The next to dial, or null. @param onlyFixed true when there is no room for others */
  next(onlyFixed: boolean): NodeAddress | null {
    const now = this.deps.clock.monotonic()
    const regions = this.deps.regions()
    let least = Number.POSITIVE_INFINITY
    let equals: Candidate[] = []
    for (const [name, candidate] of this.#candidates) {
      if (candidate.notBefore > now || (onlyFixed && !candidate.isFixed) || this.deps.isBusy(name)) continue
      const place = rank(candidate, regions)
      if (place < least) equals = []
      if (place <= least) equals.push(candidate)
      least = Math.min(least, place)
    }
    const best = equals[this.deps.chance(equals.length)]
    if (best === undefined) return null
    best.notBefore = now + REDIAL_MS
    return best.address
  }

  /** Earlier failures may have been caused by our own network: all may be dialed now. */
  hurry(): void {
    for (const candidate of this.#candidates.values()) candidate.notBefore = 0
  }

  tried(name: string, isConnected: boolean): void {
    const candidate = this.#candidates.get(name)
    if (candidate === undefined) return
    candidate.failures = isConnected ? 0 : candidate.failures + 1
    candidate.isProven ||= isConnected
    candidate.isAnchor &&= isConnected
    const most = candidate.isFixed ? MAX_FIXED_BACKOFF_MS : MAX_BACKOFF_MS
    const least = candidate.isFixed ? FIRST_BACKOFF_MS : REDIAL_MS
    const wait = Math.min(most, least * 2 ** Math.max(0, candidate.failures - 1))
    candidate.notBefore = this.deps.clock.monotonic() + wait
    if (!candidate.isFixed && candidate.failures >= MAX_FAILURES) this.#candidates.delete(name)
  }

  #put(address: NodeAddress, known: Partial<Candidate> = {}): void {
    const { isFixed = false, failures = 0, notBefore = 0, isAnchor = false, isProven = false } = known
    const places = { neighbourhood: neighbourhood(address.host), region: region(address.host) }
    const candidate = { address, ...places, isFixed, isAnchor, isProven, failures, notBefore }
    this.#candidates.set(nodeName(address.id), candidate)
  }

  #hasRoomNear(host: string): boolean {
    const [place, around] = [neighbourhood(host), region(host)]
    if (place === null) return true
    const found = [...this.#candidates.values()].filter(({ isFixed }) => !isFixed)
    if (found.filter((other) => other.neighbourhood === place).length >= MAX_NEIGHBOURS) return false
    return found.filter((other) => other.region === around).length < MAX_OF_REGION
  }

  /** Evicts a candidate of the most crowded region, if the region of `host` has fewer; the oldest stays. */
  #dropCrowded(host: string): boolean {
    const counts = new Map<string, { count: number; last: string }>()
    for (const [name, { isFixed, region: place }] of this.#candidates)
      if (!isFixed && place !== null) counts.set(place, { count: (counts.get(place)?.count ?? 0) + 1, last: name })
    const own = counts.get(region(host) ?? '')?.count ?? 0
    const [crowded] = [...counts.values()].sort((a, b) => b.count - a.count)
    return crowded !== undefined && crowded.count > own + 1 && this.#candidates.delete(crowded.last)
  }

  /** Evicts the discovered node with most failures; false when none has failed. */
  #dropWorst(): boolean {
    let worst: { readonly name: string; readonly failures: number } | null = null
    for (const [name, { isFixed, failures }] of this.#candidates)
      if (!isFixed && failures > (worst?.failures ?? 0)) worst = { name, failures }
    return worst !== null && this.#candidates.delete(worst.name)
  }
}

/** Static ones first, then anchors, then new regions, then fewest failures; among those, nodes that answered before. */
function rank(
  { isFixed, isAnchor, isProven, failures, region: place }: Candidate,
  regions: ReadonlySet<string>,
): number {
  if (isFixed) return failures
  if (isAnchor) return ANCHOR_RANK
  const isNear = place !== null && regions.has(place)
  return FOUND_RANK + failures + (isNear ? KNOWN_REGION_RANK : 0) + (isProven ? 0 : UNTESTED_RANK)
}

const STATUS_MS = 5_000

interface OwnStatus {
  readonly networkId: number
  readonly totalDifficulty: bigint
  /** 32 bytes */
  readonly head: Uint8Array
  readonly headNumber: bigint
  readonly schedule: ForkSchedule
}

/** Sends ours, awaits theirs. @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA; the connection is closed then */
export async function exchangeStatus(connection: Connection, own: OwnStatus, clock: Clock): Promise<Status> {
  const first = new Promise<Message>((resolve, reject) => {
    connection.events.on('closed', ({ reason }) => reject(new P2pError('P2P_CLOSED', { reason })))
    connection.receive((message) => {
      connection.receive(null)
      resolve(message)
    })
  })
  const { networkId, totalDifficulty, head, headNumber, schedule } = own
  const forkId = forkIdAt(schedule, headNumber)
  connection.send(
    FIRST_CAPABILITY_CODE + CODES.status,
    encodeStatus({ networkId, totalDifficulty, head, genesis: schedule.genesisHash, forkId }),
  )
  try {
    if (!(await within(first, STATUS_MS, clock)))
      throw new P2pError('P2P_TIMEOUT', { what: 'status', timeoutMs: STATUS_MS })
    const { code, payload } = await first
    if (code !== FIRST_CAPABILITY_CODE + CODES.status) throw refused(`message ${code} came first`)
    const status = decodeStatus(payload)
    if (!status.ok) throw refused(status.error)
    const fault = statusFault(status.value, own)
    if (fault !== null) throw refused(fault)
    return status.value
  } catch (error: unknown) {
    connection.disconnect(hasCode(error, 'P2P_TIMEOUT') ? DISCONNECT.readTimeout : DISCONNECT.subprotocol)
    throw error
  }
}

function statusFault(status: Status & { readonly version: bigint }, own: OwnStatus): string | null {
  if (status.networkId !== own.networkId) return `network id ${status.networkId}, want ${own.networkId}`
  if (status.version !== BigInt(PARALLAX.version)) return `version ${status.version}, want ${PARALLAX.version}`
  if (!equalBytes(status.genesis, own.schedule.genesisHash)) return 'another genesis'
  const verdict = judgeForkId(own.schedule, own.headNumber, status.forkId)
  if (verdict !== 'accept') return `fork id: ${verdict}`
  return status.totalDifficulty < 2n ** 100n ? null : 'total difficulty above 100 bits'
}

function refused(reason: string): Error {
  return new P2pError('P2P_BAD_DATA', { what: 'status', reason })
}

/** Connections in handshake. Above the maximum, closes the oldest one of the most crowded neighborhood. */
export class HalfOpen<T extends { destroy(): unknown }> {
  /** In order of arrival: the neighborhood key, or the address itself inside private networks. */
  readonly #callers = new Map<T, string>()

  constructor(private readonly most: number) {}

  get size(): number {
    return this.#callers.size
  }

  enter(caller: T, host: string): void {
    this.#callers.set(caller, neighbourhood(host) ?? host)
    if (this.#callers.size <= this.most) return
    const counts = new Map<string, { count: number; readonly oldest: T }>()
    for (const [other, place] of this.#callers) {
      const known = counts.get(place)
      if (known === undefined) counts.set(place, { count: 1, oldest: other })
      else known.count++
    }
    const [crowd] = [...counts.values()].sort((a, b) => b.count - a.count)
    if (crowd === undefined) return
    this.#callers.delete(crowd.oldest)
    crowd.oldest.destroy()
  }

  /** Its handshake completed, or it is gone. */
  leave(caller: T): void {
    this.#callers.delete(caller)
  }
}

const INBOUND_MS = 30_000
const MAX_REMEMBERED = 4096

/** One accepted connection per owner (of an IPv4 address or an IPv6 /64) in 30 s, except from private networks. */
export class InboundThrottle {
  /** monotonic ms by owner; the oldest entries are evicted */
  readonly #lastAt = new BoundedMap<string, number>(MAX_REMEMBERED)

  constructor(private readonly clock: Clock) {}

  /** Whether this attempt is accepted. @param host literal, not from a private network */
  admits(host: string): boolean {
    const now = this.clock.monotonic()
    const owner = hostKey(host)
    const last = this.#lastAt.use(owner)
    if (last !== undefined && now - last < INBOUND_MS) return false
    this.#lastAt.set(owner, now)
    return true
  }
}

/** Of any message, uncompressed, without the code. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024
const KIB = 1024
/** Ping, Pong, Disconnect, and what later versions may add. */
const BASE_BYTES = 2 * KIB
/** Up to 2048 hashes are looked up, 33 bytes each. */
const REQUEST_BYTES = 128 * KIB

/** What an honest node ever sends, plus a margin. The others (blocks, answers) may reach `MAX_MESSAGE_BYTES`. */
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

/** Larger ones are rejected while compressed. @param wireCode as on the connection @returns bytes, without the code */
export function maxBytesOf(wireCode: number): number {
  if (wireCode < FIRST_CAPABILITY_CODE) return BASE_BYTES
  const code = wireCode - FIRST_CAPABILITY_CODE
  return BYTES.get(code) ?? maxSnapBytes(code) ?? MAX_MESSAGE_BYTES
}

export interface PeerServerOptions {
  /** 32 bytes */
  readonly staticKey: Uint8Array
  /** Port 0 = any free one. */
  readonly listen: { readonly host: string; readonly port: number }
  /** 0 = no peers. */
  readonly maxPeers: number
  /** As announced to other nodes. */
  readonly clientId: string
  readonly restrict: NetRestrict
}

interface PeerServerDeps extends Pick<NetworkParts, 'clock' | 'log' | 'randomBytes'> {
  /** Called for each handshake. */
  readonly ownStatus: () => Promise<OwnStatus>
}

/** Maximum connections in handshake. Above it, the oldest one of the most crowded neighborhood is closed. */
const MAX_HALF_OPEN = 50
const MAX_DIALS = 8
const DIAL_MS = 15_000
const DIAL_TICK_MS = 1_000
/** Interval between test connections that don't become peers. */
const FEELER_MS = 120_000
/** Memory for incomplete frames of all connections together: several sync answers at once. */
const MAX_INPUT_BYTES = 48 * 1024 * 1024
/** Memory for unsent data: several answers for each peer that syncs from us. */
const MAX_OUTPUT_BYTES = 48 * 1024 * 1024

/** From a socket to a peer: RLPx, Hello, Status, limits, bans. Whatever fails a check never appears in `peers`. */
export class PeerServer {
  readonly peers: PeerSet
  readonly bans: Bans
  readonly ratings: AddressRatings
  readonly queue: DialQueue
  /** Names of nodes exempt from the limits. */
  readonly trusted = new Set<string>()
  readonly #ownName: string
  readonly #sockets = new Set<Socket>()
  readonly #dialling = new Set<string>()
  readonly #throttle: InboundThrottle
  readonly #held = new Disposables()
  readonly #input = new MemoryBudget(MAX_INPUT_BYTES)
  readonly #output = new MemoryBudget(MAX_OUTPUT_BYTES)
  readonly #halfOpen = new HalfOpen<Socket>(MAX_HALF_OPEN)
  #server: Server | null = null
  #stopped = true

  constructor(
    private readonly options: PeerServerOptions,
    private readonly deps: PeerServerDeps,
  ) {
    this.#ownName = nodeName(publicKeyOf(options.staticKey))
    this.peers = new PeerSet(options.maxPeers)
    this.bans = new Bans(deps.clock)
    this.ratings = new AddressRatings(deps.clock)
    this.#throttle = new InboundThrottle(deps.clock)
    this.queue = new DialQueue({
      clock: deps.clock,
      isBusy: (name) => this.#isBusy(name),
      regions: () => this.peers.dialledRegions(),
      chance: (limit) => (limit === 0 ? 0 : chanceBelow(limit, deps.randomBytes)),
    })
  }

  /** @throws P2pError P2P_LISTEN_FAILED @returns the port */
  async start(): Promise<number> {
    const { host, port } = this.options.listen
    const server = createServer((socket) => this.#accept(socket))
    this.#stopped = false
    try {
      await listening(server, host, port)
    } catch (error: unknown) {
      const other = hostWithoutIpv6(host, error)
      if (other === null)
        throw new P2pError('P2P_LISTEN_FAILED', { host, port, reason: messageOf(error) }, { cause: error })
      await listening(server, other, port)
    }
    server.on('error', (error) => this.deps.log.warn('listener for peers failed', { error: error.message }))
    this.#server = server
    this.#held.add(this.deps.clock.setInterval(() => this.#dialNext(), DIAL_TICK_MS))
    this.#held.add(this.deps.clock.setInterval(() => this.#feel(), FEELER_MS))
    this.#dialNext()
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#stopped = true
    this.#server = null
    this.#held.dispose()
    const closed = server === null ? undefined : new Promise<void>((resolve) => server.close(() => resolve()))
    for (const peer of this.peers.list()) peer.disconnect(DISCONNECT.quitting)
    const sockets = [...this.#sockets]
    await new Promise((resolve) => setImmediate(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  addStatic(address: NodeAddress): void {
    this.bans.lift(nodeName(address.id))
    this.queue.fix(address)
    this.#dialNext()
  }

  /** Disconnects and stops dialing. */
  removeStatic(name: string): boolean {
    const wasFixed = this.queue.unfix(name)
    this.peers.get(name)?.disconnect(DISCONNECT.requested)
    return wasFixed
  }

  /** After this computer slept: checks the connections and redials missing peers immediately. */
  wake(): void {
    for (const peer of this.peers.list()) peer.connection.doubt()
    this.queue.hurry()
    this.#dialNext()
  }

  #isBusy(name: string): boolean {
    const isKnown = this.peers.get(name) !== null || this.#dialling.has(name) || name === this.#ownName
    return isKnown || this.bans.reasonOf(name) !== null
  }

  #dialNext(): void {
    while (!this.#stopped && this.#dialling.size < MAX_DIALS && this.peers.maxPeers > 0) {
      const onlyFixed = this.peers.roomToDial() - this.#dialling.size <= 0
      const address = this.queue.next(onlyFixed)
      if (address === null) return
      this.#dial(address, (socket) => this.#establish(socket, address), 'peer not reached')
    }
  }

  /** @param meet whether it succeeded @param failure for the log */
  #dial(address: NodeAddress, meet: (socket: Socket) => Promise<boolean>, failure: string): void {
    const name = nodeName(address.id)
    const { host, tcpPort: port } = address
    const { log } = this.deps
    this.#dialling.add(name)
    this.#connected(address)
      .then(meet)
      .catch((error: unknown) => {
        log.debug(failure, { host, port, error: messageOf(error) })
        return false
      })
      .then((isConnected) => {
        this.#dialling.delete(name)
        this.queue.tried(name, isConnected)
      })
      .catch((error: unknown) => log.error('dial failed', { error: messageOf(error) }))
  }

  /** While all slots are taken: connects briefly to an unknown node, so that a free slot goes to one that answers. */
  #feel(): void {
    if (this.#stopped || this.peers.roomToDial() > 0 || this.#dialling.size > 0) return
    const address = this.queue.untested()
    if (address === null) return
    const greet = async (socket: Socket): Promise<boolean> => {
      const connection = this.#connectionOn(socket, address)
      await connection.open()
      connection.disconnect(DISCONNECT.requested)
      return true
    }
    this.#dial(address, greet, 'node does not answer')
  }

  #connected({ host, tcpPort }: NodeAddress): Promise<Socket> {
    if (!this.options.restrict.allows(host))
      return Promise.reject(new P2pError('P2P_DIAL_FAILED', { reason: `${host} is outside --netrestrict` }))
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port: tcpPort })
      this.#hold(socket)
      const fail = (reason: string): void => {
        timer.dispose()
        socket.destroy()
        reject(new P2pError('P2P_DIAL_FAILED', { reason }))
      }
      const timer = this.deps.clock.setTimeout(() => fail(`no answer within ${DIAL_MS} ms`), DIAL_MS)
      const onError = (error: Error): void => fail(error.message)
      socket.once('error', onError)
      socket.once('connect', () => {
        timer.dispose()
        socket.removeListener('error', onError)
        resolve(socket)
      })
    })
  }

  #accept(socket: Socket): void {
    const host = plainAddress(socket.remoteAddress)
    if (this.#stopped || !this.#mayKnock(host)) {
      socket.destroy()
      return
    }
    this.#hold(socket)
    this.#halfOpen.enter(socket, host)
    this.#establish(socket, null).catch((error: unknown) =>
      this.deps.log.debug('inbound connection refused', { host, error: messageOf(error) }),
    )
  }

  #mayKnock(host: string): boolean {
    if (!this.options.restrict.allows(host) || this.ratings.refuses(host)) return false
    return isPrivateHost(host) || this.#throttle.admits(host)
  }

  /** @param address null = they dialled us */
  #connectionOn(socket: Socket, address: NodeAddress | null): Connection {
    const { staticKey, clientId } = this.options
    const { clock, randomBytes } = this.deps
    const hello = {
      p2pVersion: P2P_VERSION,
      clientId,
      listenPort: 0,
      nodeId: publicKeyOf(staticKey),
      capabilities: [{ name: PARALLAX.name, version: PARALLAX.version }, ...SNAP_CAPABILITIES],
    }
    const options = { staticKey, remoteId: address?.id ?? null, hello, maxMessageBytes: maxBytesOf }
    return new Connection(socket, options, { clock, randomBytes, input: this.#input, output: this.#output })
  }

  /** The full path to a peer; otherwise the connection is closed. @throws P2pError when the other side isn't suitable */
  async #establish(socket: Socket, address: NodeAddress | null): Promise<boolean> {
    const connection = this.#connectionOn(socket, address)
    try {
      return await this.#meet(connection, socket, address)
    } catch (error: unknown) {
      connection.disconnect(DISCONNECT.requested)
      throw error
    } finally {
      this.#halfOpen.leave(socket)
    }
  }

  async #meet(connection: Connection, socket: Socket, address: NodeAddress | null): Promise<boolean> {
    const { clock, log } = this.deps
    const remote = await connection.open()
    const name = nodeName(connection.remoteId)
    const info: PeerInfo = {
      direction: address === null ? 'inbound' : 'outbound',
      host: plainAddress(socket.remoteAddress),
      port: socket.remotePort ?? 0,
      trusted: this.trusted.has(name),
      isStatic: this.queue.isFixed(name),
    }
    const isOurs = remote.capabilities.some((own) => own.name === PARALLAX.name && own.version === PARALLAX.version)
    const isBanned = this.bans.reasonOf(name) !== null && !info.trusted
    const refusal = !isOurs || isBanned ? DISCONNECT.uselessPeer : this.peers.refusal(name, info)
    if (refusal !== null || this.#stopped) {
      connection.disconnect(refusal ?? DISCONNECT.quitting)
      return false
    }
    const status = await exchangeStatus(connection, await this.deps.ownStatus(), clock)
    const late = this.#stopped ? DISCONNECT.quitting : this.peers.refusal(name, info)
    if (late !== null) {
      connection.disconnect(late)
      return false
    }
    const peer = new Peer(connection, info, status, clock)
    if (peer.isClosed) return false
    log.debug('peer joined', { peer: name.slice(0, 16), client: remote.clientId, direction: info.direction })
    this.peers.add(peer)
    connection.receive(({ code, payload }) => peer.take(code, payload))
    return true
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}
