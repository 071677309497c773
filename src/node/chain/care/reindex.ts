// Rebuilds the indexes of a database from its blocks and receipts: canonical hashes, total difficulties, transaction
// places, log blocks. Every write leaves the database as good as before or better.
import { bytesFromBigint, equalBytes, minimalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { encodeRlp, rlpInteger } from '../../codec/rlp'
import { indexLogs } from '../../log-index/log-index'
import { decodeTransactions, transactionRoot } from '../../model/block'
import { decodeHeader } from '../../model/header'
import { portions } from '../../store/inspect'
import { chainKeys, metaKeys } from '../../store/keys'
import { type Store, StoreLayer } from '../../store/store'
import { ChainReads } from '../chain-store'
import type { CareOptions } from './damage'

interface Link {
  readonly hash: Uint8Array
  readonly number: bigint
  readonly parentHash: Uint8Array
  readonly difficulty: bigint
}

/** The heaviest unbroken one above genesis, lowest first; takes 300 bytes per stored header. @throws StoreError */
export async function readableChain(
  store: Store,
  genesisHash: Uint8Array,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const links = await readableLinks(store, signal)
  links.sort((a, b) => (a.number < b.number ? -1 : a.number > b.number ? 1 : 0))
  const reached = new Map<string, { readonly link: Link | null; readonly total: bigint }>()
  reached.set(toHex(genesisHash), { link: null, total: 0n })
  let best = { name: toHex(genesisHash), total: 0n }
  for (const link of links) {
    const parent = reached.get(toHex(link.parentHash))
    if (parent === undefined) continue
    const total = parent.total + link.difficulty
    const name = toHex(link.hash)
    reached.set(name, { link, total })
    if (total > best.total) best = { name, total }
  }
  const chain: Uint8Array[] = []
  for (let at = reached.get(best.name)?.link ?? null; at !== null; at = reached.get(toHex(at.parentHash))?.link ?? null)
    chain.push(at.hash)
  return chain.reverse()
}

async function readableLinks(store: Store, signal: AbortSignal): Promise<Link[]> {
  const prefix = chainKeys.header(new Uint8Array(0))
  const links: Link[] = []
  for await (const keys of portions(store, prefix, signal))
    for (const key of keys) {
      const link = linkOf(store, key.slice(prefix.length))
      if (link !== null) links.push(link)
    }
  return links
}

/** Null for a block whose header or transactions don't match its hash. */
function linkOf(store: Store, hash: Uint8Array): Link | null {
  const bytes = store.get(chainKeys.header(hash))
  if (bytes === undefined || !equalBytes(keccak256(bytes), hash)) return null
  const header = decodeHeader(bytes)
  const body = store.get(chainKeys.body(hash))
  if (!header.ok || body === undefined) return null
  const transactions = decodeTransactions(body)
  if (!transactions.ok || !equalBytes(transactionRoot(transactions.value), header.value.txRoot)) return null
  const { number, parentHash, difficulty } = header.value
  return { hash, number, parentHash, difficulty }
}

const BLOCKS_A_WRITE = 128

/** @throws RangeError when a block is missing or damaged: the indexes can't be rebuilt from it */
export async function reindex(store: Store, { onProgress, signal }: CareOptions): Promise<void> {
  const top = await indexDownwards(store, signal)
  const reads = new ChainReads(store)
  let layer = new StoreLayer(store)
  let total = 0n
  for (let number = 0n; number <= top && !signal.aborted; number++) {
    const hash = reads.canonicalHash(number)
    const block = hash === null ? null : reads.block(hash)
    if (hash === null || block === null) throw new RangeError(`block ${number} is missing`)
    total += block.header.difficulty
    layer.put(chainKeys.totalDifficulty(hash), minimalBytes(total))
    for (const [index, tx] of block.transactions.entries())
      layer.put(chainKeys.transaction(tx.hash), encodeRlp([hash, rlpInteger(index)]))
    indexLogs(layer, number, reads.receipts(hash) ?? [])
    if (number === top) layer.put(metaKeys.logsFrom, bytesFromBigint(0n, 8))
    if (number !== top && number % BigInt(BLOCKS_A_WRITE) !== 0n) continue
    await store.write(layer.changes())
    layer = new StoreLayer(store)
    onProgress({ fraction: Number(number + 1n) / Number(top + 1n), block: Number(number), blocks: Number(number + 1n) })
  }
}

/** Canonical hashes from the head down. @returns the head's height */
async function indexDownwards(store: Store, signal: AbortSignal): Promise<bigint> {
  const reads = new ChainReads(store)
  let hash = store.get(metaKeys.head)
  if (hash === undefined) throw new RangeError('the head is missing')
  const top = reads.header(hash)?.number ?? 0n
  let layer = new StoreLayer(store)
  for (let above = top + 1n; reads.canonicalHash(above) !== null; above++) layer.delete(chainKeys.canonical(above))
  for (let number = top; !signal.aborted; number--) {
    const header = reads.header(hash)
    if (header === null || header.number !== number) throw new RangeError(`block ${number} is missing`)
    const indexed = reads.canonicalHash(number)
    if (indexed === null || !equalBytes(indexed, hash)) layer.put(chainKeys.canonical(number), hash)
    if (number % BigInt(BLOCKS_A_WRITE) === 0n) {
      await store.write(layer.changes())
      layer = new StoreLayer(store)
    }
    if (number === 0n) break
    hash = header.parentHash
  }
  return top
}
