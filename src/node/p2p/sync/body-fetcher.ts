// Fetches the bodies for a series of headers from all peers at once, each asked for what it can deliver; returns them
// in header order.
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { Disposables } from '../../../base/lifecycle'
import { encodedList } from '../../codec/rlp'
import { P2pError } from '../../errors'
import { EMPTY_TRIE_ROOT } from '../../trie/trie'
import { bad, type FetchedBody, type FetchedHeader, fetchBodies } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import type { SyncParts } from './sync-parts'

const EMPTY_LIST = Uint8Array.of(0xc0)
const MAX_HASHES = 128
const MIN_HASHES = 4
const WANTED_MS = 1_000
const MAX_FLIGHTS = 2
/** Requested even when there is no room. */
const NEXT_SLOTS = 16
/** An honest peer's answer ends at about 2 MiB. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024
const MIN_ANSWER_BYTES = 64 * 1024
const MAX_TIMEOUTS = 2
const TICK_MS = 250
/** Weight of a new answer in the average body size. */
const WEIGHT = 0.2

interface Slot {
  readonly entry: FetchedHeader
  body: Uint8Array | null
  /** Open requests for it; more than one only when the first is late. */
  readonly askedOf: Set<Peer>
  isLate: boolean
  readonly lackedBy: Set<string>
}

interface FetchedBlock {
  readonly entry: FetchedHeader
  readonly rlp: Uint8Array
}

/** A window over the headers; data ahead of the import is limited in bytes and blocks. */
export class BodyFetcher {
  readonly #slots: Slot[] = []
  readonly #flights = new Map<Peer, number>()
  readonly #timeouts = new Map<string, number>()
  readonly #held = new Disposables()
  #bytes = 0
  #headerBytes = 0
  /** Expected bytes of the open requests. */
  #onWay = 0
  #meanBytes = 1024
  #isComplete = false
  #error: Error | null = null
  #wake: (() => void) | null = null

  constructor(private readonly deps: Pick<SyncParts, 'peers' | 'limits' | 'clock' | 'log' | 'meter' | 'onFault'>) {}

  start(): void {
    this.#held.add(this.deps.clock.setInterval(() => this.#pump(), TICK_MS))
  }

  stop(): void {
    this.#held.dispose()
    this.#fail(new P2pError('P2P_CLOSED', { reason: 'the sync ended' }))
  }

  add(headers: readonly FetchedHeader[]): void {
    let empty = 0
    for (const entry of headers) {
      const body = equalBytes(entry.header.txRoot, EMPTY_TRIE_ROOT) ? EMPTY_LIST : null
      if (body !== null) empty++
      this.#slots.push({ entry, body, askedOf: new Set(), isLate: false, lackedBy: new Set() })
      this.#headerBytes += entry.rlp.length
    }
    this.deps.meter.bodies(empty)
    this.#pump()
    this.#notify()
  }

  complete(): void {
    this.#isComplete = true
    this.#notify()
  }

  /** Headers whose blocks haven't been taken, and their bytes. */
  get waiting(): { readonly headers: number; readonly bytes: number } {
    return { headers: this.#slots.length, bytes: this.#headerBytes }
  }

  /** Whether `take` returns immediately. */
  get isReady(): boolean {
    return this.#error !== null || this.#isOver || (this.#slots[0]?.body ?? null) !== null
  }

  /** The next blocks in order; waits for the first; none after the last. @throws P2pError without a peer; after `stop` */
  async take(most: { readonly blocks: number; readonly bytes: number }): Promise<FetchedBlock[]> {
    while (!this.isReady) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#error !== null) throw this.#error
    const blocks: FetchedBlock[] = []
    let bytes = 0
    while (blocks.length < most.blocks && bytes < most.bytes) {
      const { entry, body = null } = this.#slots[blocks.length] ?? {}
      if (entry === undefined || body === null) break
      this.#bytes -= body.length
      this.#headerBytes -= entry.rlp.length
      const rlp = encodedList([entry.rlp, body])
      blocks.push({ entry, rlp })
      bytes += rlp.length
    }
    this.#slots.splice(0, blocks.length)
    this.#pump()
    return blocks
  }

  get #isOver(): boolean {
    return this.#isComplete && this.#slots.length === 0
  }

  #pump(): void {
    if (this.#error !== null) return
    const peers = this.deps.peers().filter((peer) => !peer.isClosed)
    // The fastest are asked for the blocks needed first; every peer once before any peer twice.
    const order = [...peers].sort((a, b) => b.bodies.perSecond - a.bodies.perSecond)
    for (let most = 1; most <= MAX_FLIGHTS; most++) for (const peer of order) this.#askNext(peer, most)
    const [first] = this.#slots
    if (first === undefined || first.body !== null || first.askedOf.size > 0) return
    if (peers.length === 0) this.#fail(new P2pError('P2P_CLOSED', { reason: 'no peer is left to ask for bodies' }))
    else if (peers.every(({ name }) => first.lackedBy.has(name)))
      this.#fail(bad('bodies', `no peer has block ${first.entry.header.number}`))
  }

  #askNext(peer: Peer, maxFlights: number): void {
    if (peer.isClosed || (this.#flights.get(peer) ?? 0) >= maxFlights) return
    const slots = this.#share(peer)
    if (slots.length > 0) this.#ask(peer, slots).catch((error: unknown) => this.#fail(bad('bodies', messageOf(error))))
  }

  #share(peer: Peer): Slot[] {
    const most = peer.bodies.share(WANTED_MS, MIN_HASHES, MAX_HASHES)
    const isFull = this.#bytes + this.#onWay >= this.deps.limits.bodyBytes
    const slots: Slot[] = []
    for (const slot of isFull ? this.#slots.slice(0, NEXT_SLOTS) : this.#slots) {
      if (isFor(slot, peer)) slots.push(slot)
      if (slots.length === most) break
    }
    return slots
  }

  async #ask(peer: Peer, slots: readonly Slot[]): Promise<void> {
    const { clock, limits, log, meter } = this.deps
    const startedAt = clock.monotonic()
    const expected = Math.round(slots.length * this.#meanBytes)
    const reserved = Math.min(MAX_ANSWER_BYTES, Math.max(MIN_ANSWER_BYTES, expected))
    this.#onWay += reserved
    this.#flights.set(peer, (this.#flights.get(peer) ?? 0) + 1)
    for (const slot of slots) {
      if (slot.askedOf.size === 0) slot.isLate = false
      slot.askedOf.add(peer)
    }
    meter.use(peer)
    const late = clock.setTimeout(() => {
      for (const slot of slots) slot.isLate = true
      this.#pump()
    }, limits.lateMs)
    try {
      const hashes = slots.map(({ entry }) => entry.hash)
      const bodies = await fetchBodies(peer, hashes, limits.bodiesMs)
      this.#fill(peer, slots, bodies)
      this.#timeouts.delete(peer.name)
      peer.bodies.delivered(bodies.length, clock.monotonic() - startedAt)
    } catch (error: unknown) {
      log.debug('bodies not delivered', { peer: peer.name.slice(0, 16), error: messageOf(error) })
      this.#blame(peer, error)
    } finally {
      late.dispose()
      this.#onWay -= reserved
      for (const slot of slots) slot.askedOf.delete(peer)
      this.#flights.set(peer, (this.#flights.get(peer) ?? 1) - 1)
      if (peer.isClosed) this.#flights.delete(peer)
      this.#pump()
      this.#notify()
    }
  }

  /** Bodies arrive in request order; unknown ones are skipped, and the tail is cut when it gets too large. */
  #fill(peer: Peer, slots: readonly Slot[], bodies: readonly FetchedBody[]): void {
    let at = 0
    for (const body of bodies) {
      const skippedFrom = at
      while (at < slots.length && !equalBytes(slots[at]?.entry.header.txRoot ?? EMPTY_LIST, body.txRoot)) at++
      const slot = slots[at]
      if (slot === undefined) throw bad('bodies', 'one that was not asked for')
      for (const skipped of slots.slice(skippedFrom, at)) skipped.lackedBy.add(peer.name)
      this.#meanBytes += WEIGHT * (body.rlp.length - this.#meanBytes)
      if (slot.body === null && this.#error === null) {
        slot.body = body.rlp
        this.#bytes += body.rlp.length
        this.deps.meter.bodies(1)
      }
      at++
    }
    if (bodies.length === 0) for (const slot of slots) slot.lackedBy.add(peer.name)
  }

  #blame(peer: Peer, error: unknown): void {
    peer.bodies.failed()
    if (!(error instanceof P2pError) || error.code === 'P2P_CLOSED' || this.#error !== null) return
    const count = (this.#timeouts.get(peer.name) ?? 0) + 1
    this.#timeouts.set(peer.name, count)
    if (error.code === 'P2P_BAD_DATA' || count >= MAX_TIMEOUTS) this.deps.onFault(peer, messageOf(error))
  }

  #fail(error: Error): void {
    this.#error ??= error
    this.#notify()
  }

  #notify(): void {
    const wake = this.#wake
    this.#wake = null
    wake?.()
  }
}

function isFor(slot: Slot, peer: Peer): boolean {
  if (slot.body !== null || slot.lackedBy.has(peer.name) || slot.askedOf.has(peer)) return false
  return slot.askedOf.size === 0 || (slot.isLate && slot.askedOf.size === 1)
}
