// Opens the chains of test/vectors/chain in memory, for the suites that import them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLogger } from '../../src/base/logger'
import { type Clock, systemClock } from '../../src/base/time'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import type { Chain } from '../../src/node/chain/chain'
import { parseGenesis } from '../../src/node/chain/genesis'
import { openChain } from '../../src/node/chain/open-chain'
import { keccak256 } from '../../src/node/codec/keccak'
import { rlpSlices } from '../../src/node/codec/rlp'
import { type ConsensusParams, MAIN_CONSENSUS } from '../../src/node/consensus/params'
import type { ExecutionEngine } from '../../src/node/execution/engine'
import { MemoryStore } from '../../src/node/store/store'
import type { XhashParams } from '../../src/xhash/params'
import { createTypescriptEngine } from './oracle/engine/typescript-engine'

const VECTORS = join(import.meta.dirname, '..', 'vectors', 'chain')

export function readVector(path: string): Uint8Array {
  return readFileSync(join(VECTORS, path))
}

export function readJson<T>(path: string): T {
  return JSON.parse(new TextDecoder().decode(readVector(path))) as T
}

/** The blocks of a block file, each as its own bytes. */
export function readBlocks(path: string): readonly Uint8Array[] {
  return [...rlpSlices(readVector(path))].map((part) => {
    if (!part.ok) throw new Error(part.error)
    return part.value.encoded
  })
}

export interface VectorChain {
  readonly chain: Chain
  readonly xhash: XhashEngine
}

/** A chain over the genesis of `folder`, with hashing sizes `sizes`. */
export async function openVectorChain(
  folder: string,
  sizes: XhashParams,
  clock: Clock = systemClock(),
  engineOf = (params: ConsensusParams): ExecutionEngine => createTypescriptEngine(params, { keccak256 }),
): Promise<VectorChain> {
  const genesis = new TextDecoder().decode(readVector(`${folder}/genesis.json`))
  const params = paramsOf(genesis)
  const xhash = createXhashEngine(sizes, { searchFrom: import.meta.dirname })
  const engine = engineOf(params)
  const deps = { store: new MemoryStore(), engine, seals: xhash, clock, log: silentLogger }
  return { chain: await openChain({ params, genesis, folder }, deps), xhash }
}

function paramsOf(genesis: string): ConsensusParams {
  const parsed = parseGenesis(genesis)
  if (!parsed.ok) throw new Error(parsed.error)
  const { chainId, xhash } = parsed.value.config
  return {
    ...MAIN_CONSENSUS,
    chainId,
    coinbaseMaturityBlocks: xhash?.coinbaseMaturityBlocks ?? 0,
    retargetIntervalBlocks: xhash?.retargetIntervalBlocks ?? 0,
    asertActivationHeight: xhash?.asertAnchorHeight ?? null,
  }
}
