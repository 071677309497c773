// What a command gets: its words, and its access to the outside world.
import type { Disposable } from '../base/disposable'
import type { Surroundings } from '../config/paths'
import type { ParsedArgv } from '../config/sources/parse-argv'
import type { ProcessFaults } from '../host/faults/process-faults'
import type { Platform } from '../host/system/platform'

/** A terminal line that is overwritten. */
export interface Terminal {
  readonly columns: () => number
  /** As is, without a line break. */
  readonly write: (text: string) => void
}

/** The outside world of one call. The entry point supplies it; tests supply their own. */
export interface CliWorld {
  readonly surroundings: Surroundings
  readonly platform: Platform
  /** Calls `listener` on every stop request until disposed: SIGINT and SIGTERM, and on Windows the console's events. */
  readonly onStopSignal: (listener: () => void) => Disposable
  /** Logs uncaught errors, and stops what is running. */
  readonly faults: Pick<ProcessFaults, 'attend'>
  /** Ends the process immediately. */
  readonly exitNow: (code: number) => void
  /** Standard error where it is a terminal that can redraw a line; null elsewhere. */
  readonly terminal: Terminal | null
  /** Asks for a line without echo; null when nobody can be asked. */
  readonly askSecret: (question: string) => Promise<string | null>
}

/** A parsed call and its world. */
export interface CliCall {
  readonly argv: readonly string[]
  readonly parsed: ParsedArgv
  readonly world: CliWorld
}
