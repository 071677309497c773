// The pulse of a connection: pings, measures their way, and ends it with a peer that is silent, does not take what it is sent,
// or does nothing but ping.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import { BASE_CODES, DISCONNECT, type DisconnectReason } from '../wire/base-messages'

/** What a pulse does to its connection. */
export interface KeepAliveDeps {
  readonly clock: Clock
  readonly send: (code: number) => void
  readonly disconnect: (reason: DisconnectReason) => void
  /** Closes without a word: it would not be read. */
  readonly cut: (reason: string) => void
  /** Bytes given to the socket so far, and those of them that wait. */
  readonly output: () => { readonly written: number; readonly unsent: number }
}

const SILENCE_MS = 30_000
const PING_MS = 15_000
/** For an answer after a sleep of this computer; its network may need a moment itself. */
const WAKE_MS = 10_000
/** Base messages that a peer may send from one ping of ours to the next. */
const MAX_MESSAGES = 100
/** Pings of ours within which some of what waits must go out; the reference gives a frame 20 s. */
const MAX_STUCK_BEATS = 3

/** Times in ms on the monotonic clock; the round trip of the last ping is kept. */
export class KeepAlive {
  readonly #deps: KeepAliveDeps
  #timer: Disposable | null = null
  #doubt: Disposable | null = null
  #messages = 0
  #heardAt = 0
  /** When the ping went out that is not answered yet. */
  #pingedAt: number | null = null
  #latencyMs: number | null = null
  /** Bytes that had gone out at the last ping. */
  #gone = 0
  #stuckBeats = 0

  constructor(deps: KeepAliveDeps) {
    this.#deps = deps
  }

  /** Round trip of the last ping that was answered, ms; null before the first. */
  get latencyMs(): number | null {
    return this.#latencyMs
  }

  /** Once; later calls change nothing. */
  start(): void {
    if (this.#timer !== null) return
    const { clock } = this.#deps
    this.#heardAt = clock.monotonic()
    this.#timer = clock.setInterval(() => this.#beat(), PING_MS)
  }

  stop(): void {
    this.#timer?.dispose()
    this.#doubt?.dispose()
  }

  /** This computer slept: asks whether the other side is still there, and does not wait for long. */
  doubt(): void {
    if (this.#timer === null) return
    const { clock, send, cut } = this.#deps
    const asked = clock.monotonic()
    this.#pingedAt = asked
    this.#doubt?.dispose()
    this.#doubt = clock.setTimeout(() => {
      if (this.#heardAt <= asked) cut('no answer after a sleep of this computer')
    }, WAKE_MS)
    send(BASE_CODES.ping)
  }

  /** A whole frame came. */
  heard(): void {
    this.#heardAt = this.#deps.clock.monotonic()
  }

  /** A message of the base protocol that is neither Hello nor Disconnect; unknown ones are ignored. */
  take(code: number): void {
    const { clock, send, disconnect } = this.#deps
    if (++this.#messages > MAX_MESSAGES) {
      disconnect(DISCONNECT.badProtocol)
      return
    }
    if (code === BASE_CODES.ping) send(BASE_CODES.pong)
    if (code !== BASE_CODES.pong || this.#pingedAt === null) return
    this.#latencyMs = clock.monotonic() - this.#pingedAt
    this.#pingedAt = null
  }

  #beat(): void {
    const { clock, send, disconnect, cut } = this.#deps
    this.#messages = 0
    const now = clock.monotonic()
    if (now - this.#heardAt > SILENCE_MS) disconnect(DISCONNECT.readTimeout)
    else if (this.#isStuck()) cut('it does not read what it is sent')
    else {
      this.#pingedAt = now
      send(BASE_CODES.ping)
    }
  }

  #isStuck(): boolean {
    const { written, unsent } = this.#deps.output()
    const gone = written - unsent
    this.#stuckBeats = unsent > 0 && gone === this.#gone ? this.#stuckBeats + 1 : 0
    this.#gone = gone
    return this.#stuckBeats >= MAX_STUCK_BEATS
  }
}
