// Which tables a LevelDB database uses, from its MANIFEST. A compaction that a stop or a crash cuts off leaves part of a
// table behind that nothing refers to; the next start deletes it. Source: LevelDB, version_edit.cc
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeRecords } from './log-file'
import { type Reader, readVarint } from './snappy'

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
export async function tablesInUse(folder: string): Promise<ReadonlySet<number> | null> {
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
