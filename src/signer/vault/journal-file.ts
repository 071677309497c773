// The file of a vault's journal: who holds the key reads its text and makes its records, here they are kept. One writer
// at a time, in this process and among several; each reads first what the others have written.
import { type BigIntStats, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, messageOf } from '../../base/errors'
import type { Clock } from '../../base/time'
import { replaceDurably } from '../../files/durable-file'
import { VaultError } from '../errors'
import { type HeldLock, withFileLock } from '../file-lock'
import { COMPACT_AFTER, type JournalReading, type MadeRecord } from '../vault-wire'

interface JournalReader {
  /** @param vouched lowest version that isn't an older file; null = nothing vouches for any */
  read(text: string, vouched: number | null): Promise<JournalReading>
}

interface JournalFileOptions {
  /** Created at the first record, mode 0600; its folder too, mode 0700. */
  readonly file: string
  readonly reader: JournalReader
  readonly clock: Clock
  /** The lowest version that isn't an older file, asked when the file is read; null when nothing vouches for it. */
  readonly vouched: () => number | null
}

/** Writes what was made; it counts once this resolves. */
type WriteMade = (made: MadeRecord | null) => Promise<void>

export class JournalFile {
  #bytes = 0
  #records = 0
  #version = 0
  #stamp = ''
  #tail: Promise<unknown> = Promise.resolve()

  constructor(private readonly options: JournalFileOptions) {}

  get file(): string {
    return this.options.file
  }

  /** Number of the last record that this process knows; 0 = none. */
  get version(): number {
    return this.#version
  }

  /**
   * Runs with the content read and nobody else writing.
   * @param work may write records; each is on disk once `write` resolves
   * @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER, SIGNER_VAULT_UNVOUCHED, and what `work` throws
   */
  exclusive<T>(work: (write: WriteMade) => Promise<T>): Promise<T> {
    return this.#inTurn(() =>
      this.#locked(async (held) => {
        await this.#catchUp(held)
        return work((made) => (made === null ? Promise.resolve() : this.#write(made, held)))
      }),
    )
  }

  /** Writes the record of what the keys' side did. @throws as exclusive */
  written<T extends { readonly made: MadeRecord | null }>(ask: () => Promise<T>): Promise<T> {
    return this.exclusive(async (write) => {
      const done = await ask()
      await write(done.made)
      return done
    })
  }

  /** Whether the file is as it was when it was last read or written here. @throws VaultError SIGNER_VAULT_UNUSABLE */
  get isUnchanged(): boolean {
    return this.#stamp !== '' && stampOf(this.#stat()) === this.#stamp
  }

  get isLong(): boolean {
    return this.#records >= COMPACT_AFTER
  }

  /** Resolves when everything that was begun is on disk, or has failed: nothing is written later. */
  async settled(): Promise<void> {
    for (let tail: unknown = null; tail !== this.#tail; ) {
      tail = this.#tail
      await this.#tail
    }
  }

  /**
   * Accepts the present file although it is older than what was vouched for: from then on it is the newest.
   * @returns its version before
   * @throws VaultError SIGNER_VAULT_UNUSABLE
   */
  restore(accept: JournalReader['read']): Promise<number> {
    return this.#inTurn(() =>
      this.#locked(async (held) => {
        const text = await this.#wholeText()
        const reading = await accept(text, this.options.vouched())
        const { version } = await this.#took(reading, text, held)
        if ('made' in reading && reading.made !== undefined) await this.#write(reading.made, held)
        return version
      }),
    )
  }

  async #catchUp(held: HeldLock): Promise<void> {
    if (this.isUnchanged) return
    this.#stamp = ''
    const text = await this.#wholeText()
    const reading = await this.options.reader.read(text, this.options.vouched())
    // Also what the reader doesn't insist on: a record that was written here.
    if (!('fault' in reading) && reading.version < this.#version) {
      throw this.#faultOf({ fault: 'older', record: 0, version: reading.version, wanted: this.#version })
    }
    await this.#took(reading, text, held)
    this.#stamp = stampOf(this.#stat())
  }

  async #took(reading: JournalReading, text: string, held: HeldLock): Promise<{ readonly version: number }> {
    if ('fault' in reading) throw this.#faultOf(reading)
    const { version, bytes, records } = reading
    // A half-written end, left by a process that died, was never acknowledged.
    if (bytes < Buffer.byteLength(text)) await this.#cut(bytes, held)
    this.#bytes = bytes
    this.#records = records
    this.#version = Math.max(version, this.#version)
    return { version }
  }

  #faultOf({ fault, record, version, wanted }: Extract<JournalReading, { readonly fault: string }>): Error {
    const { file } = this.options
    switch (fault) {
      case 'older':
        return new VaultError('SIGNER_VAULT_OLDER', { file, version, wanted: Math.max(wanted, this.#version) })
      case 'unvouched':
        return new VaultError('SIGNER_VAULT_UNVOUCHED', { file, version })
      case 'form':
        return this.#unusable(`record ${record} is not in the form of one`)
      case 'number':
        return this.#unusable(`record ${record} has number ${version}, want ${wanted} or more`)
      case 'summary':
        return this.#unusable('a summary is not its first record')
      case 'meaning':
        return this.#unusable(`record ${record} makes no sense`)
      default:
        return this.#unusable(`record ${record} was changed, does not follow the one before, or is foreign`)
    }
  }

  /** What a failed write left is taken back; if that fails too, the next reading does. */
  async #write({ text, isWhole, version }: MadeRecord, held: HeldLock): Promise<void> {
    if (!held.isMine()) throw this.#unusable('another process took its lock meanwhile')
    this.#stamp = ''
    if (isWhole) await this.#guard(() => replaceDurably(this.options.file, text))
    else await this.#add(text)
    this.#bytes = (isWhole ? 0 : this.#bytes) + Buffer.byteLength(text)
    this.#records = isWhole ? 1 : this.#records + 1
    this.#version = version
    this.#stamp = stampOf(this.#stat())
  }

  #add(text: string): Promise<void> {
    const at = this.#bytes
    return this.#withHandle(async (handle) => {
      try {
        const { bytesWritten } = await handle.write(text, at, 'utf8')
        if (bytesWritten !== Buffer.byteLength(text)) throw new Error('the disk took only a part')
        await handle.datasync()
      } catch (cause) {
        await handle.truncate(at)
        throw cause
      }
    })
  }

  async #cut(bytes: number, held: HeldLock): Promise<void> {
    if (!held.isMine()) throw this.#unusable('another process took its lock meanwhile')
    await this.#withHandle(async (handle) => {
      await handle.truncate(bytes)
      await handle.datasync()
    })
  }

  #withHandle(run: (handle: FileHandle) => Promise<void>): Promise<void> {
    return this.#guard(async () => {
      const handle = await open(this.options.file, 'r+')
      try {
        await run(handle)
      } finally {
        await handle.close()
      }
    })
  }

  #stat(): BigIntStats | undefined {
    try {
      return statSync(this.options.file, { bigint: true, throwIfNoEntry: false })
    } catch (cause) {
      throw this.#unusable(messageOf(cause), cause)
    }
  }

  async #wholeText(): Promise<string> {
    if (this.#stat() === undefined) return ''
    return this.#guard(() => readFile(this.options.file, 'utf8'))
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(run)
    this.#tail = done.catch(() => undefined)
    return done
  }

  async #locked<T>(run: (held: HeldLock) => Promise<T>): Promise<T> {
    const { file, clock } = this.options
    if (this.#stat() === undefined) {
      await this.#guard(() => mkdir(dirname(file), { recursive: true, mode: 0o700 }))
    }
    const failure = (reason: string, cause?: unknown): Error => this.#unusable(reason, cause)
    return withFileLock({ file: `${file}.lock`, clock, failure }, run)
  }

  async #guard<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (cause) {
      throw hasCode(cause, 'SIGNER_VAULT_UNUSABLE') ? cause : this.#unusable(messageOf(cause), cause)
    }
  }

  #unusable(reason: string, cause?: unknown): Error {
    return new VaultError('SIGNER_VAULT_UNUSABLE', { file: this.options.file, reason }, { cause })
  }
}

/** Changes with every write, and with every other file in its place. Empty without a file. */
function stampOf(stat: BigIntStats | undefined): string {
  return stat === undefined ? 'none' : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
}
