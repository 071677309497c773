// Checkpoints of an audit log, kept beside its head: every so many records, where the chain had come to. A log is read
// from its last checkpoint on, unless someone asks for all of it. Those written with the vault's key are sealed: without
// it nobody can make one.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { isSystemCode } from '../../base/errors'
import { jsonOrNull } from '../../base/json-text'
import type { AuditMark } from './audit-head'

/** Records from one checkpoint to the next. */
export const MARK_EVERY = 10_000

const markShape = z.strictObject({
  records: z.number().int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Number of its file once that is full. */
  file: z.number().int().positive(),
  /** Up to the end of the last record, in that file. */
  bytes: z.number().int().positive(),
  /** Null: written while the vault was locked. */
  mac: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
})

export type Checkpoint = z.infer<typeof markShape>
/** One that isn't written yet. */
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
  const text = textOf(file)
  if (text === null) return { marks: [], fault: '' }
  const marks: Checkpoint[] = []
  // An unfinished last line was never relied on.
  for (const line of text.split('\n').slice(0, -1)) {
    const mark = markIn(line)
    const last = marks.at(-1)
    if (mark === null) return { marks: [], fault: `checkpoint ${marks.length + 1} can't be read` }
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

function markIn(line: string): Checkpoint | null {
  return markShape.safeParse(jsonOrNull(line)).data ?? null
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return null
    throw error
  }
}
