// The chart history's storage: one file, replaced as a whole so that a crash leaves either the old or the new one.

import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemCode } from '../../base/errors'
import { replaceDurably } from '../../files/durable-file'

/** Storage of the history. */
export interface HistoryStore {
  /** Null when there is none yet. @throws the file system's error */
  load(): Promise<Uint8Array | null>
  /** @throws the file system's error; the old content is intact then */
  save(bytes: Uint8Array): Promise<void>
}

/** Storage in a file. */
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
    await replaceDurably(this.path, bytes)
  }
}
