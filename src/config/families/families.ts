// What users know from the Go node (prlx, geth), its signer (clef) and miners (ethminer, hashwarp): one answer a word.

import type { LogLevel } from '../../base/logger'
import type { CommandName } from '../schema'
import type { Family, FamilyCommand, FamilyFlag } from './family'
import { MINER_COMMANDS, MINER_FLAGS } from './miner-words'
import { NODE_COMMANDS, NODE_FLAGS } from './node-words'
import { SIGNER_COMMANDS, SIGNER_FLAGS } from './signer-words'

/** The node family counts up: silent, errors, warnings, info, debug, everything. Silence isn't offered. */
const NODE_LEVELS: readonly LogLevel[] = ['error', 'error', 'warn', 'info', 'debug', 'trace']
/** A bit of the miner family's bit mask: every line to and from the pool. */
const POOL_LINES = 1

/** The level of `-v`, `--verbosity` or `--loglevel N`: in `headframe miner` a bit mask, else the node's; null: invalid. */
export function logLevelOfVerbosity(text: string, command: CommandName): LogLevel | null {
  if (!/^\d{1,4}$/.test(text)) return null
  const number = Number(text)
  if (command === 'miner') return (number & POOL_LINES) === 0 ? 'info' : 'debug'
  return NODE_LEVELS[Math.min(number, NODE_LEVELS.length - 1)] ?? null
}

export const FAMILIES: readonly Family[] = [
  { name: 'node', programs: 'prlx', command: 'node', flags: NODE_FLAGS, commands: NODE_COMMANDS },
  { name: 'signer', programs: 'clef', command: 'signer', flags: SIGNER_FLAGS, commands: SIGNER_COMMANDS },
  { name: 'miner', programs: 'hashwarp, ethminer', command: 'miner', flags: MINER_FLAGS, commands: MINER_COMMANDS },
]

/**
 * The family's answer to a flag that isn't an option of `command`; its own family is asked first, as two may share a word.
 * @param name without dashes @param onlyOwn asks no other family: another command of ours has the word
 */
export function familyFlag(name: string, command: CommandName | null, onlyOwn = false): FamilyFlag | null {
  const own = FAMILIES.filter((family) => family.command === command)
  const families = onlyOwn ? own : [...own, ...FAMILIES.filter((family) => family.command !== command)]
  for (const { flags } of families) {
    const found = flags.find((row) => row.flag === name && row.answer.kind !== 'same')
    if (found !== undefined) return found
  }
  return null
}

/** The family's answer to a first word that isn't a command of ours. */
export function familyCommand(word: string): FamilyCommand | null {
  const rows = FAMILIES.filter((family) => family.name === 'node').flatMap((family) => family.commands)
  return rows.find((row) => row.word === word && row.answer.kind !== 'same') ?? null
}
