// What a chain database keeps of the network that it was made for, and the checks that a later start means the same one.
import { concatBytes } from '../../base/bytes'
import { readCustomGenesis } from '../custom-genesis'
import { ChainError } from '../errors'
import type { NetworkSpec } from '../networks'
import type { Store } from '../store/store'
import type { OpenParams } from './chain-wire'

/** One of the database's own entries (letter m): the proof-of-work sizes of a custom network. */
const XHASH_MODE_KEY = concatBytes(Uint8Array.of('m'.charCodeAt(0)), new TextEncoder().encode('xhashMode'))

/** Rules that a genesis file sets and that its block's hash does not cover. */
const FREE_RULES = ['chainId', 'coinbaseMaturityBlocks', 'retargetIntervalBlocks', 'asertActivationHeight'] as const

/**
 * The genesis file to open with; null = the stored one. Where it belongs to the data directory (practice) the stored one
 * stays; on the other networks the given one must be the stored one.
 */
export function genesisFor(network: NetworkSpec, stored: string | null, params: OpenParams): string | null {
  if (network.genesis !== null) return network.genesis
  return stored === null ? params.genesis : null
}

/** @throws ChainError CHAIN_XHASH_MODE_MISMATCH */
export function checkXhashMode(store: Store, { custom, folder }: OpenParams): void {
  const bytes = store.get(XHASH_MODE_KEY)
  if (custom === null || bytes === undefined) return
  const stored = new TextDecoder().decode(bytes)
  const wanted = custom.xhashMode
  if (stored !== wanted) throw new ChainError('CHAIN_XHASH_MODE_MISMATCH', { folder, stored, wanted })
}

/** Remembers the sizes that a new custom chain is made with; one that has blocks was made by a start that did. */
export async function keepXhashMode(store: Store, { custom }: OpenParams): Promise<void> {
  if (custom === null || store.get(XHASH_MODE_KEY) !== undefined) return
  await store.write([[XHASH_MODE_KEY, new TextEncoder().encode(custom.xhashMode)]])
}

/** Two genesis files may make the same block and still differ in rules. @throws ChainError CHAIN_RULES_MISMATCH */
export function checkStoredRules(stored: string, { custom, folder }: OpenParams): void {
  if (custom === null) return
  const [before, now] = [readCustomGenesis(stored), readCustomGenesis(custom.genesis)]
  if (!before.ok || !now.ok) return
  for (const rule of FREE_RULES) {
    const [was, is] = [String(before.value[rule] ?? 'none'), String(now.value[rule] ?? 'none')]
    if (was !== is) throw new ChainError('CHAIN_RULES_MISMATCH', { folder, rule, stored: was, wanted: is })
  }
}
