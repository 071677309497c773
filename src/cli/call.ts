// What a command gets: its words, and the ways it may touch the world.
import type { Disposable } from '../base/disposable'
import type { Surroundings } from '../config/paths'
import type { ParsedArgv } from '../config/sources/parse-argv'
import type { ProcessFaults } from '../host/faults/process-faults'
import type { Platform } from '../host/system/platform'

/** A line of a terminal that is written over. */
export interface Terminal {
  readonly columns: () => number
  /** As it is, without a line break of its own. */
  readonly write: (text: string) => void
}

/** The world of one call. A front door fills it in; tests give their own. */
export interface CliWorld {
  readonly surroundings: Surroundings
  readonly platform: Platform
  /** Calls `listener` at every request to stop until disposed: SIGINT and SIGTERM, and on Windows what its console has. */
  readonly onStopSignal: (listener: () => void) => Disposable
  /** Who logs errors that nobody caught, and what they stop. */
  readonly faults: Pick<ProcessFaults, 'attend'>
  /** Ends the process at once. */
  readonly exitNow: (code: number) => void
  /** Standard error where it is a terminal that can redraw a line; null elsewhere. */
  readonly terminal: Terminal | null
  /** Asks for a line without showing it; null when nobody can be asked. */
  readonly askSecret: (question: string) => Promise<string | null>
}

/** A parsed call and its world. */
export interface CliCall {
  readonly argv: readonly string[]
  readonly parsed: ParsedArgv
  readonly world: CliWorld
}
