// The store on disk: LevelDB through classic-level, with reads on the calling thread and writes in atomic batches.
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { bytesName, EMPTY_BYTES } from '../../base/bytes'
import { rootMessage } from '../../base/errors'
import { StoreError } from '../errors'
import { DiskGuard, type DiskOptions } from './disk-guard'
import { checkFiles } from './files/check-files'
import { chainKeys, logKeys, metaKeys } from './keys'
import { RecordedNodes } from './recorded-nodes'
import { keyRange, LentBytes, type Store, type StoreChange } from './store'

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

const BYTES = { keyEncoding: 'view', valueEncoding: 'view' } as const
/** Greater than every key. */
const NO_KEY = Uint8Array.of(0xff, 0xff)
/** The engine caches what blocks read, and the system the files: with 64 MiB an import takes 40 MB more and as long. */
const CACHE_BYTES = 16 * 1024 * 1024
/** Size of a log and its in-memory table: with the library's default of 4 MiB a long import compacts all the time. */
const WRITE_BUFFER_BYTES = 16 * 1024 * 1024

const OPEN = { ...BYTES, cacheSize: CACHE_BYTES, writeBufferSize: WRITE_BUFFER_BYTES } as const
/** Bytes of the newest tables checked at each start: a tenth of a second. `headframe db verify` checks all. */
const CHECKED_BYTES = 64 * 1024 * 1024
/** Together at most 3 MB. */
const HOT_ENTRIES = 4_096
/** Of a value, as long as a set of the log index: the genesis file is among the settings, too. */
const HOT_BYTES = 512
const HOT_LETTERS = [metaKeys.schema, chainKeys.canonical(0n), logKeys.section(EMPTY_BYTES, 0)].map(
  ([letter]) => letter,
)
/** Opening writes the last run's logs into tables. */
const REOPEN_BYTES = 4 * WRITE_BUFFER_BYTES

interface LevelStoreOptions extends DiskOptions {
  /** True: `holdLevel` of this process has it open already. Default false. */
  readonly held?: boolean
}

type Level = ClassicLevel<Uint8Array, Uint8Array>

/** Opens the database in `folder`, made if needed; `write` rejects while the disk is nearly full. @throws StoreError */
export async function openLevelStore(folder: string, options: LevelStoreOptions = {}): Promise<Store> {
  const db = options.held === true ? await joinLevel(folder) : await openLevel(folder, options)
  return new LevelStore(folder, db, new DiskGuard(folder, options))
}

/**
 * Opens the database, creating it if needed, and only keeps it open. The library's threads share the cache of whichever
 * opened first, and it is gone when that one closes or its thread ends: this one must be open before all others and
 * until all others are closed, in a thread that outlives theirs.
 * @returns a function that closes it
 * @throws StoreError STORE_LOCKED, STORE_CORRUPT, STORE_UNREADABLE, STORE_DISK_LOW
 */
export async function holdLevel(folder: string): Promise<() => Promise<void>> {
  const db = await openLevel(folder, {})
  return () => db.close()
}

/** Where a repair builds the chain again. */
export const rebuiltOf = (folder: string): string => `${folder}.rebuilt`

/** Whether there is a database, or one that a killed repair left ready. */
export const hasChain = (folder: string): boolean => existsSync(folder) || existsSync(rebuiltOf(folder))

/** Completes a repair that was killed between its two last steps. @returns whether there was one */
export async function finishSwap(folder: string): Promise<boolean> {
  if (existsSync(folder) || !existsSync(rebuiltOf(folder))) return false
  await rename(rebuiltOf(folder), folder)
  return true
}

/** Opens the database for this thread alone, after checking its logs and newest tables. @throws StoreError */
export async function openLevel(folder: string, disk: DiskOptions): Promise<Level> {
  await finishSwap(folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700) // the library's files are readable by all: it sets no modes
  const found = await lookAt(folder)
  // LevelDB would take a database without its CURRENT file for a new one, and delete its contents.
  if (found.hasData && !found.hasCurrent)
    throw new StoreError('STORE_CORRUPT', { folder, reason: 'CURRENT is missing' })
  const [damage] = await checkFiles(folder, { maxTableBytes: CHECKED_BYTES })
  if (damage !== undefined)
    throw new StoreError('STORE_CORRUPT', { folder, reason: `${damage.file}: ${damage.reason}` })
  const db = await openDatabase(folder).catch(async (error: unknown) => {
    throw isDiskFull(error)
      ? await new DiskGuard(folder, disk).lowError(REOPEN_BYTES, error)
      : storeError(folder, error)
  })
  // A damaged log is skipped silently: files with content but no entry at all aren't a new database either.
  if (found.hasData && db.getSync(metaKeys.schema) === undefined) {
    await db.close()
    throw new StoreError('STORE_CORRUPT', { folder, reason: 'its entries are gone' })
  }
  return db
}

async function openDatabase(folder: string): Promise<Level> {
  // Opened for sharing with reader threads, it would allow a second writer in this process: first make sure that nobody
  // has it open.
  const alone: Level = new ClassicLevel(folder, OPEN)
  await alone.open()
  await alone.close()
  const shared: Level = new ClassicLevel(folder, { ...OPEN, multithreading: true })
  await shared.open()
  return shared
}

async function joinLevel(folder: string): Promise<Level> {
  const db: Level = new ClassicLevel(folder, { ...BYTES, createIfMissing: false, multithreading: true })
  try {
    await db.open()
    return db
  } catch (error: unknown) {
    throw storeError(folder, error)
  }
}

/** Left by an earlier run; one that was killed while creating the database leaves no data. */
async function lookAt(folder: string): Promise<{ readonly hasCurrent: boolean; readonly hasData: boolean }> {
  const names = await readdir(folder)
  const data = names.filter((name) => /^\d+\.(ldb|sst|log)$/.test(name))
  const sizes = await Promise.all(data.map(async (name) => (await stat(join(folder, name))).size))
  return { hasCurrent: names.includes('CURRENT'), hasData: sizes.some((size) => size > 0) }
}

class LevelStore implements Store {
  /** A failed write may end in half an entry, behind which nothing is found again: a new log is needed. */
  #brokenLog = false
  readonly #key = new LentBytes()
  readonly #value = new LentBytes()
  readonly #hot = new HotEntries()
  readonly #recorded = new RecordedNodes((key) => this.getStored(key))

  constructor(
    private readonly folder: string,
    private readonly db: Level,
    private readonly disk: DiskGuard,
  ) {}

  get(key: Uint8Array): Uint8Array | undefined {
    return this.getStored(key) ?? this.#recorded.find(key)
  }

  getStored(key: Uint8Array): Uint8Array | undefined {
    const hot = this.#hot.nameOf(key)
    const known = hot === null ? undefined : this.#hot.find(hot)
    if (known !== undefined) return known ?? undefined
    try {
      const value = plain(this.db.getSync(this.#key.of(key)))
      if (hot !== null) this.#hot.keep(hot, value ?? null)
      return value
    } catch (error: unknown) {
      throw storeError(this.folder, error)
    }
  }

  keysWithPrefix(prefix: Uint8Array): Promise<readonly Uint8Array[]> {
    return this.#keys(keyRange(prefix, null))
  }

  keysBehind(prefix: Uint8Array, after: Uint8Array | null, most: number): Promise<readonly Uint8Array[]> {
    return this.#keys({ ...keyRange(prefix, after), limit: most })
  }

  async #keys(range: {
    readonly gte?: Uint8Array
    readonly gt?: Uint8Array
    readonly lt: Uint8Array
    readonly limit?: number
  }): Promise<readonly Uint8Array[]> {
    try {
      const keys = await this.db.keys(range).all()
      return keys.map((key) => plain(key) ?? key)
    } catch (error: unknown) {
      throw storeError(this.folder, error)
    }
  }

  async write(changes: readonly StoreChange[]): Promise<void> {
    const bytes = changes.reduce((sum, [key, value]) => sum + key.length + (value?.length ?? 0), 0)
    await this.disk.check(this.#brokenLog ? bytes + REOPEN_BYTES : bytes)
    try {
      if (this.#brokenLog) await this.#beginLog()
      // One call per change takes half the time of one array of changes.
      const batch = this.db.batch()
      for (const [key, value] of changes) {
        if (value === null) batch.del(this.#key.of(key))
        else batch.put(this.#key.of(key), this.#value.of(value))
      }
      await this.#hot.during(changes, () => batch.write())
    } catch (error: unknown) {
      this.#brokenLog = true
      if (isDiskFull(error)) throw await this.disk.lowError(bytes, error)
      throw storeError(this.folder, error)
    }
  }

  /** Compacting starts a new log. Reopening would too, but drops the cache that the threads share. */
  async #beginLog(): Promise<void> {
    await this.db.compactRange(NO_KEY, NO_KEY)
    this.#brokenLog = false
  }

  close(): Promise<void> {
    return this.db.close()
  }
}

/** Entries that nearly every block reads: the library takes ten times as long. Only this thread writes, none gets old. */
class HotEntries {
  readonly #entries = new Map<string, Uint8Array | null>()
  #writing = 0
  #isOverlapping = false

  /** Null for other entries. */
  nameOf(key: Uint8Array): string | null {
    return HOT_LETTERS.includes(key[0] ?? 0) ? bytesName(key) : null
  }

  /** Null: absent; undefined: not known. */
  find(name: string): Uint8Array | null | undefined {
    return this.#entries.get(name)
  }

  /** A longer value is only forgotten. */
  keep(name: string, value: Uint8Array | null): void {
    if (this.#entries.size >= HOT_ENTRIES) this.#entries.clear()
    if ((value?.length ?? 0) > HOT_BYTES) this.#entries.delete(name)
    else this.#entries.set(name, value)
  }

  /** Keeps what `write` has written, unless writes overlap, since then it isn't known which of them was the last. */
  async during(changes: readonly StoreChange[], write: () => Promise<void>): Promise<void> {
    if (this.#writing++ > 0) this.#isOverlapping = true
    try {
      await write()
      for (const [key, value] of changes) {
        const name = this.nameOf(key)
        if (name === null) continue
        if (this.#isOverlapping) this.#entries.delete(name)
        else this.keep(name, value)
      }
    } catch (error: unknown) {
      this.#entries.clear()
      throw error
    } finally {
      if (--this.#writing === 0) this.#isOverlapping = false
    }
  }
}

/** LevelDB returns Buffers, whose `slice` doesn't copy. */
function plain(value: Uint8Array | undefined): Uint8Array | undefined {
  return value === undefined ? undefined : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/** Our error for a failure of the library. */
export function storeError(folder: string, error: unknown): Error {
  const codes = codesOf(error)
  const reason = rootMessage(error)
  if (codes.includes('LEVEL_LOCKED')) return new StoreError('STORE_LOCKED', { folder }, { cause: error })
  if (codes.includes('LEVEL_CORRUPTION')) return new StoreError('STORE_CORRUPT', { folder, reason }, { cause: error })
  // A missing or truncated MANIFEST or CURRENT, or one that names a missing file, is reported as a plain failure with
  // these words.
  if (/corrupt|CURRENT|MANIFEST|missing files|checksum|no such file|cannot find the file/i.test(reason))
    return new StoreError('STORE_CORRUPT', { folder, reason }, { cause: error })
  return new StoreError('STORE_UNREADABLE', { folder, reason }, { cause: error })
}

function isDiskFull(error: unknown): boolean {
  return /no space left|disk quota/i.test(rootMessage(error))
}

function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  return [...own, ...codesOf(error.cause)]
}
