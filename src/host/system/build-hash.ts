// One hash over the program's built files, by which two computers can tell whether they run the same.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Digits displayed: enough to tell builds apart. */
const SHOWN_DIGITS = 16

/** @param folders absolute; their relative names are hashed. @returns 16 hex digits; empty when one can't be read */
export async function buildHash(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  try {
    for (const folder of folders) await addFolder(hash, folder, '')
  } catch {
    return '' // started from sources: there is no build
  }
  return hash.digest('hex').slice(0, SHOWN_DIGITS)
}

async function addFolder(hash: ReturnType<typeof createHash>, root: string, below: string): Promise<void> {
  const entries = await readdir(join(root, below), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) await addFolder(hash, root, path)
    else
      hash.update(`${path}\n`).update(
        createHash('sha256')
          .update(await readFile(join(root, path)))
          .digest(),
      )
  }
}
