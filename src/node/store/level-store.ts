// The store on disk: LevelDB through classic-level, with reads on the calling thread and writes in atomic batches.
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { messageOf } from '../../base/errors'
import { StoreError } from '../errors'
import { metaKeys } from './keys'
import type { Store, StoreChange } from './store'

const BYTES = { keyEncoding: 'view', valueEncoding: 'view' } as const
const CACHE_BYTES = 64 * 1024 * 1024

/**
 * Opens (and makes) the database in `folder`.
 * @throws StoreError STORE_LOCKED, STORE_CORRUPT, STORE_UNREADABLE
 */
export async function openLevelStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true })
  const found = await lookAt(folder)
  // LevelDB would take a database without its CURRENT file for a new one, and delete what is there.
  if (found.hasData && !found.hasCurrent)
    throw new StoreError('STORE_CORRUPT', { folder, reason: 'CURRENT is missing' })
  const db = new ClassicLevel<Uint8Array, Uint8Array>(folder, { ...BYTES, cacheSize: CACHE_BYTES })
  try {
    await db.open()
  } catch (error: unknown) {
    throw storeError(folder, error)
  }
  const store = new LevelStore(folder, db)
  // A damaged log is skipped in silence: files with content and no entry at all are no new database either.
  if (found.hasData && store.get(metaKeys.schema) === undefined) {
    await store.close()
    throw new StoreError('STORE_CORRUPT', { folder, reason: 'its entries are gone' })
  }
  return store
}

/** What a former run left; a run that was killed while making the database leaves no data. */
async function lookAt(folder: string): Promise<{ readonly hasCurrent: boolean; readonly hasData: boolean }> {
  const names = await readdir(folder)
  const data = names.filter((name) => /^\d+\.(ldb|sst|log)$/.test(name))
  const sizes = await Promise.all(data.map(async (name) => (await stat(join(folder, name))).size))
  return { hasCurrent: names.includes('CURRENT'), hasData: sizes.some((size) => size > 0) }
}

class LevelStore implements Store {
  constructor(
    private readonly folder: string,
    private readonly db: ClassicLevel<Uint8Array, Uint8Array>,
  ) {}

  get(key: Uint8Array): Uint8Array | undefined {
    try {
      return plain(this.db.getSync(key))
    } catch (error: unknown) {
      throw storeError(this.folder, error)
    }
  }

  async keysWithPrefix(prefix: Uint8Array): Promise<readonly Uint8Array[]> {
    try {
      const keys = await this.db.keys({ gte: prefix, lt: afterPrefix(prefix) }).all()
      return keys.map((key) => plain(key) ?? key)
    } catch (error: unknown) {
      throw storeError(this.folder, error)
    }
  }

  async write(changes: readonly StoreChange[]): Promise<void> {
    try {
      await this.db.batch(
        changes.map(([key, value]) => (value === null ? { type: 'del', key } : { type: 'put', key, value })),
      )
    } catch (error: unknown) {
      throw storeError(this.folder, error)
    }
  }

  close(): Promise<void> {
    return this.db.close()
  }
}

/** LevelDB hands out Buffers, whose `slice` does not copy. */
function plain(value: Uint8Array | undefined): Uint8Array | undefined {
  return value === undefined ? undefined : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/** The first key after all that start with `prefix`. */
function afterPrefix(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice()
  for (let i = end.length - 1; i >= 0; i--) {
    const byte = end[i] ?? 0
    if (byte === 0xff) continue
    end[i] = byte + 1
    return end.subarray(0, i + 1)
  }
  return Uint8Array.of(0xff, 0xff)
}

function storeError(folder: string, error: unknown): Error {
  const codes = codesOf(error)
  const reason = rootMessage(error)
  if (codes.includes('LEVEL_LOCKED')) return new StoreError('STORE_LOCKED', { folder }, { cause: error })
  if (codes.includes('LEVEL_CORRUPTION')) return new StoreError('STORE_CORRUPT', { folder, reason }, { cause: error })
  // A missing or cut MANIFEST or CURRENT is reported as a plain failure with these words.
  if (/corrupt|CURRENT|MANIFEST|missing files|checksum/i.test(reason))
    return new StoreError('STORE_CORRUPT', { folder, reason }, { cause: error })
  return new StoreError('STORE_UNREADABLE', { folder, reason }, { cause: error })
}

function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  return [...own, ...codesOf(error.cause)]
}

function rootMessage(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? rootMessage(error.cause) : messageOf(error)
}
