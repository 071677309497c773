// Maps the families' numeric verbosity to our log levels.
import type { LogLevel } from '../../base/logger'
import type { CommandName } from '../schema'

/** The node family counts up: silent, errors, warnings, info, debug, everything. Silence isn't offered. */
const NODE_LEVELS: readonly LogLevel[] = ['error', 'error', 'warn', 'info', 'debug', 'trace']
/** A bit of the miner family's bit mask: every line to and from the pool. */
const POOL_LINES = 1

/**
 * The log level for `-v N`, `--verbosity N` or `--loglevel N`. In `headframe miner` N is the miner family's bit mask,
 * elsewhere the node family's level. Null when it isn't a valid number of that family.
 */
export function logLevelOfVerbosity(text: string, command: CommandName): LogLevel | null {
  if (!/^\d{1,4}$/.test(text)) return null
  const number = Number(text)
  if (command === 'miner') return (number & POOL_LINES) === 0 ? 'info' : 'debug'
  return NODE_LEVELS[Math.min(number, NODE_LEVELS.length - 1)] ?? null
}
