// Reads an audit log back: is the chain of hashes whole, and if not, which record is the first bad one.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { z } from 'zod'
import { SignerError } from '../errors'
import { isSystemCode } from '../system-code'
import { fullFiles, openIfThere } from './audit-files'

/** What the first record names as the one before it. */
export const FIRST_LINK = '0'.repeat(64)

const CHUNK_BYTES = 256 * 1024

const link = z.object({
  seq: z.number().int().nonnegative(),
  previous: z.string().regex(/^[0-9a-f]{64}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})

export type AuditVerdict =
  | { readonly ok: true; readonly records: number; readonly lastHash: string }
  /** `record` counts from 0. */
  | { readonly ok: false; readonly record: number; readonly reason: string }

/** Checks every record, those of full files too. Records missing at the end cannot be seen from the file alone: compare `lastHash`. */
export async function verifyAudit(file: string): Promise<AuditVerdict> {
  let records = 0
  let previous = FIRST_LINK
  for await (const line of auditLines(file)) {
    const checked = checkLine(line.text, records, previous)
    if (typeof checked === 'string') return { ok: false, record: records, reason: checked }
    if (!line.ended) return { ok: false, record: records, reason: 'the last line is not finished' }
    previous = checked.hash
    records += 1
  }
  return { ok: true, records, lastHash: previous }
}

export interface AuditTail {
  readonly records: number
  readonly hash: string
  /** Bytes up to the end of the last whole line. */
  readonly goodBytes: number
  /** Bytes behind it. */
  readonly cutBytes: number
}

/**
 * Where a log goes on.
 * @param from what is known already; only what lies behind it is read
 * @param size of the file, bytes
 * @throws SignerError SIGNER_AUDIT_BROKEN when the whole lines do not form a chain
 */
export async function readAuditTail(
  log: { readonly file: string; readonly handle: FileHandle },
  from: AuditTail,
  size: number,
): Promise<AuditTail> {
  let { records, hash, goodBytes } = from
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

/** The record's link, or what is wrong with it. */
function checkLine(line: string, seq: number, previous: string): { readonly hash: string } | string {
  const split = /^(.*),"hash":"([0-9a-f]{64})"\}$/s.exec(line)
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
  const hash = createHash('sha256').update(`${split[1]}}`).digest('hex')
  return hash === parsed.data.hash ? { hash } : 'its content does not match its hash'
}

export interface AuditLine {
  readonly text: string
  /** Whether a line end follows. */
  readonly ended: boolean
  /** Position behind the line end, bytes from the start of the file. */
  readonly endBytes: number
}

/**
 * The record's lines as they are, checked or not, those of its full files first.
 * @throws Error of the file system, also where there is no file at all
 */
export async function* auditLines(file: string): AsyncGenerator<AuditLine> {
  // Opened before the others are looked for: a file that grows full meanwhile is then read once, and not missed.
  const present = await openIfThere(file)
  try {
    const inode = present === null ? null : (await present.stat({ bigint: true })).ino
    const full = await fullFiles(file)
    for (const each of full) {
      const isPresent = inode !== null && (await stat(each, { bigint: true })).ino === inode
      if (isPresent) break
      yield* lines(createReadStream(each), 0)
    }
    if (present !== null) yield* lines(chunksOf(present, 0, (await present.stat()).size), 0)
    else if (full.length === 0) await open(file, 'r')
  } finally {
    await present?.close()
  }
}

/** The same lines; none where there is no file yet. @throws Error of the file system */
export async function* auditLinesIfAny(file: string): AsyncGenerator<AuditLine> {
  try {
    yield* auditLines(file)
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
