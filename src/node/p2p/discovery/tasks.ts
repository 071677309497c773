// Work that goes on in the background of a service: repeated with pauses, waited for at the end.
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'

/** Background work, so that `stop` can wait for all of it. */
export class Tasks {
  readonly #running = new Set<Promise<void>>()
  readonly #timers = new Set<Disposable>()
  #abort = new AbortController()

  constructor(private readonly deps: { readonly clock: Clock; readonly log: Logger }) {}

  /** Aborted by `stop`. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Begins `work`; what it throws is logged. */
  run(work: () => Promise<void>): void {
    if (this.signal.aborted) return
    const task = work()
      .catch((error: unknown) => this.deps.log.debug('background task failed', { error: messageOf(error) }))
      .finally(() => this.#running.delete(task))
    this.#running.add(task)
  }

  /** Runs `work` after each pause; the next pause begins when it is done. */
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

  /** Ends the pauses, aborts the signal and waits for what runs. Then it can be used again. */
  async stop(): Promise<void> {
    this.#abort.abort()
    for (const timer of this.#timers) timer.dispose()
    this.#timers.clear()
    await Promise.all(this.#running)
    this.#abort = new AbortController()
  }
}
