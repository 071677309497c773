// Where an audit log ends, kept apart from it: the number of its records and the hash of the last one. The part that was
// sealed with a key of the vault cannot be made again by somebody who only has the files, so that a log whose end was cut off, or
// whose whole chain was computed again, does not fit it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { isSystemCode } from '../system-code'

/** A place in the chain: so many records, the last of which has this hash. */
export interface AuditMark {
  readonly records: number
  /** SHA-256, hex; zeros for a log without records. */
  readonly hash: string
}

const mark = { records: z.number().int().nonnegative(), hash: z.string().regex(/^[0-9a-f]{64}$/) }

const keptHead = z.object({
  ...mark,
  sealed: z.object({ ...mark, mac: z.string().regex(/^[0-9a-f]{64}$/) }).nullable(),
})

/** `sealed` is the last end that a process with the vault's key wrote; null = none did. */
export type KeptHead = z.infer<typeof keptHead>

/** Where the head of this log is kept. @param folder of the vault, not the log's */
export function headFileOf(folder: string, log: string): string {
  const name = createHash('sha256').update(resolve(log)).digest('hex').slice(0, 16)
  return join(folder, `audit-head-${name}.json`)
}

/** Null where none is kept. @throws Error of the file system, or when the file is in another form */
export function readHead(file: string): KeptHead | null {
  try {
    return keptHead.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return null
    throw error
  }
}

/**
 * Replaces the kept head as a whole. Only under the log's lock.
 * @param key of the vault, 32 bytes; null leaves the sealed part as it is
 * @throws Error of the file system
 */
export function writeHead(file: string, { records, hash }: AuditMark, key: Uint8Array | null): void {
  const sealed =
    key === null ? (readHead(file)?.sealed ?? null) : { records, hash, mac: sealOf({ records, hash }, key) }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.tmp`
  writeFileSync(temporary, JSON.stringify({ records, hash, sealed }), { mode: 0o600 })
  renameSync(temporary, file)
}

/** Whether the sealed part was written with this key. */
export function isSealedWith(sealed: NonNullable<KeptHead['sealed']>, key: Uint8Array): boolean {
  return timingSafeEqual(Buffer.from(sealed.mac, 'hex'), Buffer.from(sealOf(sealed, key), 'hex'))
}

function sealOf({ records, hash }: AuditMark, key: Uint8Array): string {
  return createHmac('sha256', key).update(`headframe audit head\n${records}\n${hash}`).digest('hex')
}
