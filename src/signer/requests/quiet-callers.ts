// Blocked callers: ignored for a minute, unless the block is lifted.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'

const QUIET_MS = 60_000

/** By caller key, in memory only: a restart lifts all blocks. */
export class QuietCallers {
  readonly #quiet = new Map<string, { readonly until: number; readonly timer: Disposable }>()

  /** @param changed called when a block ends */
  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  has(key: string): boolean {
    return this.#quiet.has(key)
  }

  add(key: string): void {
    this.#quiet.get(key)?.timer.dispose()
    const timer = this.clock.setTimeout(() => {
      this.#quiet.delete(key)
      this.changed()
    }, QUIET_MS)
    this.#quiet.set(key, { until: this.clock.now() + QUIET_MS, timer })
  }

  /** UTC ms until which some caller is blocked; null when none is. */
  until(): number | null {
    return this.#quiet.size === 0 ? null : Math.max(...[...this.#quiet.values()].map(({ until }) => until))
  }

  /** Lifts all blocks. */
  clear(): void {
    if (this.#quiet.size === 0) return
    for (const { timer } of this.#quiet.values()) timer.dispose()
    this.#quiet.clear()
    this.changed()
  }
}
