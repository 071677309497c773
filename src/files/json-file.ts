// Small files of our own: read once, written whole. One that can't be read is moved aside before the next write.
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { isSystemCode, messageOf } from '../base/errors'
import type { Logger } from '../base/logger'
import { replaceDurably } from './durable-file'
import { replaceOwnerFile } from './owner-file'

/** Above the largest expected file: 10,000 account notes. */
const MAX_CHARACTERS = 8_000_000

/** The file is there and isn't what this program writes. */
export class NotOurs extends Error {
  constructor(cause: unknown) {
    super("it isn't a record of this program", { cause })
  }
}

/** Reads a file of our own; null when there is none. @throws NotOurs, and the system's error */
export function readJson<T>(file: string, schema: z.ZodType<T>): T | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (isSystemCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new NotOurs(error)
  }
}

/** Replaces such a file, in a folder that is there. @throws the system's error */
export function writeJson(file: string, value: object): void {
  replaceOwnerFile(file, `${JSON.stringify(value)}\n`)
}

/** What a `KeptJson` needs: its path, its schema and a log. */
export interface KeptJsonDeps {
  readonly log: Logger
}

/** A JSON file validated by a schema on load. */
export class KeptJson<T> {
  readonly #file: string
  readonly #schema: z.ZodType<T>
  readonly #deps: KeptJsonDeps
  /** Writes run one after the other, so the last one wins. */
  #tail: Promise<void> = Promise.resolve()

  constructor(file: string, schema: z.ZodType<T>, deps: KeptJsonDeps) {
    this.#file = file
    this.#schema = schema
    this.#deps = deps
  }

  /** Null when there is none yet, or when it can't be used (logged). */
  async load(): Promise<T | null> {
    try {
      const text = await readFile(this.#file, 'utf8')
      if (text.length > MAX_CHARACTERS) throw new Error(`${text.length} characters, want at most ${MAX_CHARACTERS}`)
      return this.#schema.parse(JSON.parse(text))
    } catch (error) {
      const isMissing = isSystemCode(error, 'ENOENT')
      if (!isMissing) await this.#moveAside(messageOf(error).slice(0, 300))
      return null
    }
  }

  /** Resolves when it is on disk. @throws Error of the file system */
  save(value: T): Promise<void> {
    const text = JSON.stringify(value)
    const done = this.#tail.then(() => this.#write(text))
    this.#tail = done.catch(() => undefined)
    return done
  }

  async #moveAside(reason: string): Promise<void> {
    const file = this.#file
    this.#deps.log.error('file cannot be used and is moved aside', { file, reason })
    try {
      await rename(file, `${file}.unreadable`)
    } catch (error) {
      this.#deps.log.error('file could not be moved aside', { file, reason: messageOf(error) })
    }
  }

  async #write(text: string): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 })
    await replaceDurably(this.#file, text)
  }
}
