// One case of the import bench: builds or reads a chain, imports it into a fresh database, prints the figures as JSON.
// Built and started by tools/bench/import/chains.mjs, one process per case, so that memory isn't shared between cases.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { createXhashEngine } from '../../src/native/xhash-engine'
import { parseGenesis } from '../../src/node/chain/genesis'
import { openChain } from '../../src/node/chain/open-chain'
import { type ConsensusParams, MAIN_CONSENSUS } from '../../src/node/consensus/params'
import { openEngine } from '../../src/node/execution/wasm/wasm-engine'
import { openLevelStore } from '../../src/node/store/level-store'
import { importBytes } from '../../src/node/worker/import-bytes'
import { XHASH_FULL, XHASH_PRACTICE, type XhashParams } from '../../src/xhash/params'
import { type MadeChain, makeChain } from './made-chain'

/** Bytes passed at once, as by the command line. */
const CHUNK_BYTES = 4 * 1024 * 1024

interface BenchCase {
  readonly sizes: XhashParams
  readonly checkSeals: boolean
  readonly chain: (searchFrom: string, folder: string) => Promise<MadeChain>
}

const made = (blocks: number, transactions: number, sizes: XhashParams | null) => async (searchFrom: string) => {
  const xhash = sizes === null ? null : createXhashEngine(sizes, { searchFrom })
  try {
    return await makeChain({ blocks, transactions, xhash })
  } finally {
    await xhash?.close()
  }
}

const CASES: Readonly<Record<string, BenchCase>> = {
  reference: { sizes: XHASH_FULL, checkSeals: false, chain: async (_, folder) => readChain(folder) },
  busy: { sizes: XHASH_FULL, checkSeals: false, chain: made(150, 100, null) },
  'busy-sealed': { sizes: XHASH_PRACTICE, checkSeals: true, chain: made(150, 100, XHASH_PRACTICE) },
  empty: { sizes: XHASH_FULL, checkSeals: false, chain: made(2_000, 0, null) },
  'empty-sealed': { sizes: XHASH_FULL, checkSeals: true, chain: made(700, 0, XHASH_FULL) },
}

/** Runs the case `name`. @param from.chains folder of bench-chain.rlp and bench-genesis.json, for `reference` */
export async function runCase(
  name: string,
  from: { readonly native: string; readonly chains: string },
): Promise<string> {
  const found = CASES[name]
  if (found === undefined) throw new RangeError(`${name} is none of ${Object.keys(CASES).join(' ')}`)
  const chain = await found.chain(from.native, from.chains)
  return JSON.stringify(await measure(chain, found, from.native))
}

async function measure({ params, genesis, blocks }: MadeChain, { sizes, checkSeals }: BenchCase, searchFrom: string) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-import-'))
  const store = await openLevelStore(folder)
  const xhash = createXhashEngine(sizes, { searchFrom })
  try {
    const engine = openEngine(params, searchFrom)
    const deps = { store, engine, seals: xhash, clock: systemClock(), log: silentLogger }
    const chain = await openChain({ params, genesis, folder, checkSeals }, deps)
    const cpu = process.cpuUsage()
    const start = process.hrtime.bigint()
    const totals = { blocks: 0, transactions: 0, gas: 0 }
    for (let at = 0; at < blocks.length; ) {
      const end = endOfBlocks(blocks, at)
      const report = await importBytes(chain, blocks.subarray(at, end))
      if (report.refused !== null) throw new Error(`block ${report.refused.number}: ${report.refused.reason}`)
      totals.blocks += report.added
      totals.transactions += report.transactions
      totals.gas += Number(report.gas)
      at = end
    }
    const seconds = Number(process.hrtime.bigint() - start) / 1e9
    const used = process.cpuUsage(cpu)
    const memory = process.resourceUsage().maxRSS * 1024
    return { ...totals, seconds, cpuSeconds: (used.user + used.system) / 1e6, memory }
  } finally {
    await store.close()
    await xhash.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Where the last whole block within the next chunk ends; every block is an RLP list with a long length. */
function endOfBlocks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length) {
    const digits = (bytes[at] ?? 0) - 0xf7
    let length = 0
    for (let i = 1; i <= digits; i++) length = length * 256 + (bytes[at + i] ?? 0)
    const end = at + 1 + digits + length
    if (at > start && end - start > CHUNK_BYTES) break
    at = end
  }
  return at
}

function readChain(folder: string): MadeChain {
  const genesis = readFileSync(join(folder, 'bench-genesis.json'), 'utf8')
  const parsed = parseGenesis(genesis)
  if (!parsed.ok) throw new Error(parsed.error)
  const { chainId, xhash } = parsed.value.config
  const params: ConsensusParams = {
    ...MAIN_CONSENSUS,
    chainId,
    coinbaseMaturityBlocks: xhash?.coinbaseMaturityBlocks ?? 0,
    retargetIntervalBlocks: xhash?.retargetIntervalBlocks ?? 0,
    asertActivationHeight: xhash?.asertAnchorHeight ?? null,
  }
  return { params, genesis, blocks: readFileSync(join(folder, 'bench-chain.rlp')) }
}
