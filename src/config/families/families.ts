// Flags and commands that users know from three program families: the Go node (prlx, geth), its signer (clef) and the
// miners (ethminer, hashwarp). Each word has one answer here; the command line, the migration page and the tests read
// it.
import type { CommandName } from '../schema'
import type { Family, FamilyCommand, FamilyFlag } from './family'
import { MINER_COMMANDS, MINER_FLAGS } from './miner-words'
import { NODE_COMMANDS, NODE_FLAGS } from './node-words'
import { SIGNER_COMMANDS, SIGNER_FLAGS } from './signer-words'

export const FAMILIES: readonly Family[] = [
  { name: 'node', programs: 'prlx', command: 'node', flags: NODE_FLAGS, commands: NODE_COMMANDS },
  { name: 'signer', programs: 'clef', command: 'signer', flags: SIGNER_FLAGS, commands: SIGNER_COMMANDS },
  { name: 'miner', programs: 'hashwarp, ethminer', command: 'miner', flags: MINER_FLAGS, commands: MINER_COMMANDS },
]

/**
 * The family's answer to a flag that isn't an option of `command`. The family that `command` replaces is asked first,
 * since two families may use one word for different things.
 * @param name without dashes
 * @param onlyOwn asks no other family: another command of ours has the word
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
