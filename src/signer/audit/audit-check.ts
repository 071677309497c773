// Verifies an audit log: whether the hash chain is intact, and if not, which record is the first bad one.
import { hash as digest } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { z } from 'zod'
import { isSystemCode } from '../../base/errors'
import { jsonOrNull } from '../../base/json-text'
import { SignerError } from '../errors'
import { FIRST_LINK, fullFiles, numberOfFull, openIfThere } from './audit-files'
import { type AuditMark, isSealedWith, type KeptHead, type Place } from './audit-head'

const CHUNK_BYTES = 256 * 1024

const RECORD_START = '{"seq":'

const link = z.object({
  seq: z.number().int().nonnegative(),
  previous: z.string().regex(/^[0-9a-f]{64}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  type: z.string().optional(),
  reason: z.string().optional(),
})

export type AuditVerdict =
  | {
      readonly ok: true
      readonly records: number
      readonly lastHash: string
      /** How many of them, from the first on, the vault's key vouches for; null without a key. */
      readonly sealed: number | null
    }
  /** `record` counts from 0. */
  | { readonly ok: false; readonly record: number; readonly reason: string }

/** What a log is compared with. */
export interface AuditKnowledge {
  /** Stored separately from the log; null or missing = there is none. */
  readonly head?: KeptHead | null
  readonly key?: Uint8Array | null
  readonly anchor?: AuditMark | null
  /** True: records about earlier damage are already known. */
  readonly isDamageKnown?: boolean
  /** True: someone may be writing, so an unfinished last line is where the log ends for now. */
  readonly isGrowing?: boolean
  /** Where to begin: what is before was verified when this was sealed. Missing or null = at the first record. */
  readonly from?: Place | null
}

/**
 * Checks every record, including those in full files. The file alone can't reveal records missing at the end, or a
 * chain recomputed from its first record: that takes the separately stored head, and its seal or an anchor.
 */
export async function verifyAudit(file: string, known: AuditKnowledge = {}): Promise<AuditVerdict> {
  const marks = marksOf(known)
  if (typeof marks === 'string') return { ok: false, record: 0, reason: marks }
  const from = known.from ?? null
  let records = from?.records ?? 0
  let previous = from?.hash ?? FIRST_LINK
  const other = marks.find((each) => each.records === records && each.hash !== previous)
  if (from !== null && other !== undefined) {
    return { ok: false, record: records - 1, reason: `it isn't the record that ${other.from} names` }
  }
  for await (const line of auditLines(file, from)) {
    if (!line.ended && known.isGrowing === true) break
    const checked = checkLine(line.text, records, previous)
    if (typeof checked === 'string') return { ok: false, record: records, reason: checked }
    if (!line.ended) return { ok: false, record: records, reason: 'the last line is not finished' }
    if (checked.damage !== null && known.isDamageKnown !== true)
      return { ok: false, record: records, reason: checked.damage }
    previous = checked.hash
    records += 1
    const foreign = marks.find((each) => each.records === records && each.hash !== previous)
    if (foreign !== undefined) {
      return { ok: false, record: records - 1, reason: `it isn't the record that ${foreign.from} names` }
    }
  }
  const longest = marks.find((each) => each.records > records)
  if (longest !== undefined) {
    const reason = `the log ends here, but ${longest.from} names ${longest.records} records`
    return { ok: false, record: records, reason }
  }
  return {
    ok: true,
    records,
    lastHash: previous,
    sealed: (known.key ?? null) === null ? null : (known.head?.sealed?.records ?? 0),
  }
}

interface NamedMark extends AuditMark {
  readonly from: string
}

/** The places the chain must pass through, or why that can't be determined. */
function marksOf({ head = null, key = null, anchor = null }: AuditKnowledge): readonly NamedMark[] | string {
  const marks: NamedMark[] = []
  if (anchor !== null) marks.push({ ...anchor, from: 'the anchor' })
  const sealed = head?.sealed ?? null
  if (key !== null) {
    if (sealed === null) return 'no head sealed by this vault is kept for this log'
    if (!isSealedWith(sealed, key)) return "the kept head wasn't sealed by this vault"
    marks.push({ ...sealed, from: 'the sealed head' })
  } else if (sealed !== null) marks.push({ ...sealed, from: 'the sealed head' })
  if (head !== null) marks.push({ ...head, from: 'the kept head' })
  return marks
}

/** Where a log ends. */
export interface AuditTail {
  readonly records: number
  readonly hash: string
  /** Bytes up to the end of the last whole line. */
  readonly goodBytes: number
  readonly cutBytes: number
}

/**
 * The end of a log.
 * @param from known state; only what follows is read
 * @param size of the file, bytes
 * @throws SignerError SIGNER_AUDIT_BROKEN when the whole lines don't form a chain, SIGNER_AUDIT_FOREIGN for another
 * program's file: it is left as it is, also where its last line has no end
 */
export async function readAuditTail(
  log: { readonly file: string; readonly handle: FileHandle },
  from: AuditTail,
  size: number,
): Promise<AuditTail> {
  let { records, hash, goodBytes } = from
  if (goodBytes === 0 && !(await beginsAsRecord(log.handle))) {
    throw new SignerError('SIGNER_AUDIT_FOREIGN', { file: log.file })
  }
  for await (const line of lines(chunksOf(log.handle, goodBytes, size), goodBytes)) {
    if (!line.ended) break
    const checked = checkLine(line.text, records, hash)
    if (typeof checked === 'string') {
      throw new SignerError('SIGNER_AUDIT_BROKEN', { file: log.file, record: records, reason: checked })
    }
    hash = checked.hash
    records += 1
    goodBytes = line.endBytes
  }
  return { records, hash, goodBytes, cutBytes: size - goodBytes }
}

/** Also true for no bytes, for less than a record's start, and for zeros, which a power cut leaves. */
async function beginsAsRecord(handle: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(RECORD_START.length), 0, RECORD_START.length, 0)
  const start = buffer.subarray(0, bytesRead)
  return RECORD_START.startsWith(start.toString('latin1')) || start.every((byte) => byte === 0)
}

interface CheckedLine {
  readonly hash: string
  /** For a record that reports damage; else null. */
  readonly damage: string | null
}

function checkLine(line: string, seq: number, previous: string): CheckedLine | string {
  const split = /^(.*),"hash":"([0-9a-f]{64})"\}$/s.exec(line)
  if (!line.startsWith(RECORD_START)) return "it isn't a record of Headframe"
  if (split === null) return 'it has no hash at its end'
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'it is not JSON'
  }
  const parsed = link.safeParse(value)
  if (!parsed.success) return 'it lacks a number, a hash or a link'
  if (parsed.data.seq !== seq) return `its number is ${parsed.data.seq}, want ${seq}`
  if (parsed.data.previous !== previous) return 'it does not follow the record before'
  const hash = digest('sha256', `${split[1]}}`)
  if (hash !== parsed.data.hash) return 'its content does not match its hash'
  const { type, reason } = parsed.data
  return { hash, damage: type === 'damaged' ? `it tells of damage before it: ${reason}` : null }
}

interface AuditLine {
  readonly text: string
  readonly ended: boolean
  /** Position behind the line end, bytes from the start of the file. */
  readonly endBytes: number
}

/**
 * The record's lines, unverified, including its full files, oldest first.
 * @param from where to begin; null = at the first record
 * @throws Error of the file system, also when there is no file at all
 */
export async function* auditLines(file: string, from: Place | null = null): AsyncGenerator<AuditLine> {
  // Opened before the full files are listed: a file that becomes full meanwhile is then read once, and not missed.
  const present = await openIfThere(file)
  try {
    const inode = present === null ? null : (await present.stat({ bigint: true })).ino
    const full = await fullFiles(file)
    const startIn = (number: number): number => (from?.file === number ? from.bytes : 0)
    let number = 1
    for (const each of full) {
      number = numberOfFull(each)
      const isPresent = inode !== null && (await stat(each, { bigint: true })).ino === inode
      if (isPresent) break
      if (from === null || number >= from.file) {
        yield* lines(createReadStream(each, { start: startIn(number) }), startIn(number))
      }
      number += 1
    }
    const start = startIn(number)
    if (present !== null) yield* lines(chunksOf(present, start, (await present.stat()).size), start)
    else if (full.length === 0) await open(file, 'r')
  } finally {
    await present?.close()
  }
}

/**
 * Its records of one shape; none when there is no file yet. A half-written last line is no record.
 * @param isWanted of a line: parsing all of them as JSON is slow
 * @throws Error of the file system
 */
export async function* auditRecords<T>(
  file: string,
  shape: z.ZodType<T>,
  isWanted: (text: string) => boolean = () => true,
): AsyncGenerator<T> {
  try {
    for await (const { text } of auditLines(file)) {
      const read = isWanted(text) ? shape.safeParse(jsonOrNull(text)) : null
      if (read?.success === true) yield read.data
    }
  } catch (error) {
    if (!isSystemCode(error, 'ENOENT')) throw error
  }
}

async function* chunksOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - at))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    yield chunk.subarray(0, bytesRead)
    at += bytesRead
  }
}

async function* lines(stream: AsyncIterable<unknown>, start: number): AsyncGenerator<AuditLine> {
  let parts: Uint8Array[] = []
  let at = start
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) continue
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)])
      parts = []
      at += line.length + 1
      yield { text: line.toString('utf8'), ended: true, endBytes: at }
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) parts.push(rest)
  }
  const last = Buffer.concat(parts)
  if (last.length > 0) yield { text: last.toString('utf8'), ended: false, endBytes: at + last.length }
}
