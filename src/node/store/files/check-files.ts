// Checks the files of a database against their checksums, before anything is read from it.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { concatBytes } from '../../../base/bytes'
import { type BlockPlace, checkTable, maskedCrc32c, type Reader, readVarint } from './table-file'

// The records of a LevelDB log, which holds what isn't in a table yet. LevelDB silently drops damaged records. A
// truncated or damaged end is what a crash leaves: the writes before it are intact. A hole in the middle isn't: later
// writes build on lost ones. Source: LevelDB, log format

const BLOCK_BYTES = 32 * 1024
/** Checksum, length, type. */
const HEADER_BYTES = 7

/** Byte offset of the first hole; null when there is none. */
async function logHole(file: string): Promise<number | null> {
  return holeIn(await readFile(file))
}

/** The same for a log's bytes. */
function holeIn(log: Uint8Array): number | null {
  let damagedAt: number | null = null
  for (const { at, payload } of recordsOf(log)) {
    if (payload === null) damagedAt ??= at
    else if (damagedAt !== null) return damagedAt
  }
  return null
}

/** Put together, without one that the end cuts off. @throws RangeError at a damaged one */
function* wholeRecords(log: Uint8Array): Generator<Uint8Array> {
  let parts: Uint8Array[] = []
  for (const { at, statedBytes, type, payload } of recordsOf(log)) {
    if (payload === null) {
      if (at + HEADER_BYTES + statedBytes > log.length) return
      throw new RangeError(`damaged record at byte ${at}`)
    }
    parts.push(payload)
    if (type !== FULL && type !== LAST) continue
    yield concatBytes(...parts)
    parts = []
  }
}

/** Values of the type byte: a whole record, or a part of one. */
const FULL = 1
const LAST = 4

/** A record, or a part of one, as it lies in the log. */
interface LogRecord {
  /** byte offset in the log */
  readonly at: number
  /** length of the payload by the header */
  readonly statedBytes: number
  readonly type: number
  /** Null when the record isn't what was written. */
  readonly payload: Uint8Array | null
}

/** In order. Behind a damaged one, the next is the first of the next block: where this block's begins is unknown. */
function* recordsOf(log: Uint8Array): Generator<LogRecord> {
  for (let start = 0; start < log.length; start += BLOCK_BYTES) {
    const block = log.subarray(start, start + BLOCK_BYTES)
    for (let at = 0; at + HEADER_BYTES <= block.length; ) {
      const view = new DataView(block.buffer, block.byteOffset + at, HEADER_BYTES)
      const [checksum, statedBytes, type] = [view.getUint32(0, true), view.getUint16(4, true), view.getUint8(6)]
      if (statedBytes === 0 && type === 0) break // preallocated space
      const checked = block.subarray(at + 6, at + HEADER_BYTES + statedBytes)
      const isWhole = checked.length === 1 + statedBytes && checksum === maskedCrc32c(checked)
      yield { at: start + at, statedBytes, type, payload: isWhole ? checked.subarray(1) : null }
      if (!isWhole) break
      at += HEADER_BYTES + statedBytes
    }
  }
}

/** What an edit of the list says next. */
const TAG = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedFile: 6,
  newFile: 7,
  previousLog: 9,
} as const

/** Numbers of the tables in use; null when the list is absent or can't be read. */
async function tablesInUse(folder: string): Promise<ReadonlySet<number> | null> {
  try {
    const current = (await readFile(join(folder, 'CURRENT'), 'utf8')).trim()
    if (!/^MANIFEST-\d+$/.test(current)) return null
    const manifest = await readFile(join(folder, current))
    const inUse = new Set<number>()
    for (const record of wholeRecords(manifest)) applyEdit({ bytes: record, at: 0 }, inUse)
    return inUse
  } catch {
    return null // the library reports what is wrong with it
  }
}

/** @throws RangeError for an edit of an unknown kind */
function applyEdit(edit: Reader, inUse: Set<number>): void {
  while (edit.at < edit.bytes.length) {
    const tag = readVarint(edit)
    switch (tag) {
      case TAG.comparator:
        skipText(edit)
        break
      case TAG.logNumber:
      case TAG.nextFile:
      case TAG.lastSequence:
      case TAG.previousLog:
        readVarint(edit)
        break
      case TAG.compactPointer:
        readVarint(edit) // level
        skipText(edit)
        break
      case TAG.deletedFile:
        readVarint(edit) // level
        inUse.delete(readVarint(edit))
        break
      case TAG.newFile:
        readVarint(edit) // level
        inUse.add(readVarint(edit))
        readVarint(edit) // size
        skipText(edit) // smallest key
        skipText(edit) // largest key
        break
      default:
        throw new RangeError(`unknown tag ${tag}`)
    }
  }
}

function skipText(edit: Reader): void {
  const length = readVarint(edit)
  edit.at += length
}

/** A damaged file. */
export interface FileDamage {
  /** Name within the folder. */
  readonly file: string
  /** Completes "FILE is damaged: ...". */
  readonly reason: string
  /** Blocks of a table that aren't what was written; empty when the whole file is unreadable, and for logs. */
  readonly blocks: readonly BlockPlace[]
}

/** How much is checked. */
interface CheckFilesOptions {
  /** Tables are checked newest first until this many bytes were read. Default: all. */
  readonly maxTableBytes?: number
  /** Called after every part read, with the fraction of the total. */
  readonly onProgress?: (fraction: number) => void
  /** Stops the check early; what was found so far is returned. */
  readonly signal?: AbortSignal
}

/** Yield to other work on this thread after this many bytes: about 2 ms. */
const TURN_BYTES = 1024 * 1024

/** All damage found, newest file first; empty when there is none, or no folder. */
export async function checkFiles(folder: string, options: CheckFilesOptions = {}): Promise<readonly FileDamage[]> {
  const { maxTableBytes = Number.POSITIVE_INFINITY, onProgress, signal } = options
  const files = await dataFiles(folder, maxTableBytes)
  const total = Math.max(
    1,
    files.reduce((sum, { size }) => sum + size, 0),
  )
  const damages: FileDamage[] = []
  let read = 0
  let turnAt = 0
  const onBytes = async (bytes: number): Promise<void> => {
    read += bytes
    if (read < turnAt) return
    turnAt = read + TURN_BYTES
    onProgress?.(Math.min(1, read / total))
    await setImmediate()
  }
  for (const { file, isLog, size } of files) {
    if (signal?.aborted === true) break
    const path = join(folder, file)
    if (isLog) {
      const hole = await logHole(path)
      await onBytes(size)
      if (hole !== null) damages.push({ file, reason: `wrong checksum at byte ${hole}`, blocks: [] })
      continue
    }
    const damage = await checkTable(path, onBytes)
    if (damage !== null) damages.push({ file, ...words(damage) })
  }
  return damages
}

function words({ blocks, unreadable }: { readonly blocks: readonly BlockPlace[]; readonly unreadable: string | null }) {
  if (unreadable !== null) return { reason: unreadable, blocks }
  const more = blocks.length === 1 ? '' : ` and in ${blocks.length - 1} other places`
  return { reason: `wrong checksum at byte ${blocks[0]?.offset ?? 0}${more}`, blocks }
}

/** Logs, then the tables in use, newest first; all tables when it isn't known which are. */
async function dataFiles(folder: string, maxTableBytes: number) {
  const names = await readdir(folder).catch(() => [])
  const inUse = await tablesInUse(folder)
  const found = names.flatMap((file) => {
    const [, number = '', kind = ''] = /^(\d+)\.(ldb|sst|log)$/.exec(file) ?? []
    return number === '' ? [] : [{ file, number: Number(number), isLog: kind === 'log' }]
  })
  const wanted = found.filter(({ number, isLog }) => isLog || inUse === null || inUse.has(number))
  wanted.sort((a, b) => Number(b.isLog) - Number(a.isLog) || b.number - a.number)
  const taken: { readonly file: string; readonly isLog: boolean; readonly size: number }[] = []
  let tableBytes = 0
  for (const { file, isLog } of wanted) {
    const { size } = await stat(join(folder, file))
    if (!isLog && tableBytes + size > maxTableBytes) continue
    if (!isLog) tableBytes += size
    taken.push({ file, isLog, size })
  }
  return taken
}
