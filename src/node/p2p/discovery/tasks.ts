// Background work of a service: repeated with pauses, and awaited on stop.
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'

/** Tracks background work, so that `stop` can await all of it. */
export class Tasks {
  readonly #running = new Set<Promise<void>>()
  readonly #timers = new Set<Disposable>()
  #abort = new AbortController()

  constructor(private readonly deps: { readonly clock: Clock; readonly log: Logger }) {}

  /** Aborted by `stop`. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Starts `work`; errors are logged. */
  run(work: () => Promise<void>): void {
    if (this.signal.aborted) return
    const task = work()
      .catch((error: unknown) => this.deps.log.debug('background task failed', { error: messageOf(error) }))
      .finally(() => this.#running.delete(task))
    this.#running.add(task)
  }

  /** Runs `work` after each pause; the next pause begins when it has finished. */
  repeat(pauseMs: () => number, work: () => Promise<void>): void {
    if (this.signal.aborted) return
    const timer = this.deps.clock.setTimeout(() => {
      this.#timers.delete(timer)
      this.run(async () => {
        try {
          await work()
        } finally {
          this.repeat(pauseMs, work)
        }
      })
    }, pauseMs())
    this.#timers.add(timer)
  }

  /** Ends the pauses, aborts the signal and awaits running work. Reusable afterwards. */
  async stop(): Promise<void> {
    this.#abort.abort()
    for (const timer of this.#timers) timer.dispose()
    this.#timers.clear()
    await Promise.all(this.#running)
    this.#abort = new AbortController()
  }
}
