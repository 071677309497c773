// What a database holds, by kind of entry.
import type { Store } from './store'

/** Kinds by the first letter of their keys, see keys.ts. */
const KINDS: Readonly<Record<string, string>> = {
  a: 'accounts',
  s: 'storage slots',
  t: 'storage slots of recreated contracts',
  w: 'incarnations of storage',
  n: 'trie nodes',
  k: 'shares of trie nodes',
  j: 'trie nodes of the newest blocks',
  c: 'contract code',
  u: 'state history',
  y: 'index of the state history',
  h: 'headers',
  b: 'bodies',
  r: 'receipts',
  d: 'total difficulties',
  i: 'canonical index',
  f: 'side blocks',
  x: 'transaction index',
  l: 'log index',
  m: 'settings of the database',
}

export interface KindSize {
  readonly kind: string
  readonly entries: number
  /** Keys and values as written; on disk they are compressed. */
  readonly bytes: number
}

/** Entries read before the thread's other work gets a turn. */
const PORTION = 2_000

/** Of all kinds, and `unknown` if there are such keys. @param onProgress fraction of kinds done @throws StoreError */
export async function inspectStore(
  store: Store,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<readonly KindSize[]> {
  const sizes: KindSize[] = []
  const letters = Object.entries(KINDS)
  let known = 0
  for (const [index, [letter, kind]] of letters.entries()) {
    const size = await sizeOf(store, Uint8Array.of(letter.charCodeAt(0)), signal)
    known += size.entries
    sizes.push({ kind, ...size })
    onProgress((index + 1) / letters.length)
  }
  const all = await countKeys(store, signal)
  if (all > known) sizes.push({ kind: 'unknown', entries: all - known, bytes: 0 })
  return sizes
}

async function sizeOf(store: Store, prefix: Uint8Array, signal: AbortSignal) {
  let entries = 0
  let bytes = 0
  for await (const keys of portions(store, prefix, signal)) {
    for (const key of keys) bytes += key.length + (store.get(key)?.length ?? 0)
    entries += keys.length
  }
  return { entries, bytes }
}

async function countKeys(store: Store, signal: AbortSignal): Promise<number> {
  let entries = 0
  for await (const keys of portions(store, new Uint8Array(0), signal)) entries += keys.length
  return entries
}

/** All keys that start with `prefix`, ascending, in portions; ends early when `signal` aborts. */
export async function* portions(
  store: Store,
  prefix: Uint8Array,
  signal?: AbortSignal,
): AsyncGenerator<readonly Uint8Array[]> {
  let last: Uint8Array | null = null
  while (signal?.aborted !== true) {
    const keys: readonly Uint8Array[] = await store.keysBehind(prefix, last, PORTION)
    if (keys.length === 0) return
    yield keys
    last = keys.at(-1) ?? null
  }
}
