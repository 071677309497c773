// Keep-alive: pings, measures the round trip, ends the connection to a peer that is silent, doesn't read or only pings.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import { BASE_CODES, DISCONNECT, type DisconnectReason } from '../../protocol/base-messages'

interface KeepAliveDeps {
  readonly clock: Clock
  readonly send: (code: number) => void
  readonly disconnect: (reason: DisconnectReason) => void
  /** Closes without a message: it wouldn't be read. */
  readonly cut: (reason: string) => void
  /** Bytes passed to the socket so far, and how many of them are unsent. */
  readonly output: () => { readonly written: number; readonly unsent: number }
}

const SILENCE_MS = 30_000
const PING_MS = 15_000
/** Time for an answer after this computer slept; its network may need a moment to recover. */
const WAKE_MS = 10_000
/** Base protocol messages that a peer may send between two of our pings. */
const MAX_MESSAGES = 100
/** Number of our pings within which some unsent data must be sent; prlx allows a frame 20 s. */
const MAX_STUCK_BEATS = 3

/** Times in ms on the monotonic clock; keeps the last ping's round trip. */
export class KeepAlive {
  #timer: Disposable | null = null
  #doubt: Disposable | null = null
  #messages = 0
  #heardAt = 0
  /** When the unanswered ping was sent. */
  #pingedAt: number | null = null
  #latencyMs: number | null = null
  /** Bytes sent as of the last ping. */
  #gone = 0
  #stuckBeats = 0

  constructor(private readonly deps: KeepAliveDeps) {}

  /** Round trip of the last answered ping, ms; null before the first. */
  get latencyMs(): number | null {
    return this.#latencyMs
  }

  /** Later calls have no effect. */
  start(): void {
    if (this.#timer !== null) return
    const { clock } = this.deps
    this.#heardAt = clock.monotonic()
    this.#timer = clock.setInterval(() => this.#beat(), PING_MS)
  }

  stop(): void {
    this.#timer?.dispose()
    this.#doubt?.dispose()
  }

  /** This computer slept: checks that the other side is still there, with a short timeout. */
  doubt(): void {
    if (this.#timer === null) return
    const { clock, send, cut } = this.deps
    const asked = clock.monotonic()
    this.#pingedAt = asked
    this.#doubt?.dispose()
    this.#doubt = clock.setTimeout(() => {
      if (this.#heardAt <= asked) cut('no answer after a sleep of this computer')
    }, WAKE_MS)
    send(BASE_CODES.ping)
  }

  heard(): void {
    this.#heardAt = this.deps.clock.monotonic()
  }

  /** A base protocol message other than Hello and Disconnect; unknown ones are ignored. */
  take(code: number): void {
    const { clock, send, disconnect } = this.deps
    if (++this.#messages > MAX_MESSAGES) disconnect(DISCONNECT.badProtocol)
    else if (code === BASE_CODES.ping) send(BASE_CODES.pong)
    else if (code === BASE_CODES.pong && this.#pingedAt !== null) {
      this.#latencyMs = clock.monotonic() - this.#pingedAt
      this.#pingedAt = null
    }
  }

  #beat(): void {
    const { clock, send, disconnect, cut } = this.deps
    this.#messages = 0
    const now = clock.monotonic()
    if (now - this.#heardAt > SILENCE_MS) disconnect(DISCONNECT.readTimeout)
    else if (this.#isStuck()) cut('peer stopped reading')
    else {
      this.#pingedAt = now
      send(BASE_CODES.ping)
    }
  }

  #isStuck(): boolean {
    const { written, unsent } = this.deps.output()
    const gone = written - unsent
    this.#stuckBeats = unsent > 0 && gone === this.#gone ? this.#stuckBeats + 1 : 0
    this.#gone = gone
    return this.#stuckBeats >= MAX_STUCK_BEATS
  }
}
