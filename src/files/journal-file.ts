// A growing file of JSON lines: what is added is on disk when the call returns, and nothing older is ever lost.
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemCode, messageOf } from '../base/errors'
import type { Logger } from '../base/logger'
import { replaceDurably } from './durable-file'

const OWNER_ONLY = 0o600
/** A larger file isn't ours. */
const MAX_BYTES = 256 * 2 ** 20

/** Where records are kept; each is one JSON object. */
export interface Journal {
  /** Every line that is whole, oldest first; empty when there is none. Never rejects. */
  load(): Promise<readonly unknown[]>
  /** @throws the system's error; some of the records may then be there */
  append(records: readonly object[]): Promise<void>
  /** Replaces the file by these records. @throws the system's error; the old content is intact then */
  replace(records: readonly object[]): Promise<void>
}

/** A journal in a file, for its owner only. */
export class JournalFile implements Journal {
  /** Writes run one after the other. */
  #tail: Promise<void> = Promise.resolve()

  /** @param path absolute */
  constructor(
    private readonly path: string,
    private readonly log: Logger,
  ) {}

  async load(): Promise<readonly unknown[]> {
    const { path, log } = this
    try {
      const bytes = await readFile(path)
      if (bytes.length > MAX_BYTES) throw new Error(`${bytes.length} bytes, want at most ${MAX_BYTES}`)
      const lines = bytes.toString('utf8').split('\n')
      const records = lines.flatMap((line) => readLine(line))
      const damaged = lines.filter((line) => line !== '').length - records.length
      // A crash tears the line being written.
      if (damaged > 0) log.warn('damaged lines were skipped', { file: path, count: damaged })
      return records
    } catch (error) {
      if (isSystemCode(error, 'ENOENT')) return []
      log.error('file cannot be used and is moved aside', { file: path, reason: messageOf(error).slice(0, 300) })
      await rename(path, `${path}.unreadable`).catch(() => undefined)
      return []
    }
  }

  append(records: readonly object[]): Promise<void> {
    return this.#inTurn(async () => {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
      const file = await open(this.path, 'a', OWNER_ONLY)
      try {
        await file.writeFile(linesOf(records), 'utf8')
        await file.datasync()
      } finally {
        await file.close()
      }
    })
  }

  replace(records: readonly object[]): Promise<void> {
    return this.#inTurn(async () => {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
      await replaceDurably(this.path, linesOf(records))
    })
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const written = this.#tail.then(write)
    this.#tail = written.catch(() => undefined)
    return written
  }
}

/** Each line has a break on both sides, so that it stands alone whatever a crash leaves before or after it. */
function linesOf(records: readonly object[]): string {
  return `\n${records.map((record) => JSON.stringify(record)).join('\n')}\n`
}

/** Nothing for a torn or empty line. A part of an object is never JSON. */
function readLine(line: string): readonly unknown[] {
  if (line === '') return []
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? [value] : []
  } catch {
    return []
  }
}
