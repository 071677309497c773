// The blocks of a damaged database that can still be trusted: their bytes match the hash that names them, and they lead
// back to genesis without a gap.
import { equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { decodeTransactions, transactionRoot } from '../../model/block'
import { decodeHeader } from '../../model/header'
import { portions } from '../../store/inspect'
import { chainKeys } from '../../store/keys'
import type { Store } from '../../store/store'

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
