// An append-only file of encrypted records, each bound to the one before and numbered. The number of the last record is
// the vault's version: the sealed head of the audit log names it, so an older file that was put back is refused. One
// writer at a time, in this process and among several; each reads first what the others have written.
// A line: `{"n":NUMBER,"iv":"…","c":"…"}`, AES-256-GCM. A file begins with a record that stands for all before it.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { type BigIntStats, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { hasCode, messageOf } from '../../base/errors'
import type { Clock } from '../../base/time'
import { replaceDurably } from '../../files/durable-file'
import { VaultError } from '../errors'
import { type HeldLock, withFileLock } from '../file-lock'

const IV_BYTES = 12
const TAG_BYTES = 16
/** Chain text of the first record of a file, which has none before it. */
const FIRST = 'first'
/** After so many records the file is written anew, with one record in place of all. */
const COMPACT_AFTER = 10_000

const lineShape = z.strictObject({ n: z.number().int().positive(), iv: z.string(), c: z.string() })
const recordShape = z.union([
  z.strictObject({ s: z.string(), r: z.unknown() }),
  z.strictObject({ all: z.record(z.string(), z.unknown()) }),
  /** Makes a restored, older file the newest one. */
  z.strictObject({ restored: z.number() }),
])
type JournalRecord = z.infer<typeof recordShape>

/** A part of the content: what its records mean. */
export interface JournalPart {
  /** Forgets everything. */
  reset(): void
  /** @throws Error when the record makes no sense */
  apply(record: unknown): void
  /** What stands for everything applied; `restore` gets it. */
  snapshot(): unknown
  restore(snapshot: unknown): void
}

/** File and key. */
interface SealedJournalOptions {
  /** Created at the first record, mode 0600; its folder too, mode 0700. */
  readonly file: string
  /** 32 bytes; kept. */
  readonly key: Uint8Array
  readonly randomBytes: (length: number) => Uint8Array
  readonly clock: Clock
  /** The lowest version that isn't an older file, asked when the file is read; null when nothing vouches for it. */
  readonly vouched: () => number | null
}

/** A restored file's version is above any that a running program may have reached since the last seal. */
const RESTORED_STEP = 1_000
/** A file of a summary and one record. */
const NEW_VERSION = 2

/** Where reading has come to. */
interface Place {
  readonly version: number
  /** Tag of the last record. */
  readonly tag: string
  readonly bytes: number
  readonly records: number
}

const NOTHING: Place = { version: 0, tag: FIRST, bytes: 0, records: 0 }

/** The file as several processes use it. */
export class SealedJournal {
  readonly #options: SealedJournalOptions
  readonly #parts = new Map<string, JournalPart>()
  #place: Place = NOTHING
  #stamp = ''
  /** The highest version ever seen by this process, or vouched for. */
  #seen = 0
  #tail: Promise<unknown> = Promise.resolve()

  constructor(options: SealedJournalOptions) {
    this.#options = options
  }

  get file(): string {
    return this.#options.file
  }

  /** Number of the last record that this process knows; 0 = none. */
  get version(): number {
    return this.#seen
  }

  /** Before the first `exclusive`. @param name of the part, in the file */
  register(name: string, part: JournalPart): void {
    this.#parts.set(name, part)
    this.#stamp = ''
  }

  /**
   * Runs with the content up to date and nobody else writing.
   * @param work may append records to a part; each is applied and on disk once `append` resolves
   * @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER, and what `work` throws
   */
  exclusive<T>(work: (append: (part: string, record: unknown) => Promise<void>) => Promise<T>): Promise<T> {
    return this.#inTurn(() =>
      this.#locked(async (held) => {
        await this.#catchUp(held)
        return work((part, record) => this.#append({ s: part, r: record }, held))
      }),
    )
  }

  /** Writes the file anew where it has grown; the version stays. Never needed for correctness. @throws as exclusive */
  async compact(): Promise<void> {
    if (this.#place.records < COMPACT_AFTER) return
    await this.#inTurn(() =>
      this.#locked(async (held) => {
        await this.#catchUp(held)
        if (this.#place.records >= COMPACT_AFTER) await this.#rewrite(this.#place.version, held)
      }),
    )
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
  restore(): Promise<number> {
    return this.#inTurn(() =>
      this.#locked(async (held) => {
        const highest = Math.max(this.#options.vouched() ?? 0, this.#seen)
        const text = await this.#wholeText()
        this.#reset()
        this.#place = this.#read(text, NOTHING)
        const { version, bytes } = this.#place
        if (bytes < Buffer.byteLength(text)) await this.#cut(bytes, held)
        this.#seen = Math.max(highest, version) + RESTORED_STEP
        await this.#append({ restored: version }, held)
        return version
      }),
    )
  }

  async #catchUp(held: HeldLock): Promise<void> {
    const stat = this.#stat()
    const stamp = stampOf(stat)
    if (stamp !== this.#stamp || this.#stamp === '') {
      const text = await this.#wholeText()
      this.#reset()
      this.#place = this.#read(text, NOTHING)
      if (this.#place.bytes < Buffer.byteLength(text)) await this.#cut(this.#place.bytes, held)
      this.#vouch()
      this.#stamp = stampOf(this.#stat())
    }
    const { version } = this.#place
    if (version < this.#seen) {
      this.#stamp = ''
      throw new VaultError('SIGNER_VAULT_OLDER', { file: this.#options.file, version, wanted: this.#seen })
    }
    this.#seen = version
  }

  /** @throws VaultError SIGNER_VAULT_UNVOUCHED */
  #vouch(): void {
    const vouched = this.#options.vouched()
    const { version } = this.#place
    // Whoever changes it has it vouched for: only a new one isn't yet.
    if (vouched === null && version > NEW_VERSION && this.#seen === 0) {
      throw new VaultError('SIGNER_VAULT_UNVOUCHED', { file: this.#options.file, version })
    }
    this.#seen = Math.max(this.#seen, vouched ?? 0)
  }

  #reset(): void {
    this.#place = NOTHING
    for (const part of this.#parts.values()) part.reset()
  }

  /** @returns where its last whole line ends; what follows was never acknowledged */
  #read(text: string, from: Place): Place {
    let place = from
    let at = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      const { record, tag, version } = this.#opened(text.slice(at, end), place)
      this.#apply(record, place.records === 0)
      at = end + 1
      place = { version, tag, bytes: at, records: place.records + 1 }
    }
    return place
  }

  #opened(line: string, { version, tag, records }: Place) {
    const parsed = lineShape.safeParse(jsonOf(line))
    if (!parsed.success) throw this.#unusable(`record ${records + 1} is not in the form of one`)
    const { n, iv, c } = parsed.data
    if (n <= version) throw this.#unusable(`record ${records + 1} has number ${n}, want more than ${version}`)
    const sealed = Buffer.from(c, 'base64')
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#options.key, Buffer.from(iv, 'base64'))
      decipher.setAAD(Buffer.from(`${n}:${tag}`))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
      const record = recordShape.parse(JSON.parse(plain.toString('utf8')))
      return { record, tag: sealed.subarray(-TAG_BYTES).toString('base64'), version: n }
    } catch (cause) {
      throw this.#unusable(`record ${records + 1} was changed, does not follow the one before, or is foreign`, cause)
    }
  }

  #apply(record: JournalRecord, isFirst: boolean): void {
    if ('s' in record) this.#parts.get(record.s)?.apply(record.r)
    else if ('all' in record) {
      if (!isFirst) throw this.#unusable('a summary is not its first record')
      for (const [name, snapshot] of Object.entries(record.all)) this.#parts.get(name)?.restore(snapshot)
    }
  }

  /** On disk before it is applied. */
  async #append(record: JournalRecord, held: HeldLock): Promise<void> {
    // A new file begins with what the parts hold now: nothing, or what they took over from an earlier program's.
    if (this.#place.version === 0) await this.#rewrite(this.#seen + 1, held)
    const n = Math.max(this.#seen, this.#place.version) + 1
    const { line, tag } = this.#sealed(record, n, this.#place.tag)
    const { bytes, records } = this.#place
    await this.#write(line, bytes, held)
    this.#apply(record, false)
    this.#place = { version: n, tag, bytes: bytes + Buffer.byteLength(line), records: records + 1 }
    this.#seen = n
  }

  async #rewrite(version: number, held: HeldLock): Promise<void> {
    const all = Object.fromEntries([...this.#parts].map(([name, part]) => [name, part.snapshot()]))
    const { line, tag } = this.#sealed({ all }, version, FIRST)
    const { file } = this.#options
    if (!held.isMine()) throw this.#unusable('another process took its lock meanwhile')
    await this.#guard(async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await replaceDurably(file, line)
    })
    this.#place = { version, tag, bytes: Buffer.byteLength(line), records: 1 }
    this.#seen = version
    this.#stamp = stampOf(this.#stat())
  }

  /** What a failed write left is taken back; if that fails too, the next reading does. */
  async #write(line: string, at: number, held: HeldLock): Promise<void> {
    if (!held.isMine()) throw this.#unusable('another process took its lock meanwhile')
    this.#stamp = ''
    await this.#withHandle(async (handle) => {
      try {
        const { bytesWritten } = await handle.write(line, at, 'utf8')
        if (bytesWritten !== Buffer.byteLength(line)) throw new Error('the disk took only a part')
        await handle.datasync()
      } catch (cause) {
        await handle.truncate(at)
        throw cause
      }
    })
    this.#stamp = stampOf(this.#stat())
  }

  /** A half-written end, left by a process that died. */
  async #cut(bytes: number, held: HeldLock): Promise<void> {
    if (!held.isMine()) throw this.#unusable('another process took its lock meanwhile')
    await this.#withHandle(async (handle) => {
      await handle.truncate(bytes)
      await handle.datasync()
    })
  }

  #withHandle(run: (handle: FileHandle) => Promise<void>): Promise<void> {
    return this.#guard(async () => {
      const handle = await open(this.#options.file, 'r+')
      try {
        await run(handle)
      } finally {
        await handle.close()
      }
    })
  }

  #sealed(record: JournalRecord, n: number, previous: string): { readonly line: string; readonly tag: string } {
    const iv = this.#options.randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#options.key, iv).setAAD(Buffer.from(`${n}:${previous}`))
    const text = Buffer.concat([cipher.update(JSON.stringify(record), 'utf8'), cipher.final()])
    const tag = cipher.getAuthTag()
    const c = Buffer.concat([text, tag]).toString('base64')
    return {
      line: `${JSON.stringify({ n, iv: Buffer.from(iv).toString('base64'), c })}\n`,
      tag: tag.toString('base64'),
    }
  }

  #stat(): BigIntStats | undefined {
    try {
      return statSync(this.#options.file, { bigint: true, throwIfNoEntry: false })
    } catch (cause) {
      throw this.#unusable(messageOf(cause), cause)
    }
  }

  /** Empty without a file. */
  async #wholeText(): Promise<string> {
    if (this.#stat() === undefined) return ''
    return this.#guard(() => readFile(this.#options.file, 'utf8'))
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(run)
    this.#tail = done.catch(() => undefined)
    return done
  }

  async #locked<T>(run: (held: HeldLock) => Promise<T>): Promise<T> {
    const { file, clock } = this.#options
    await this.#guard(() => mkdir(dirname(file), { recursive: true, mode: 0o700 }))
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
    return new VaultError('SIGNER_VAULT_UNUSABLE', { file: this.#options.file, reason }, { cause })
  }
}

/** Changes with every write, and with every other file in its place. Empty without a file. */
function stampOf(stat: BigIntStats | undefined): string {
  return stat === undefined ? 'none' : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
