// Keeps the practice account's key out of every other network. Its password lies beside it in clear text, so an account of the
// main network it must never be: while another network runs, its key file waits in the practice network's own folder.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'

const recordSchema = z.object({ address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) })

export interface PracticeKeyDeps {
  /** The data directory. */
  readonly root: string
  /** Folder of the key files that the signer reads. */
  readonly keystore: string
  readonly isPractice: boolean
  readonly log: Logger
}

/** Where the practice key lies while another network runs. */
export function practiceKeyFolder(root: string): string {
  return join(root, 'practice', 'keystore')
}

/** Address of the account that this data directory's practice network made, `0x` and lower case; null for none. */
export function practiceAddress(root: string): string | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(root, 'practice.json'), 'utf8'))).address.toLowerCase()
  } catch {
    return null // there was no practice network here; one whose record is broken says so when it starts
  }
}

/** Started before the signer reads its folder. Whoever imports the key on another network has a file of it there again. */
export class PracticeKeyPlace implements Service {
  readonly name = 'practice-key'
  readonly #deps: PracticeKeyDeps

  constructor(deps: PracticeKeyDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    const { root, keystore, isPractice, log } = this.#deps
    const address = practiceAddress(root)
    if (address === null) return
    const away = practiceKeyFolder(root)
    const moved = isPractice ? moveMissing(address, away, keystore) : moveMissing(address, keystore, away)
    for (const name of moved)
      log.info('the practice account’s key was moved', { file: name, to: isPractice ? keystore : away })
  }

  async stop(): Promise<void> {}
}

/** Names of the key files of an address, by the family's naming; none where there is no such folder. */
function keysOf(address: string, folder: string): readonly string[] {
  const ending = `--${address.slice(2)}`
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.toLowerCase().endsWith(ending)) : []
}

/**
 * Nothing where the other folder has a key of that address already: the one that is left was imported by its user, while the
 * practice network's own lay away. @returns names of what was moved
 */
function moveMissing(address: string, from: string, to: string): readonly string[] {
  const names = keysOf(address, to).length > 0 ? [] : keysOf(address, from)
  if (names.length > 0) mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of names) renameSync(join(from, name), join(to, name))
  return names
}
