// The append-only log of requests, decisions and results: JSON lines, each with the previous one's hash, so that a
// change or removal inside is detectable. Never contains a password or a key.
import { hash } from 'node:crypto'
import { type BigIntStats, fstatSync, ftruncateSync, rmSync, statSync, writeSync } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { hasCode, messageOf, reasonOf } from '../../base/errors'
import type { Clock } from '../../base/time'
import { renamePatiently } from '../../files/patient-rename'
import { SignerError } from '../errors'
import { type HeldLock, KeptLock } from '../file-lock'
import { type AuditTail, type AuditVerdict, readAuditTail, verifyAudit } from './audit-check'
import type { AuditEntry } from './audit-entry'
import { beginOfPresent, FIRST_LINK, fullName, openIfThere } from './audit-files'
import {
  type AuditMark,
  appendCheckpoints,
  type Checkpoint,
  type Checkpoints,
  HeadFile,
  isSealedWith,
  type KeptHead,
  MARK_EVERY,
  type Place,
  readCheckpoints,
  readHead,
} from './audit-head'

/** Some hundred thousand requests. */
const FULL_BYTES = 64 * 1024 * 1024

interface AuditLogOptions {
  readonly file: string
  /** Path of the separately stored head; missing or null = none. */
  readonly headFile?: string | null
  /** At this size the file is put aside and a new one begun, which continues its chain. */
  readonly fullBytes?: number
  /** Records from one checkpoint to the next; they are kept where the head is. */
  readonly markEvery?: number
  /** How long its lock is kept after a record, ms: for a program that writes many. Default 0. */
  readonly keepLockMs?: number
}

interface Proof {
  readonly key: Uint8Array
  readonly sealed: KeptHead['sealed']
  /** Null when there was no seal. */
  readonly verdict: AuditVerdict | null
  /** Why it was verified from its first record on, in spite of checkpoints; empty when it wasn't. */
  readonly fault: string
}

/** Several processes may append to one file: each append holds the lock and continues from the present end. */
export class AuditLog {
  readonly #file: string
  readonly #headFile: string | null
  readonly #head: HeadFile | null
  readonly #marksFile: string | null
  #number = 1
  readonly #lock: KeptLock
  #handle: FileHandle | null = null
  #identity = ''
  #tail: AuditTail = { records: 0, hash: FIRST_LINK, goodBytes: 0, cutBytes: 0 }
  /** The lock under which the head was written last. */
  #headHeld: HeldLock | null = null
  /** What the next write takes. */
  #pending: AuditEntry[] = []
  #next: Promise<void> | null = null
  #writing: Promise<void> = Promise.resolve()
  /** From the vault, while that is open. */
  #key: Uint8Array | null = null
  /** The same, before its last seal was found in the log. */
  #unproved: Uint8Array | null = null
  /** What the log was found to be before its next record, for this key. */
  #proof: Proof | null = null
  #vaultVersion: () => number = () => 0

  constructor(
    private readonly options: AuditLogOptions,
    private readonly deps: { readonly clock: Clock },
  ) {
    this.#file = options.file
    this.#headFile = options.headFile ?? null
    this.#head = this.#headFile === null ? null : new HeadFile(this.#headFile)
    this.#marksFile = this.#headFile === null ? null : `${this.#headFile}.marks`
    const file = `${options.file}.lock`
    const failure = (reason: string, cause?: unknown): Error =>
      new SignerError('SIGNER_AUDIT_UNWRITABLE', { file, reason }, { cause })
    this.#lock = new KeptLock({ file, clock: deps.clock, failure }, options.keepLockMs ?? 0)
  }

  /**
   * Creates the file (mode 0600) or continues after its last record. A half-written end is moved to its own file.
   * @throws SignerError SIGNER_AUDIT_BROKEN, SIGNER_AUDIT_UNWRITABLE
   */
  async open(): Promise<void> {
    const ahead = await this.#readAhead()
    await this.#lock.run(async (held) => {
      const handle = await this.#openPresent()
      try {
        if (ahead?.identity === this.#identity) this.#tail = ahead.tail
        await this.#catchUp(handle, held)
        this.#compareHead(handle, held)
        if (ahead !== null) this.#sayFault(handle, ahead.fault, held)
        this.#handle = handle
      } catch (error) {
        await handle.close()
        throw error
      }
    })
  }

  get #every(): number {
    return this.options.markEvery ?? MARK_EVERY
  }

  /** The log's last record, as far as this process knows. */
  get head(): AuditMark {
    return { records: this.#tail.records, hash: this.#tail.hash }
  }

  /** From its next record on; a null key = stops sealing. @param version of the vault, which the seal vouches for */
  sealWith(key: Uint8Array | null, version: () => number = () => 0): void {
    this.#key = null
    this.#unproved = key
    this.#vaultVersion = version
  }

  /** Seals the head now, if there is a key. @throws SignerError SIGNER_AUDIT_UNWRITABLE, SIGNER_NOT_RUNNING */
  async seal(): Promise<void> {
    if (this.#key === null && this.#unproved === null) return
    await this.#guard(() => this.#prove())
    await this.#lock.run(async (held) => {
      const handle = await this.#ready(held)
      this.#proveSealed(handle, held)
      if (!held.isMine()) throw this.#unwritable(new Error('another process took the lock meanwhile'))
      this.#writeHead(held)
    })
  }

  /** Reads the present file from its last checkpoint on, without the lock: others write meanwhile. Null without a file. */
  async #readAhead(): Promise<{ readonly identity: string; readonly tail: AuditTail; readonly fault: string } | null> {
    const handle = await this.#guard(() => openIfThere(this.#file))
    if (handle === null) return null
    try {
      const { number, ...before } = await this.#guard(() => beginOfPresent(this.#file))
      const { marks, fault } = this.#checkpoints(null)
      const mark = marks.filter(({ file }) => file === number).at(-1) ?? null
      const first = { ...before, goodBytes: 0, cutBytes: 0 }
      const tailFrom = (from: AuditTail): Promise<AuditTail> =>
        readAuditTail({ file: this.#file, handle }, from, fstatSync(handle.fd).size)
      const later = mark === null ? null : await tailAfter(handle, mark, tailFrom)
      const tail = later ?? (await tailFrom(first))
      const foreign = mark === null || later !== null ? '' : `the checkpoint at ${mark.records} records isn't one of it`
      const identity = identityOf(fstatSync(handle.fd, { bigint: true }))
      return { identity, tail: { ...tail, cutBytes: 0 }, fault: fault || foreign }
    } finally {
      await handle.close()
    }
  }

  #checkpoints(key: Uint8Array | null): Checkpoints {
    const file = this.#marksFile
    const head = this.#withHead(readHead)
    const read = this.#withHead(() => (file === null ? null : readCheckpoints(file, head, key, this.#every)))
    return read ?? { marks: [], fault: '' }
  }

  /** Resolves when the record has been written. @throws SignerError SIGNER_AUDIT_UNWRITABLE, SIGNER_NOT_RUNNING */
  append(entry: AuditEntry): Promise<void> {
    if (this.#handle === null) return Promise.reject(new SignerError('SIGNER_NOT_RUNNING', undefined))
    this.#pending.push(entry)
    this.#next ??= this.#writeNext(this.#writing)
    this.#writing = this.#next
    return this.#next
  }

  async close(): Promise<void> {
    for (let last: unknown = null; last !== this.#writing; ) {
      last = this.#writing
      await this.#writing.catch(() => undefined)
    }
    const handle = this.#handle
    this.#handle = null
    await this.#lock.close()
    this.#head?.close()
    await handle?.close()
  }

  async #writeNext(before: Promise<void>): Promise<void> {
    // Entries of the same turn of the event loop go into the same write: a call and the request that it makes.
    await new Promise((resolve) => setImmediate(resolve))
    await before.catch(() => undefined)
    const entries = this.#pending
    this.#pending = []
    this.#next = null
    await this.#guard(() => this.#prove())
    await this.#lock.run(async (held) => {
      const handle = await this.#ready(held)
      this.#proveSealed(handle, held)
      this.#write(handle, entries, held)
    })
  }

  async #ready(held: HeldLock): Promise<FileHandle> {
    const handle = this.#handle
    if (handle === null) throw new SignerError('SIGNER_NOT_RUNNING', undefined)
    const size = this.#presentSize()
    if (size !== this.#tail.goodBytes) await this.#catchUp(handle, held)
    if (size !== null) {
      if (this.#tail.goodBytes < (this.options.fullBytes ?? FULL_BYTES)) return handle
      await this.#putAside(held)
    }
    // Full, through us or another process: the chain continues in its successor.
    const next = await this.#openPresent()
    this.#handle = next
    await handle.close()
    await this.#catchUp(next, held)
    return next
  }

  async #putAside(held: HeldLock): Promise<void> {
    const { number } = await this.#guard(() => beginOfPresent(this.#file))
    if (!held.isMine()) throw this.#unwritable(new Error('another process took the lock meanwhile'))
    await this.#guard(() => renamePatiently(this.#file, fullName(this.#file, number)))
  }

  /** Bytes of the opened file; null when its name is gone, or another file's. */
  #presentSize(): number | null {
    const present = statSync(this.#file, { bigint: true, throwIfNoEntry: false })
    return present !== undefined && identityOf(present) === this.#identity ? Number(present.size) : null
  }

  /** From then on, the known state is that at the end of the full files. */
  async #openPresent(): Promise<FileHandle> {
    const { number, ...before } = await this.#guard(() => beginOfPresent(this.#file))
    this.#number = number
    const handle = await this.#guard(() => open(this.#file, 'a+', 0o600))
    this.#identity = identityOf(fstatSync(handle.fd, { bigint: true }))
    this.#tail = { ...before, goodBytes: 0, cutBytes: 0 }
    return handle
  }

  #write(handle: FileHandle, entries: readonly AuditEntry[], held: HeldLock): void {
    if (!held.isMine()) throw this.#unwritable(new Error('another process took the lock meanwhile'))
    let { records, hash: link } = this.#tail
    let text = ''
    const { goodBytes } = this.#tail
    const places: Place[] = []
    for (const entry of entries) {
      const body = JSON.stringify({ seq: records, time: this.deps.clock.now(), ...entry, previous: link })
      // SHA-256 of the record's line without this member, hex.
      link = hash('sha256', body)
      text += `${body.slice(0, -1)},"hash":"${link}"}\n`
      records += 1
      if (records % this.#every === 0) {
        places.push({ records, hash: link, file: this.#number, bytes: goodBytes + Buffer.byteLength(text) })
      }
    }
    const bytes = Buffer.from(text)
    this.#put(handle, bytes, goodBytes)
    this.#tail = { records, hash: link, goodBytes: goodBytes + bytes.length, cutBytes: 0 }
    // After the records and before the head: a process that dies in between leaves a head that lags behind, which isn't
    // a contradiction.
    this.#mark(places)
    this.#writeHead(held)
  }

  #writeHead(held: HeldLock): void {
    const { records, hash } = this.#tail
    const isAlone = this.#headHeld === held
    this.#headHeld = null
    this.#withHead(() => this.#head?.write({ records, hash }, this.#key, this.#vaultVersion(), isAlone))
    this.#headHeld = held
  }

  #mark(places: readonly Place[]): void {
    const file = this.#marksFile
    if (file !== null && places.length > 0) this.#withHead(() => appendCheckpoints(file, places, this.#key))
  }

  /** Missing records stay missing; the log says so from then on, and continues. */
  #compareHead(handle: FileHandle, held: HeldLock): void {
    const kept = this.#withHead(readHead)
    const { records, hash } = this.#tail
    if (kept === null || records > kept.records || (records === kept.records && hash === kept.hash)) return
    const reason = `the kept head names ${kept.records} records, the last one ${kept.hash}; ${records} were found`
    this.#write(handle, [{ type: 'damaged', reason }], held)
  }

  /**
   * Before this process seals for the first time: the chain must contain the last sealed head. The log is read from its
   * last sealed checkpoint on, without the lock, so that others continue to write meanwhile.
   */
  async #prove(): Promise<void> {
    const key = this.#unproved
    if (key === null || this.#proof?.key === key) return
    const head = this.#withHead(readHead)
    const sealed = head?.sealed ?? null
    // From here on the seal covers a log that wasn't sealed before.
    const { marks, fault } = this.#checkpoints(key)
    const isOlder = ({ mac, records }: Checkpoint): boolean => mac !== null && records <= (sealed?.records ?? 0)
    const from = marks.filter(isOlder).at(-1) ?? null
    const known = { head, key, isDamageKnown: true, isGrowing: true, from }
    const verdict = sealed === null ? null : await verifyAudit(this.#file, known)
    this.#proof = { key, sealed, verdict, fault }
  }

  /** Under the lock: seals from now on, unless the seal was put back since it was proved. */
  #proveSealed(handle: FileHandle, held: HeldLock): void {
    const proof = this.#proof
    if (this.#unproved === null || proof === null || proof.key !== this.#unproved) return
    const { key, verdict } = proof
    const sealed = this.#withHead(readHead)?.sealed ?? null
    this.#unproved = null
    this.#proof = null
    this.#key = key
    // A later seal is another process's, which proved the log itself; only the vault's key makes one.
    const isLater = sealed !== null && isSealedWith(sealed, key) && sealed.records >= (proof.sealed?.records ?? 0)
    const isSame = sealed === null ? proof.sealed === null : sealed.mac === proof.sealed?.mac
    let reason = verdict === null || verdict.ok ? '' : `record ${verdict.record}: ${verdict.reason}`
    if (reason === '' && !isSame && !isLater) reason = 'the sealed head was replaced while the log was verified'
    if (reason !== '') this.#write(handle, [{ type: 'damaged', reason }], held)
    this.#sayFault(handle, proof.fault, held)
    if (reason === '' && verdict !== null) this.#sealPlace()
  }

  #sayFault(handle: FileHandle, fault: string, held: HeldLock): void {
    const file = this.#marksFile
    if (fault === '' || file === null) return
    this.#withHead(() => rmSync(file, { force: true }))
    const reason = `${fault}; the log was read from its beginning instead`
    this.#write(handle, [{ type: 'damaged', reason }], held)
  }

  /** What was verified now needn't be verified again. */
  #sealPlace(): void {
    const { records, hash, goodBytes } = this.#tail
    const { marks } = this.#checkpoints(null)
    const sealed = marks.filter(({ mac }) => mac !== null).at(-1)?.records ?? 0
    if (goodBytes === 0 || records - sealed < this.#every || records <= (marks.at(-1)?.records ?? 0)) return
    this.#mark([{ records, hash, file: this.#number, bytes: goodBytes }])
  }

  #withHead<T>(run: (file: string) => T): T | null {
    if (this.#headFile === null) return null
    try {
      return run(this.#headFile)
    } catch (cause) {
      const failure = { file: this.#headFile, reason: messageOf(cause) }
      throw new SignerError('SIGNER_AUDIT_UNWRITABLE', failure, { cause })
    }
  }

  /**
   * Into the system's page cache, deliberately synchronous: it takes microseconds, and the thread pool may be full of
   * key derivations that the next signature needn't wait for.
   */
  #put({ fd }: FileHandle, bytes: Uint8Array, goodBytes: number): void {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    } catch (cause) {
      // A full disk may have accepted part of it. None of it counts, and nothing may be written after it: what can't be
      // truncated now is moved away before the next record.
      try {
        ftruncateSync(fd, goodBytes)
      } catch (error) {
        throw this.#unwritable(error)
      }
      throw this.#unwritable(cause)
    }
  }

  async #catchUp(handle: FileHandle, held: HeldLock): Promise<void> {
    const { size } = fstatSync(handle.fd)
    if (size === this.#tail.goodBytes) return
    if (size < this.#tail.goodBytes) {
      const { records } = this.#tail
      throw new SignerError('SIGNER_AUDIT_BROKEN', { file: this.#file, record: records, reason: 'it was cut short' })
    }
    this.#tail = await readAuditTail({ file: this.#file, handle }, this.#tail, size)
    const { cutBytes, goodBytes } = this.#tail
    if (cutBytes === 0) return
    const kept = await this.#guard(() => this.#keepAside(handle, goodBytes, cutBytes))
    if (!held.isMine()) throw this.#unwritable(new Error('another process took the lock meanwhile'))
    await this.#guard(() => handle.truncate(goodBytes))
    this.#write(handle, [{ type: 'repaired', cutBytes, ...kept }], held)
  }

  /** Copies the half-written end to its own file before it is truncated; the name contains its offset. */
  async #keepAside(handle: FileHandle, start: number, length: number) {
    const bytes = Buffer.alloc(length)
    await handle.read(bytes, 0, length, start)
    const sha256 = hash('sha256', bytes)
    const path = `${this.#file}.torn-${start}-${sha256.slice(0, 8)}`
    await writeFile(path, bytes, { mode: 0o600 })
    return { keptIn: basename(path), sha256 }
  }

  async #guard<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (cause) {
      throw this.#unwritable(cause)
    }
  }

  #unwritable(cause: unknown): Error {
    return new SignerError('SIGNER_AUDIT_UNWRITABLE', { file: this.#file, reason: reasonOf(cause) }, { cause })
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

/** What follows a checkpoint; null when it doesn't fit the log. */
async function tailAfter(
  handle: FileHandle,
  { records, hash, bytes }: Checkpoint,
  tailFrom: (from: AuditTail) => Promise<AuditTail>,
): Promise<AuditTail | null> {
  const end = Buffer.from(`,"hash":"${hash}"}\n`)
  const found = Buffer.alloc(end.length)
  if (bytes < end.length) return null
  await handle.read(found, 0, found.length, bytes - found.length)
  if (!found.equals(end)) return null
  try {
    return await tailFrom({ records, hash, goodBytes: bytes, cutBytes: 0 })
  } catch (error) {
    if (hasCode(error, 'SIGNER_AUDIT_BROKEN')) return null // reading all of it says where
    throw error
  }
}
