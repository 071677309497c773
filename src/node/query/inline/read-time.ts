// Bounds the time that database reads may take on a thread that must not wait.
import type { Clock } from '../../../base/time'
import type { ReadWatch } from '../snapshots'

/** Thrown by the read after the limit was exceeded. */
export class ReadsTooSlow extends Error {
  override readonly name = 'ReadsTooSlow'
}

/** Adds up the time of reads: a slow one can't be interrupted, but none follows it. */
export class ReadTime implements ReadWatch {
  #spentMs = 0
  #startedAt = 0

  constructor(
    private readonly limitMs: number,
    private readonly clock: Clock,
  ) {}

  /** Since the last reset, ms. */
  get spentMs(): number {
    return this.#spentMs
  }

  get isOver(): boolean {
    return this.#spentMs > this.limitMs
  }

  reset(): void {
    this.#spentMs = 0
  }

  /** @throws ReadsTooSlow */
  begin(): void {
    if (this.isOver) throw new ReadsTooSlow(`reads took ${this.#spentMs} ms`)
    this.#startedAt = this.clock.monotonic()
  }

  end(): void {
    this.#spentMs += this.clock.monotonic() - this.#startedAt
  }
}
