// Maintenance of a whole database, while nothing else has it open.
import { ClassicLevel } from 'classic-level'
import { StoreError } from '../errors'
import { openLevel, storeError } from './level-store'

/** LevelDB's own statistics: tables and sizes by level, and compactions. @throws StoreError */
export async function levelStats(folder: string): Promise<string> {
  const db = await openLevel(folder, {})
  try {
    return db.getProperty('leveldb.stats').trimEnd()
  } finally {
    await db.close()
  }
}

/** Rewrites all tables without deleted or replaced entries. Stops early when `signal` aborts. @throws StoreError */
export async function compactLevel(
  folder: string,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const db = await openLevel(folder, {})
  try {
    for (let letter = 0x61; letter <= 0x7a && !signal.aborted; letter++) {
      await db.compactRange(Uint8Array.of(letter), Uint8Array.of(letter + 1))
      onProgress((letter - 0x60) / 26)
    }
  } catch (error: unknown) {
    throw storeError(folder, error)
  } finally {
    await db.close()
  }
}

/** From tables and logs, whatever the manifest says: entries may be missing or old. @throws STORE_UNREADABLE */
export async function salvageLevel(folder: string): Promise<void> {
  try {
    await ClassicLevel.repair(folder)
  } catch (error: unknown) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new StoreError('STORE_UNREADABLE', { folder, reason }, { cause: error })
  }
}
