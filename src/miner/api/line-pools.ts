// The line RPC's pool methods: list, switch, add, remove. Codes and texts are the family's.
import { hasCode } from '../../base/errors'
import { type PoolUrl, type PoolUrlOutcome, shownPool } from '../../config/values/pool-url'
import type { PoolView } from '../pool/pool-source-options'
import { countOf, LineFault, objectOf, refused, textOf } from './line-fault'

const LONGEST_PATTERN = 256
const LONGEST_URL = 1_024
const OUT_OF_BOUNDS = 'Index out-of bounds.'

/** The pool list while the miner runs. */
interface ManagedPools {
  pools(): readonly PoolView[]
  /** @throws MinerError POOL_INDEX */
  setActive(index: number): void
  /** @throws MinerError POOL_DUPLICATE, POOL_LIST_FULL */
  add(url: PoolUrl): void
  /** @throws MinerError POOL_INDEX, POOL_ACTIVE, POOL_SWITCHING */
  remove(index: number): void
}

/** The pools and the matcher. */
export interface PoolMethodsDeps {
  /** null: only a simulation runs */
  readonly pools: ManagedPools | null
  readonly readUrl: (text: string) => PoolUrlOutcome
  /** Index of the first text that matches the expression, -1 for none; null when it is invalid or takes too long. */
  readonly firstMatch: (pattern: string, texts: readonly string[]) => Promise<number | null>
}

/** The answer of miner_getconnections. */
export function listPools({ pools }: PoolMethodsDeps): object {
  return (pools?.pools() ?? []).map(({ index, active, url }) => ({ active, index, uri: url.masked }))
}

/** @throws LineFault -32602, -422 */
export async function activatePool(params: unknown, deps: PoolMethodsDeps): Promise<true> {
  const given = objectOf(params)
  const index =
    given.index === undefined && given.URI !== undefined
      ? await search(textOf(given, 'URI'), deps)
      : countOf(given, 'index')
  return changed(deps, (pools) => pools.setActive(index))
}

/** @throws LineFault -32602, -422 */
export function addPool(params: unknown, deps: PoolMethodsDeps): true {
  const text = textOf(objectOf(params), 'uri')
  const outcome = deps.readUrl(text)
  if ('fault' in outcome || text.length > LONGEST_URL)
    throw refused(`Bad URI : ${shownPool(text.slice(0, LONGEST_URL))}`)
  return changed(deps, (pools) => pools.add(outcome.url))
}

/** @throws LineFault -32602, -422 */
export function removePool(params: unknown, deps: PoolMethodsDeps): true {
  const index = countOf(objectOf(params), 'index')
  return changed(deps, (pools) => pools.remove(index))
}

async function search(pattern: string, { pools, firstMatch }: PoolMethodsDeps): Promise<number> {
  if (pattern.length > LONGEST_PATTERN) throw refused('Invalid expression')
  const urls = (pools?.pools() ?? []).map(({ url }) => url.plain.slice(0, LONGEST_URL))
  const found = await firstMatch(pattern, urls)
  if (found === null) throw refused('Invalid expression')
  if (found < 0) throw refused('Not found.')
  return found
}

function changed({ pools }: PoolMethodsDeps, change: (pools: ManagedPools) => void): true {
  if (pools === null) throw refused('This miner measures only and has no list of pools')
  try {
    change(pools)
    return true
  } catch (error) {
    throw faultOf(error)
  }
}

function faultOf(error: unknown): unknown {
  if (hasCode(error, 'POOL_INDEX')) return refused(OUT_OF_BOUNDS)
  if (hasCode(error, 'POOL_ACTIVE')) return refused("Can't remove active connection")
  if (hasCode(error, 'POOL_SWITCHING')) return refused('Outstanding operations. Retry ...')
  if (hasCode(error, 'POOL_DUPLICATE')) return refused('Already in the list')
  if (hasCode(error, 'POOL_LIST_FULL')) return new LineFault(-422, 'The list of pools is full')
  return error
}
