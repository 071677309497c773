// Bodies for a line of headers, from all peers at once, each asked for what it can bring; they come out in the headers' order.
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { bytesOfHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { P2pError } from '../../errors'
import { bad, type FetchedBody, type FetchedHeader, fetchBodies } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import { DISCONNECT } from '../wire/base-messages'
import { wrapList } from '../wire/messages'

/** Root of no transactions. */
const EMPTY_ROOT = bytesOfHex('56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
const EMPTY_LIST = Uint8Array.of(0xc0)
const MOST_HASHES = 128
/** A request shall take about so long. */
const WANTED_MS = 1_000
const MOST_FLIGHTS = 2
/** Bodies may be this far ahead of the one that is missing. */
const MOST_BYTES = 48 * 1024 * 1024
const MOST_TIMEOUTS = 2
const TICK_MS = 250

interface Slot {
  readonly entry: FetchedHeader
  body: Uint8Array | null
  isAsked: boolean
  /** Peers that do not have it. */
  readonly lackedBy: Set<string>
}

export interface BodyFetcherDeps {
  readonly peers: () => readonly Peer[]
  readonly timeoutMs: number
  readonly clock: Clock
  readonly log: Logger
}

/** A whole block. */
export interface FetchedBlock {
  readonly entry: FetchedHeader
  readonly rlp: Uint8Array
}

export class BodyFetcher {
  readonly #slots: Slot[] = []
  readonly #flights = new Map<Peer, number>()
  readonly #timeouts = new Map<string, number>()
  readonly #held = new Disposables()
  #bytes = 0
  #error: Error | null = null
  #wake: (() => void) | null = null

  constructor(private readonly deps: BodyFetcherDeps) {}

  start(): void {
    this.#held.add(this.deps.clock.setInterval(() => this.#pump(), TICK_MS))
  }

  stop(): void {
    this.#held.dispose()
    this.#fail(new P2pError('P2P_CLOSED', { reason: 'the sync ended' }))
  }

  add(headers: readonly FetchedHeader[]): void {
    for (const entry of headers) {
      const isEmpty = equalBytes(entry.header.txRoot, EMPTY_ROOT)
      this.#slots.push({ entry, body: isEmpty ? EMPTY_LIST : null, isAsked: false, lackedBy: new Set() })
    }
    this.#pump()
    this.#notify()
  }

  /** Headers whose blocks were not taken yet. */
  get waiting(): number {
    return this.#slots.length
  }

  /** The next blocks, at least one, in order; waits for the first. @throws P2pError when no peer has it, or after `stop` */
  async take(most: { readonly blocks: number; readonly bytes: number }): Promise<FetchedBlock[]> {
    while (this.#error === null && (this.#slots[0]?.body ?? null) === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#error !== null) throw this.#error
    const blocks: FetchedBlock[] = []
    let bytes = 0
    while (blocks.length < most.blocks && bytes < most.bytes) {
      const { entry, body = null } = this.#slots[0] ?? {}
      if (entry === undefined || body === null) break
      this.#slots.shift()
      this.#bytes -= body.length
      const rlp = wrapList([entry.rlp, body])
      blocks.push({ entry, rlp })
      bytes += rlp.length
    }
    this.#pump()
    return blocks
  }

  #pump(): void {
    if (this.#error !== null) return
    for (const peer of this.deps.peers()) {
      while (!peer.isClosed && (this.#flights.get(peer) ?? 0) < MOST_FLIGHTS) {
        const slots = this.#share(peer)
        if (slots.length === 0) break
        this.#ask(peer, slots).catch((error: unknown) => this.#fail(bad('bodies', messageOf(error))))
      }
    }
    const [first] = this.#slots
    if (first === undefined || first.body !== null || first.isAsked) return
    const able = this.deps.peers().filter((peer) => !peer.isClosed && !first.lackedBy.has(peer.name))
    if (able.length === 0) this.#fail(bad('bodies', `no peer has block ${first.entry.header.number}`))
  }

  /** What this peer is to be asked for now. */
  #share(peer: Peer): Slot[] {
    if (this.#bytes > MOST_BYTES) return []
    const most = peer.bodies.share(WANTED_MS, 4, MOST_HASHES)
    const slots: Slot[] = []
    for (const slot of this.#slots) {
      if (slot.body !== null || slot.isAsked || slot.lackedBy.has(peer.name)) continue
      slots.push(slot)
      if (slots.length === most) break
    }
    return slots
  }

  async #ask(peer: Peer, slots: readonly Slot[]): Promise<void> {
    const { clock, timeoutMs, log } = this.deps
    const startedAt = clock.monotonic()
    this.#flights.set(peer, (this.#flights.get(peer) ?? 0) + 1)
    for (const slot of slots) slot.isAsked = true
    try {
      const hashes = slots.map(({ entry }) => entry.hash)
      const bodies = await fetchBodies(peer, hashes, timeoutMs)
      this.#fill(peer, slots, bodies)
      this.#timeouts.delete(peer.name)
      peer.bodies.delivered(bodies.length, clock.monotonic() - startedAt)
    } catch (error: unknown) {
      log.debug('bodies not delivered', { peer: peer.name.slice(0, 16), error: messageOf(error) })
      this.#blame(peer, error)
    } finally {
      for (const slot of slots) slot.isAsked = false
      this.#flights.set(peer, (this.#flights.get(peer) ?? 1) - 1)
      if (peer.isClosed) this.#flights.delete(peer)
      this.#pump()
      this.#notify()
    }
  }

  /** Bodies come in the order that they were asked for; unknown ones are left out, and the tail when it gets too much. */
  #fill(peer: Peer, slots: readonly Slot[], bodies: readonly FetchedBody[]): void {
    let at = 0
    for (const body of bodies) {
      const skippedFrom = at
      while (at < slots.length && !equalBytes(slots[at]?.entry.header.txRoot ?? EMPTY_LIST, body.txRoot)) at++
      const slot = slots[at]
      if (slot === undefined) throw bad('bodies', 'one that was not asked for')
      for (const skipped of slots.slice(skippedFrom, at)) skipped.lackedBy.add(peer.name)
      if (slot.body === null) {
        slot.body = body.rlp
        this.#bytes += body.rlp.length
      }
      at++
    }
    if (bodies.length === 0) for (const slot of slots) slot.lackedBy.add(peer.name)
  }

  #blame(peer: Peer, error: unknown): void {
    peer.bodies.failed()
    if (!(error instanceof P2pError) || error.code === 'P2P_CLOSED') return
    const count = (this.#timeouts.get(peer.name) ?? 0) + 1
    this.#timeouts.set(peer.name, count)
    if (error.code === 'P2P_BAD_DATA' || count >= MOST_TIMEOUTS) peer.disconnect(DISCONNECT.uselessPeer)
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
