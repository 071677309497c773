// Uncaught errors of the main thread: a listener's is survived, as its emitter did its work; others end the program.
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { ListenerFailure } from '../../base/events'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'

/** What is running when a fault may occur. */
interface FaultyRun {
  readonly log: Logger
  /** Stops every service in order and removes the lock and the ready file. */
  readonly stop: () => Promise<void>
}

interface ProcessFaultsDeps {
  /** Calls `listener` with each uncaught exception and unhandled rejection. */
  readonly onUncaught: (listener: (error: unknown) => void) => Disposable
  /** Ends the process with a failure exit code. */
  readonly exit: (error: unknown) => void
  /** Used before there is a log. */
  readonly say: (error: unknown) => void
  readonly clock: Clock
}

/** The whole orderly stop, with all services' budgets; a longer stop has itself failed. */
const MAX_STOP_MS = 10_000

export class ProcessFaults {
  #runs: FaultyRun[] = []
  #isEnding = false

  constructor(private readonly deps: ProcessFaultsDeps) {
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
    log?.error('unexpected failure, shutting down', { error: messageOf(error), stack: stackOf(error) })
    if (this.#isEnding) return // it is already ending
    this.#isEnding = true
    this.deps.say(error)
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      this.deps.exit(error)
    }
    this.deps.clock.setTimeout(end, MAX_STOP_MS)
    this.#stopAll().then(end, end)
  }

  async #stopAll(): Promise<void> {
    for (const run of [...this.#runs].reverse()) {
      await run.stop().catch((error: unknown) => run.log.error('stop failed', { error: messageOf(error) }))
    }
  }
}

/** @param log null: nothing with a log is running yet */
export function logListenerFailure(log: Logger | null, { event, thrown }: ListenerFailure): void {
  log?.error('event listener failed', { event, error: messageOf(thrown), stack: stackOf(thrown) })
}

/** The stack of whatever was thrown; may be empty. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : ''
}

/** Node's two channels for uncaught errors, combined. */
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
