// The chain database as a query worker sees it: opened beside the chain worker, read through snapshots of one head each.
import { ClassicLevel } from 'classic-level'
import { equalBytes } from '../../base/bytes'
import { rootMessage } from '../../base/errors'
import { ChainReads } from '../chain/chain-store'
import { ChainError, StoreError } from '../errors'
import type { BlockHeader } from '../model/header'
import { metaKeys } from '../store/keys'
import { RecordedNodes } from '../store/recorded-nodes'
import { keyRange, LentBytes, type Store, type StoreReader } from '../store/store'

export interface ChainView {
  readonly store: StoreReader
  readonly reads: ChainReads
  readonly head: { readonly hash: Uint8Array; readonly header: BlockHeader }
  /** @see Store.keysBehind */
  readonly keysBehind: Store['keysBehind']
}

export interface ViewSource {
  /** The newest view; older ones must not be read any more. */
  current(): ChainView
  close(): Promise<void>
}

/** Of a store that queries read. */
export const noRanges = () => Promise.reject(new RangeError('a query reads no ranges'))

type Level = ClassicLevel<Uint8Array, Uint8Array>
type LevelSnapshot = ReturnType<Level['snapshot']>

const BYTES = { keyEncoding: 'view', valueEncoding: 'view' } as const

export interface ReadWatch {
  /** Called before a read, which throws what this throws. */
  begin(): void
  end(): void
}

/** @throws StoreError STORE_UNREADABLE */
export async function openViews(folder: string, watch: ReadWatch | null = null): Promise<ViewSource> {
  const db: Level = new ClassicLevel(folder, { ...BYTES, createIfMissing: false, multithreading: true })
  try {
    await db.open()
  } catch (error: unknown) {
    throw new StoreError('STORE_UNREADABLE', { folder, reason: rootMessage(error) }, { cause: error })
  }
  return new LevelViews(folder, db, watch)
}

class LevelViews implements ViewSource {
  #current: { readonly view: ChainView; readonly snapshot: LevelSnapshot } | null = null
  #readNewest: StoreReader['getStored'] = (key) => this.#read(key)
  readonly #recorded = new RecordedNodes((key) => this.#readNewest(key))
  readonly #key = new LentBytes()

  constructor(
    private readonly folder: string,
    private readonly db: Level,
    private readonly watch: ReadWatch | null,
  ) {}

  async close(): Promise<void> {
    const current = this.#current
    this.#current = null
    await current?.snapshot.close()
    await this.db.close()
  }

  current(): ChainView {
    const head = this.#read(metaKeys.head)
    if (head === undefined) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    const before = this.#current
    if (before !== null && equalBytes(before.view.head.hash, head)) return before.view
    const next = this.#shot()
    this.#current = next
    if (before !== null) void before.snapshot.close()
    return next.view
  }

  #shot() {
    const snapshot = this.db.snapshot()
    const getStored = (key: Uint8Array): Uint8Array | undefined => this.#read(key, snapshot)
    this.#readNewest = getStored
    const store: StoreReader = {
      get: (key) => getStored(key) ?? this.#recorded.find(key),
      getStored,
      keysWithPrefix: noRanges,
    }
    const reads = new ChainReads(store)
    const hash = store.get(metaKeys.head)
    const header = hash === undefined ? null : reads.header(hash)
    if (hash === undefined || header === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    const keysBehind: Store['keysBehind'] = (prefix, after, most) =>
      this.db.keys({ ...BYTES, ...keyRange(prefix, after), limit: most, snapshot }).all()
    const view: ChainView = { store, reads, head: { hash, header }, keysBehind }
    return { view, snapshot }
  }

  #read(key: Uint8Array, snapshot?: LevelSnapshot): Uint8Array | undefined {
    this.watch?.begin()
    try {
      const lent = this.#key.of(key)
      const value = snapshot === undefined ? this.db.getSync(lent) : this.db.getSync(lent, { ...BYTES, snapshot })
      // LevelDB returns Buffers, whose `slice` doesn't copy.
      return value === undefined ? undefined : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    } catch (error: unknown) {
      throw new StoreError('STORE_UNREADABLE', { folder: this.folder, reason: rootMessage(error) }, { cause: error })
    } finally {
      this.watch?.end()
    }
  }
}
