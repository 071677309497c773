// The head of an audit log, stored separately from it: the number of records and the last hash. Its sealed part is made
// with a key from the vault and can't be forged by someone who only has the files, so a log that was truncated or whose
// whole chain was recomputed doesn't match it.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { isSystemCode } from '../../base/errors'
import { jsonOrNull } from '../../base/json-text'

/** A place in the chain: the number of records, and the hash of the last one. */
export interface AuditMark {
  readonly records: number
  /** SHA-256, hex; zeros for a log without records. */
  readonly hash: string
}

const digits = z.string().regex(/^[0-9a-f]{64}$/)
const mark = { records: z.number().int().nonnegative(), hash: digits }

const keptHead = z.object({
  ...mark,
  sealed: z
    .object({
      ...mark,
      /** The vault's version at that time; missing in heads of earlier programs. */
      vault: z.number().int().nonnegative().optional(),
      mac: digits,
    })
    .nullable(),
})

/** `sealed` is the last head written by a process with the vault's key; null = none. */
export type KeptHead = z.infer<typeof keptHead>

/**
 * Bytes of one copy, a disk sector: JSON text, spaces, checksum, line end. The file has two copies, overwritten
 * together in place. A write that is interrupted anywhere leaves one of them intact, and once it has finished no older
 * state is left to roll back to.
 */
const COPY_BYTES = 512
const FILE_BYTES = 2 * COPY_BYTES
/** Hex digits of the text's SHA-256; protects against torn writes, not against attackers. */
const CHECK_DIGITS = 16
const TEXT_BYTES = COPY_BYTES - CHECK_DIGITS - 1

/** Path of this log's head. @param folder of the vault, not the log's */
export function headFileOf(folder: string, log: string): string {
  const name = hash('sha256', resolve(log)).slice(0, 16)
  return join(folder, `audit-head-${name}.json`)
}

/**
 * The highest version of a vault that any log's head in its folder vouches for; null when no head was sealed by this
 * vault. @throws Error of the file system, or when a head has another format
 */
export function vouchedVersion(folder: string, key: Uint8Array): number | null {
  const names = (ifThere(() => readdirSync(folder)) ?? []).filter((name) =>
    /^audit-head-[0-9a-f]{16}\.json$/.test(name),
  )
  const sealed = names.flatMap((name) => readHead(join(folder, name))?.sealed ?? [])
  const own = sealed.filter((each) => isSealedWith(each, key))
  return own.length === 0 ? null : Math.max(...own.map(({ vault }) => vault ?? 0))
}

/** Null when there is none. @throws Error of the file system, or when the file has another format */
export function readHead(file: string): KeptHead | null {
  return ifThere(() => headIn(readFileSync(file)))
}

function ifThere<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return null
    throw error
  }
}

/** The head as used by a writer of the log, which keeps it open: a record costs one read and one write in place. */
export class HeadFile {
  readonly #present = Buffer.alloc(FILE_BYTES)
  #opened: { readonly descriptor: number; readonly dev: bigint; readonly ino: bigint } | null = null
  /** The last bytes written and their head: another process may have written since. */
  #known: { readonly bytes: Uint8Array; readonly head: KeptHead } | null = null

  constructor(private readonly file: string) {}

  /**
   * Call it under the log's lock.
   * @param key of the vault, 32 bytes; null leaves the sealed part unchanged
   * @param vault its version; a higher one that the head already vouches for stays
   * @param isAlone the lock was kept since the last write: nobody else can have written meanwhile
   * @throws Error of the file system, or when the file has another format
   */
  write({ records, hash }: AuditMark, key: Uint8Array | null, vault = 0, isAlone = false): void {
    const known = isAlone && this.#opened !== null ? this.#known : null
    const descriptor = known === null ? this.#open() : (this.#opened?.descriptor ?? null)
    const before = known?.head ?? (descriptor !== null ? this.#headNow() : readHead(this.file))
    const sealed = key === null ? (before?.sealed ?? null) : this.#seal({ records, hash }, key, { before, vault })
    const head = { records, hash, sealed }
    const bytes = bytesOf(head)
    if (descriptor !== null) writeWhole(descriptor, bytes)
    else replaceWith(this.file, bytes)
    this.#known = { bytes, head }
  }

  close(): void {
    if (this.#opened !== null) closeSync(this.#opened.descriptor)
    this.#opened = null
  }

  /** The file that has the name now, read; null when there is none in today's form. */
  #open(): number | null {
    const present = statSync(this.file, { bigint: true, throwIfNoEntry: false })
    if (present?.dev !== this.#opened?.dev || present?.ino !== this.#opened?.ino) this.close()
    if (present === undefined || present.size !== BigInt(FILE_BYTES)) return null
    const { dev, ino } = present
    this.#opened ??= { descriptor: openSync(this.file, 'r+'), dev, ino }
    const { descriptor } = this.#opened
    return readSync(descriptor, this.#present, 0, FILE_BYTES, 0) === FILE_BYTES ? descriptor : null
  }

  #seal(
    { records, hash }: AuditMark,
    key: Uint8Array,
    { before, vault }: { readonly before: KeptHead | null; readonly vault: number },
  ): NonNullable<KeptHead['sealed']> {
    const known = before?.sealed ?? null
    const isOwn = known !== null && (before === this.#known?.head || isSealedWith(known, key))
    const mark = { records, hash, vault: Math.max(vault, isOwn ? (known.vault ?? 0) : 0) }
    return { ...mark, mac: sealOf(mark, key) }
  }

  #headNow(): KeptHead {
    return this.#known !== null && this.#present.equals(this.#known.bytes) ? this.#known.head : headIn(this.#present)
  }
}

/** Whether the sealed part was made with this key. */
export function isSealedWith(sealed: NonNullable<KeptHead['sealed']>, key: Uint8Array): boolean {
  return timingSafeEqual(Buffer.from(sealed.mac, 'hex'), Buffer.from(sealOf(sealed, key), 'hex'))
}

function sealOf(
  { records, hash, vault }: AuditMark & { readonly vault?: number | undefined },
  key: Uint8Array,
): string {
  const version = vault === undefined ? '' : `\nvault ${vault}`
  return createHmac('sha256', key).update(`headframe audit head\n${records}\n${hash}${version}`).digest('hex')
}

/** @throws Error when it is neither two copies, one of them intact, nor the previous format: one JSON text */
function headIn(bytes: Buffer): KeptHead {
  // The first copy is the newer one when they differ.
  const text = textIn(bytes.subarray(0, COPY_BYTES)) ?? textIn(bytes.subarray(COPY_BYTES)) ?? bytes.toString('utf8')
  return keptHead.parse(JSON.parse(text))
}

/** Null when this copy isn't intact. */
function textIn(copy: Buffer): string | null {
  if (copy.length !== COPY_BYTES) return null
  const text = copy.toString('latin1', 0, TEXT_BYTES)
  return copy.toString('latin1', TEXT_BYTES) === `${checkOf(text)}\n` ? text : null
}

function bytesOf(head: KeptHead): Buffer {
  const text = JSON.stringify(head).padEnd(TEXT_BYTES)
  return Buffer.from(`${text}${checkOf(text)}\n`.repeat(2), 'latin1')
}

function checkOf(text: string): string {
  return hash('sha256', text).slice(0, CHECK_DIGITS)
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at)
}

/** A first head, or one in the previous format: complete on disk before it gets its name. */
function replaceWith(file: string, bytes: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.tmp`
  const descriptor = openSync(temporary, 'w', 0o600)
  try {
    writeWhole(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
}

export const MARK_EVERY = 10_000

const markShape = z.strictObject({
  records: z.number().int().positive(),
  hash: digits,
  /** Number of its file once that is full. */
  file: z.number().int().positive(),
  /** Up to the end of the last record, in that file. */
  bytes: z.number().int().positive(),
  /** Null: written while the vault was locked. */
  mac: digits.nullable(),
})

export type Checkpoint = z.infer<typeof markShape>
/** A checkpoint that isn't written yet. */
export type Place = Omit<Checkpoint, 'mac'>

/** Checkpoints in order, and why the file can't be relied on; empty when it can. */
export interface Checkpoints {
  readonly marks: readonly Checkpoint[]
  readonly fault: string
}

/**
 * @param file of the checkpoints; a missing one has none
 * @param head the log's kept head: an older file of checkpoints ends long before it
 * @param key of the vault; null: only unsealed facts can be told
 * @throws Error of the file system
 */
export function readCheckpoints(
  file: string,
  head: AuditMark | null,
  key: Uint8Array | null,
  every = MARK_EVERY,
): Checkpoints {
  const text = ifThere(() => readFileSync(file, 'utf8'))
  if (text === null) return { marks: [], fault: '' }
  const marks: Checkpoint[] = []
  // An unfinished last line was never relied on.
  for (const line of text.split('\n').slice(0, -1)) {
    const mark = markShape.safeParse(jsonOrNull(line)).data
    const last = marks.at(-1)
    if (mark === undefined) return { marks: [], fault: `checkpoint ${marks.length + 1} can't be read` }
    if (last !== undefined && mark.records <= last.records)
      return { marks: [], fault: 'its checkpoints are out of order' }
    if (key !== null && mark.mac !== null && !isSealedBy(mark, key)) {
      return { marks: [], fault: `the checkpoint at ${mark.records} records was changed` }
    }
    marks.push(mark)
  }
  const due = head === null ? 0 : head.records - (head.records % every)
  if ((marks.at(-1)?.records ?? 0) < due)
    return { marks: [], fault: `its checkpoints are older than its ${due} records` }
  return { marks, fault: '' }
}

/** @param key null leaves them unsealed @throws Error of the file system */
export function appendCheckpoints(file: string, places: readonly Place[], key: Uint8Array | null): void {
  const lines = places.map((place) => JSON.stringify({ ...place, mac: key === null ? null : macOf(place, key) }))
  appendFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}

function isSealedBy(mark: Checkpoint, key: Uint8Array): boolean {
  return timingSafeEqual(Buffer.from(mark.mac ?? '', 'hex'), Buffer.from(macOf(mark, key), 'hex'))
}

function macOf({ records, hash, file, bytes }: Place, key: Uint8Array): string {
  return createHmac('sha256', key)
    .update(`headframe audit checkpoint\n${records}\n${hash}\n${file}\n${bytes}`)
    .digest('hex')
}
