// What the chain needs of a database, and a layer that collects changes to be written in one batch or not at all.
import { bytesName, compareBytes } from '../../base/bytes'
import { stateKeys } from './keys'
import { nodesOf } from './node-list'
import { RecordedNodes } from './recorded-nodes'

/** V8 keeps typed arrays of up to this many bytes on its own heap. */
const HEAP_BYTES = 64

/** Arrays outside V8's heap, each valid until the next: the library first moves others there, which is slow. */
export class LentBytes {
  readonly #views: readonly Uint8Array[]

  constructor() {
    const memory = new ArrayBuffer(HEAP_BYTES)
    this.#views = Array.from({ length: HEAP_BYTES + 1 }, (_, length) => new Uint8Array(memory, 0, length))
  }

  /** `bytes` itself when it is longer than what V8 keeps on its heap. */
  of(bytes: Uint8Array): Uint8Array {
    const view = this.#views[bytes.length]
    if (view === undefined) return bytes
    view.set(bytes)
    return view
  }
}

/** @param after only keys behind it; null = from the first on */
export function keyRange(prefix: Uint8Array, after: Uint8Array | null) {
  return { ...(after === null ? { gte: prefix } : { gt: after }), lt: afterPrefix(prefix) }
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

/** Read access to a database. */
export interface StoreReader {
  /** Undefined only when absent; also finds nodes in records. @throws StoreError: a failure never looks like absence */
  get(key: Uint8Array): Uint8Array | undefined
  /** What is stored under the key itself. @throws as `get` */
  getStored(key: Uint8Array): Uint8Array | undefined
  /** All keys with this prefix, in no particular order. */
  keysWithPrefix(prefix: Uint8Array): Promise<readonly Uint8Array[]>
}

export interface StoreWriter {
  put(key: Uint8Array, value: Uint8Array): void
  delete(key: Uint8Array): void
}

/** One change; null = delete. */
export type StoreChange = readonly [key: Uint8Array, value: Uint8Array | null]

/** A database with atomic batches. */
export interface Store extends StoreReader {
  /** The first `most` keys with this prefix, ascending, after `after` if given: for more than fit in memory. */
  keysBehind(prefix: Uint8Array, after: Uint8Array | null, most: number): Promise<readonly Uint8Array[]>
  /** All or nothing. */
  write(changes: readonly StoreChange[]): Promise<void>
  close(): Promise<void>
}

/** Changes on top of a reader. Dropping the layer drops the changes. */
export class StoreLayer implements StoreReader, StoreWriter {
  #base: StoreReader
  #isForgotten = false
  readonly #changes = new Map<string, StoreChange>()
  readonly #recorded: Uint8Array[] = []
  /** Those of the first of these lists that were looked for. */
  readonly #nodes = new Map<string, Uint8Array>()
  #listed = 0

  constructor(base: StoreReader) {
    this.#base = base
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const change = this.#changes.size === 0 ? undefined : this.#changes.get(bytesName(key))
    if (change !== undefined && change[1] !== null) return change[1]
    const isNode = stateKeys.isNode(key)
    if (change !== undefined && !isNode) return undefined
    return (isNode ? this.#recordedNode(key) : undefined) ?? this.#below().get(key)
  }

  getStored(key: Uint8Array): Uint8Array | undefined {
    const change = this.#changes.get(bytesName(key))
    return change === undefined ? this.#below().getStored(key) : (change[1] ?? undefined)
  }

  /** Makes the nodes of a block's record readable: `changes` has only the record. @param nodes see node-list.ts */
  addRecorded(nodes: Uint8Array): void {
    this.#recorded.push(nodes)
  }

  #recordedNode(key: Uint8Array): Uint8Array | undefined {
    for (; this.#listed < this.#recorded.length; this.#listed++)
      for (const [hash, node] of nodesOf(this.#recorded[this.#listed] ?? new Uint8Array(0)))
        this.#nodes.set(bytesName(stateKeys.node(hash)), node)
    return this.#nodes.get(bytesName(key))
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#changes.set(bytesName(key), [key, value])
  }

  delete(key: Uint8Array): void {
    this.#changes.set(bytesName(key), [key, null])
  }

  async keysWithPrefix(prefix: Uint8Array): Promise<readonly Uint8Array[]> {
    const keys = new Map<string, Uint8Array>()
    for (const key of await this.#below().keysWithPrefix(prefix)) keys.set(bytesName(key), key)
    const start = bytesName(prefix)
    for (const [text, [key, value]] of this.#changes) {
      if (!text.startsWith(start)) continue
      if (value === null) keys.delete(text)
      else keys.set(text, key)
    }
    return [...keys.values()]
  }

  changes(): readonly StoreChange[] {
    return [...this.#changes.values()]
  }

  /** Call it when the base has the changes, and change nothing afterwards: layers on top then read the base. */
  forget(): void {
    this.#changes.clear()
    this.#recorded.length = 0
    this.#nodes.clear()
    this.#listed = 0
    this.#isForgotten = true
  }

  /** Skips forgotten layers from then on: otherwise, each batch of an import would make reads one call deeper. */
  #below(): StoreReader {
    while (this.#base instanceof StoreLayer && this.#base.#isForgotten) this.#base = this.#base.#base
    return this.#base
  }
}

/** An in-memory store: for checks of single rules, and for chains that needn't persist. */
export class MemoryStore implements Store {
  readonly #entries = new Map<string, readonly [Uint8Array, Uint8Array]>()
  readonly #recorded = new RecordedNodes((key) => this.getStored(key))

  get(key: Uint8Array): Uint8Array | undefined {
    return this.getStored(key) ?? this.#recorded.find(key)
  }

  getStored(key: Uint8Array): Uint8Array | undefined {
    return this.#entries.get(bytesName(key))?.[1]
  }

  async keysWithPrefix(prefix: Uint8Array): Promise<readonly Uint8Array[]> {
    const start = bytesName(prefix)
    return [...this.#entries].filter(([text]) => text.startsWith(start)).map(([, [key]]) => key)
  }

  async keysBehind(prefix: Uint8Array, after: Uint8Array | null, most: number): Promise<readonly Uint8Array[]> {
    const keys = [...(await this.keysWithPrefix(prefix))].sort(compareBytes)
    return keys.filter((key) => after === null || compareBytes(key, after) > 0).slice(0, most)
  }

  async write(changes: readonly StoreChange[]): Promise<void> {
    for (const [key, value] of changes) {
      if (value === null) this.#entries.delete(bytesName(key))
      else this.#entries.set(bytesName(key), [key, value])
    }
  }

  async close(): Promise<void> {
    this.#entries.clear()
  }
}
