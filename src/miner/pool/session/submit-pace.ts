// Protection against a target that is too easy for the rig: shares are sent at a steady pace instead of in a flood.
import { type Clock, sleep } from '../../../base/time'

const WINDOW_MS = 1_000
/** Solutions per second that are sent immediately. */
const MAX_A_SECOND = 50
/** Gap between two shares above that: 20 per second. */
const GAP_MS = 50
/** Waiting shares; further ones are dropped. */
const MAX_WAITING = 200

/** Paces one pool's shares. */
export class SubmitPace {
  readonly #recent: number[] = []
  #nextTurnAt = 0
  #waiting = 0

  /** @param most solutions per second that are sent immediately */
  constructor(
    private readonly clock: Clock,
    private readonly most = MAX_A_SECOND,
  ) {}

  /** True when the rig finds more than can be sent. */
  get throttled(): boolean {
    return this.#recent.length > this.most
  }

  /** Resolves true when the share may be sent, false when too many are waiting. */
  async turn(signal: AbortSignal): Promise<boolean> {
    const now = this.clock.monotonic()
    while (this.#recent[0] !== undefined && this.#recent[0] <= now - WINDOW_MS) this.#recent.shift()
    this.#recent.push(now)
    if (!this.throttled) return true
    if (this.#waiting >= MAX_WAITING) return false
    this.#nextTurnAt = Math.max(now, this.#nextTurnAt + GAP_MS)
    this.#waiting += 1
    try {
      await sleep(this.clock, this.#nextTurnAt - now, signal)
      return true
    } finally {
      this.#waiting -= 1
    }
  }
}
