// The one handler for errors that nobody caught, of a program's main thread: what a listener threw is logged and survived, since
// the code that emitted did its work; anything else ends the program in order, because its state isn't known any more.
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { ListenerFailure } from '../../base/events'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'

/** What is running while a fault may happen. */
export interface FaultyRun {
  readonly log: Logger
  /** Stops every service in order and removes the lock and the ready file. */
  readonly stop: () => Promise<void>
}

export interface ProcessFaultsDeps {
  /** Calls `listener` with each uncaught exception and each rejection that nobody took. */
  readonly onUncaught: (listener: (error: unknown) => void) => Disposable
  /** Ends the process with the exit code of a failure. */
  readonly exit: (error: unknown) => void
  /** Where there is no log yet. */
  readonly say: (error: unknown) => void
  readonly clock: Clock
}

/** The whole stop in order, with all budgets of all services; a stop that takes longer has itself failed. */
const MAX_STOP_MS = 10_000

export class ProcessFaults {
  readonly #deps: ProcessFaultsDeps
  #runs: FaultyRun[] = []
  #isEnding = false

  constructor(deps: ProcessFaultsDeps) {
    this.#deps = deps
    deps.onUncaught((error) => this.#take(error))
  }

  /** From now on faults are logged there, and a fatal one stops it; the latest run is stopped first. */
  attend(run: FaultyRun): Disposable {
    this.#runs.push(run)
    const leave = (): void => {
      this.#runs = this.#runs.filter((other) => other !== run)
    }
    return { dispose: leave }
  }

  #take(error: unknown): void {
    const log = this.#runs.at(-1)?.log ?? null
    if (error instanceof ListenerFailure) {
      logListenerFailure(log, error)
      return
    }
    log?.error('unexpected failure, stopping in order', { error: messageOf(error), stack: stackOf(error) })
    if (this.#isEnding) return // it is on its way out already
    this.#isEnding = true
    this.#deps.say(error)
    const end = (): void => this.#deps.exit(error)
    this.#deps.clock.setTimeout(end, MAX_STOP_MS)
    this.#stopAll().then(end, end)
  }

  async #stopAll(): Promise<void> {
    for (const run of [...this.#runs].reverse()) {
      await run.stop().catch((error: unknown) => run.log.error('stop failed', { error: messageOf(error) }))
    }
  }
}

/** @param log null: nothing runs yet that has one */
export function logListenerFailure(log: Logger | null, { event, thrown }: ListenerFailure): void {
  log?.error('event listener failed', { event, error: messageOf(thrown), stack: stackOf(thrown) })
}

/** The stack of whatever was thrown; empty where it has none. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : ''
}

/** Node's two channels for errors that nobody caught, as one. */
export function onUncaughtInProcess(listener: (error: unknown) => void): Disposable {
  process.on('uncaughtException', listener)
  process.on('unhandledRejection', listener)
  return {
    dispose: () => {
      process.off('uncaughtException', listener)
      process.off('unhandledRejection', listener)
    },
  }
}
