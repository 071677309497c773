// Connections in and out: listens, dials, and lets in who passes every check on the way to being a peer.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { messageOf } from '../../../base/errors'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { P2pError } from '../../errors'
import type { NetRestrict } from '../netrestrict'
import { type NodeAddress, nodeName } from '../node-address'
import { Connection } from '../rlpx/connection'
import { publicKeyOf, type RandomBytes } from '../rlpx/ecies'
import { InputBudget } from '../rlpx/input-budget'
import { OutputBudget } from '../rlpx/output-budget'
import { DISCONNECT, P2P_VERSION } from '../wire/base-messages'
import { mostBytesOf } from '../wire/message-bounds'
import { PARALLAX } from '../wire/messages'
import { isIn, localNetworks, plainAddress } from './address-rules'
import { Bans } from './bans'
import { DialQueue } from './dial-queue'
import { InboundThrottle } from './inbound-throttle'
import { Peer, type PeerInfo } from './peer'
import { PeerSet } from './peer-set'
import { exchangeStatus, type OwnStatus } from './status-handshake'

export interface PeerServerOptions {
  /** 32 bytes */
  readonly staticKey: Uint8Array
  /** Port 0 = any free one. */
  readonly listen: { readonly host: string; readonly port: number }
  readonly maxPeers: number
  readonly clientId: string
  readonly restrict: NetRestrict
}

export interface PeerServerDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: RandomBytes
  readonly ownStatus: () => Promise<OwnStatus>
}

const MOST_PENDING = 50
const MOST_DIALS = 8
const DIAL_MS = 15_000
const DIAL_TICK_MS = 1_000
/** Of frames that are not complete, all connections together: some answers of a sync at once. */
const MOST_INPUT_BYTES = 48 * 1024 * 1024
/** Of what they have not taken: some answers to each of those that sync from us. */
const MOST_OUTPUT_BYTES = 48 * 1024 * 1024

export class PeerServer {
  readonly peers: PeerSet
  readonly bans: Bans
  readonly queue: DialQueue
  /** Names of nodes that ignore the limits. */
  readonly trusted = new Set<string>()
  readonly #options: PeerServerOptions
  readonly #deps: PeerServerDeps
  readonly #ownName: string
  readonly #sockets = new Set<Socket>()
  readonly #dialling = new Set<string>()
  readonly #throttle: InboundThrottle
  readonly #held = new Disposables()
  readonly #input = new InputBudget(MOST_INPUT_BYTES)
  readonly #output = new OutputBudget(MOST_OUTPUT_BYTES)
  readonly #local = localNetworks()
  #pending = 0
  #server: Server | null = null
  #stopped = true

  constructor(options: PeerServerOptions, deps: PeerServerDeps) {
    this.#options = options
    this.#deps = deps
    this.#ownName = nodeName(publicKeyOf(options.staticKey))
    this.peers = new PeerSet(options.maxPeers)
    this.bans = new Bans(deps.clock)
    this.#throttle = new InboundThrottle(deps.clock)
    this.queue = new DialQueue({ clock: deps.clock, isBusy: (name) => this.#isBusy(name) })
  }

  /** @throws P2pError P2P_LISTEN_FAILED @returns the port */
  async start(): Promise<number> {
    const { host, port } = this.#options.listen
    const server = createServer((socket) => this.#accept(socket))
    this.#stopped = false
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new P2pError('P2P_LISTEN_FAILED', { host, port, reason: error.message }, { cause: error })),
      )
      server.listen({ host, port }, resolve)
    })
    server.on('error', (error) => this.#deps.log.warn('listener for peers failed', { error: error.message }))
    this.#server = server
    this.#held.add(this.#deps.clock.setInterval(() => this.#dialNext(), DIAL_TICK_MS))
    this.#dialNext()
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  /** Says goodbye to all. */
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

  /** A node to be connected always. */
  addStatic(address: NodeAddress): void {
    this.bans.lift(nodeName(address.id))
    this.queue.fix(address)
    this.#dialNext()
  }

  /** Ends the connection and dials no more. */
  removeStatic(name: string): boolean {
    const wasFixed = this.queue.unfix(name)
    this.peers.get(name)?.disconnect(DISCONNECT.requested)
    return wasFixed
  }

  /** After a sleep of this computer: connections are doubted, and whoever is missing is dialled at once. */
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
    while (!this.#stopped && this.#dialling.size < MOST_DIALS && this.#options.maxPeers > 0) {
      const onlyFixed = this.peers.roomToDial() - this.#dialling.size <= 0
      const address = this.queue.next(onlyFixed)
      if (address === null) return
      this.#dial(address).catch((error: unknown) => this.#deps.log.error('dial failed', { error: messageOf(error) }))
    }
  }

  async #dial(address: NodeAddress): Promise<void> {
    const name = nodeName(address.id)
    this.#dialling.add(name)
    let isConnected = false
    try {
      const socket = await this.#connected(address)
      isConnected = await this.#establish(socket, address)
    } catch (error: unknown) {
      this.#deps.log.debug('peer not reached', { host: address.host, port: address.tcpPort, error: messageOf(error) })
    } finally {
      this.#dialling.delete(name)
      this.queue.tried(name, isConnected)
    }
  }

  #connected({ host, tcpPort }: NodeAddress): Promise<Socket> {
    if (!this.#options.restrict.allows(host))
      return Promise.reject(new P2pError('P2P_DIAL_FAILED', { reason: `${host} is outside --netrestrict` }))
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port: tcpPort })
      this.#hold(socket)
      const fail = (reason: string): void => {
        timer.dispose()
        socket.destroy()
        reject(new P2pError('P2P_DIAL_FAILED', { reason }))
      }
      const timer = this.#deps.clock.setTimeout(() => fail(`no answer within ${DIAL_MS} ms`), DIAL_MS)
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
    const host = plainAddress(socket.remoteAddress ?? '')
    if (this.#stopped || this.#pending >= MOST_PENDING || !this.#mayKnock(host)) {
      socket.destroy()
      return
    }
    this.#hold(socket)
    this.#establish(socket, null).catch((error: unknown) =>
      this.#deps.log.debug('inbound connection refused', { host, error: messageOf(error) }),
    )
  }

  #mayKnock(host: string): boolean {
    if (!this.#options.restrict.allows(host)) return false
    return isIn(this.#local, host) || this.#throttle.admits(host)
  }

  /** All the way to a peer. @throws P2pError when the other side is no match */
  async #establish(socket: Socket, address: NodeAddress | null): Promise<boolean> {
    const { staticKey, clientId } = this.#options
    const { clock, randomBytes } = this.#deps
    this.#pending++
    try {
      const hello = {
        ...{ p2pVersion: P2P_VERSION, clientId, listenPort: 0, nodeId: publicKeyOf(staticKey) },
        capabilities: [{ name: PARALLAX.name, version: PARALLAX.version }],
      }
      const remoteId = address?.id ?? null
      const options = { staticKey, remoteId, hello, mostMessageBytes: mostBytesOf }
      const budgets = { input: this.#input, output: this.#output }
      const connection = new Connection(socket, options, { clock, randomBytes, ...budgets })
      return await this.#introduce(connection, socket, address)
    } finally {
      this.#pending--
    }
  }

  /** A connection that is no peer at the end is closed, whatever went wrong. */
  async #introduce(connection: Connection, socket: Socket, address: NodeAddress | null): Promise<boolean> {
    try {
      return await this.#meet(connection, socket, address)
    } catch (error: unknown) {
      connection.disconnect(DISCONNECT.requested)
      throw error
    }
  }

  async #meet(connection: Connection, socket: Socket, address: NodeAddress | null): Promise<boolean> {
    const { clock, log } = this.#deps
    const remote = await connection.open()
    const name = nodeName(connection.remoteId)
    const info = this.#infoOf(socket, name, address)
    const isOurs = remote.capabilities.some(
      (offered) => offered.name === PARALLAX.name && offered.version === PARALLAX.version,
    )
    const isBanned = this.bans.reasonOf(name) !== null && !info.trusted
    const refusal = !isOurs || isBanned ? DISCONNECT.uselessPeer : this.peers.refusal(name, info)
    if (refusal !== null || this.#stopped) {
      connection.disconnect(refusal ?? DISCONNECT.quitting)
      return false
    }
    const status = await exchangeStatus(connection, await this.#deps.ownStatus(), clock)
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

  #infoOf(socket: Socket, name: string, address: NodeAddress | null): PeerInfo {
    return {
      direction: address === null ? 'inbound' : 'outbound',
      host: plainAddress(socket.remoteAddress ?? ''),
      port: socket.remotePort ?? 0,
      trusted: this.trusted.has(name),
      isStatic: this.queue.isFixed(name),
    }
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }
}
