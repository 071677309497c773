// Where the history lives between runs: one file, replaced as a whole so that a crash leaves the old or the new one.

import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemCode } from '../../base/system-code'

export interface HistoryStore {
  /** Null when there is none yet. @throws what the file system throws */
  load(): Promise<Uint8Array | null>
  /** @throws what the file system throws; the old content is still there then */
  save(bytes: Uint8Array): Promise<void>
}

export class HistoryFile implements HistoryStore {
  /** @param path absolute */
  constructor(private readonly path: string) {}

  async load(): Promise<Uint8Array | null> {
    try {
      return await readFile(this.path)
    } catch (error: unknown) {
      if (isSystemCode(error, 'ENOENT')) return null
      throw error
    }
  }

  async save(bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true })
    const temporary = `${this.path}.new`
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, this.path)
  }
}

/** @param path absolute; null: nothing is kept */
export function fileStoreAt(path: string | null): HistoryStore | null {
  return path === null ? null : new HistoryFile(path)
}
