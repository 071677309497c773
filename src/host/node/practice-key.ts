// Keeps the practice account's key off every other network. Its password is beside it in clear text, so it must never
// be an account on the main network: while another network runs, its key file is kept in the practice network's own
// folder.
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { readJson } from '../../files/json-file'

const recordSchema = z.object({ address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) })

interface PracticeKeyDeps {
  /** The data directory. */
  readonly root: string
  /** The signer's folder of key files. */
  readonly keystore: string
  readonly isPractice: boolean
  readonly log: Logger
}

/** Where the practice key is kept while another network runs. */
export function practiceKeyFolder(root: string): string {
  return join(root, 'practice', 'keystore')
}

/** Address of this data directory's practice account, `0x` and lower case; null for none. */
export function practiceAddress(root: string): string | null {
  try {
    return readJson(join(root, 'practice.json'), recordSchema)?.address.toLowerCase() ?? null
  } catch {
    return null // reported when the practice network starts
  }
}

/** Started before the signer reads its folder. A user who imports the key elsewhere gets a file of it there. */
export class PracticeKeyPlace implements Service {
  readonly name = 'practice-key'

  constructor(private readonly deps: PracticeKeyDeps) {}

  async start(): Promise<void> {
    const { root, keystore, isPractice, log } = this.deps
    const address = practiceAddress(root)
    if (address === null) return
    const away = practiceKeyFolder(root)
    const moved = isPractice ? moveMissing(address, away, keystore) : moveMissing(address, keystore, away)
    for (const name of moved)
      log.info('the practice account’s key was moved', { file: name, to: isPractice ? keystore : away })
  }

  async stop(): Promise<void> {}
}

/** Names of an address's key files, by the family's naming; none without such a folder. */
function keysOf(address: string, folder: string): readonly string[] {
  const ending = `--${address.slice(2)}`
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.toLowerCase().endsWith(ending)) : []
}

/** Unless the target has a key of that address: the user imported it meanwhile. @returns names of the moved files */
function moveMissing(address: string, from: string, to: string): readonly string[] {
  const names = keysOf(address, to).length > 0 ? [] : keysOf(address, from)
  if (names.length > 0) mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of names) renameSync(join(from, name), join(to, name))
  return names
}
