// Generated changes to storage and account tries through both engines: equal nodes in equal order, equal roots, with the
// nodes hashed by the addon at each level of vector instructions, and by the module itself.
import { describe, expect, it } from 'vitest'
import { bytesFromBigint, concatBytes } from '../../src/base/bytes'
import { bytesOfHex } from '../../src/base/hex'
import { type KeccakRanges, loadAddon, nativeKeccakRanges } from '../../src/native/loader'
import { keccak256 } from '../../src/node/codec/keccak'
import { type ConsensusParams, MAIN_CONSENSUS } from '../../src/node/consensus/params'
import { EMPTY_ACCOUNT } from '../../src/node/execution/account'
import type { ExecutionContext } from '../../src/node/execution/engine'
import { applyStateChanges, type StateChanges } from '../../src/node/execution/state-changes'
import { loadEngineModule } from '../../src/node/execution/wasm/module-file'
import { WasmEngine } from '../../src/node/execution/wasm/wasm-engine'
import type { Transaction } from '../../src/node/model/transaction'
import { hashesOf, nodesOf } from '../../src/node/store/node-list'
import { MemoryStore, StoreLayer } from '../../src/node/store/store'
import { StateOverlay } from '../../src/node/testing/state-overlay'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { decodeNode } from '../../src/node/trie/node'
import { EMPTY_TRIE_ROOT } from '../../src/node/trie/trie'
import { differenceOf } from './oracle/compared-engines'
import { createTypescriptEngine } from './oracle/engine/typescript-engine'
import { Chance } from './random/random-programs'

const PARAMS: ConsensusParams = { ...MAIN_CONSENSUS, chainId: 1337n }
const BLOCKS = 16
const SLOTS = 300
const DESTROYING = 9n
const GAS = 5_000_000n
/**
 * The keys of two neighbours begin with nine equal nibbles: leaves so deep take under 32 bytes and stay within their
 * branch.
 */
const DEEP_SLOTS = [247_476n, 515_151n, 268_005n, 645_179n]
/** Writes pairs of slot and value, 32 bytes each; without data the contract destroys itself. */
const WRITER = bytesOfHex('3660065733ff5b60005b80361160115700' + '5b80602001358135556040016009' + '56')
const CONTRACTS = Array.from({ length: 5 }, (_, index) => new Uint8Array(20).fill(0xa0 + index))
const wallet = new TestWallet(1)

const loaded = loadAddon({ searchFrom: import.meta.dirname })
const levels = 'addon' in loaded ? loaded.addon.simdLevels : []

/** By the addon at one level, counting the messages. */
function hashingAt(level: string, counts: { messages: number }): KeccakRanges | null {
  const hash = nativeKeccakRanges()
  if (hash === null) return null
  return (memory, ranges, count, hashes) => {
    counts.messages += count
    hash(memory, ranges, count, hashes, level)
  }
}

function engineWith(keccakRanges: KeccakRanges | null): WasmEngine {
  const found = loadEngineModule(import.meta.dirname)
  if ('absent' in found) throw new Error(found.absent)
  return new WasmEngine(PARAMS, { module: found.module, keccakRanges })
}

/** The state that one generated block after the other changes. */
class Chain {
  readonly store = new MemoryStore()
  readonly chance: Chance
  #root = EMPTY_TRIE_ROOT
  #number = 0n
  #nonce = 0n

  constructor(seed: number) {
    this.chance = new Chance(seed)
  }

  async start(): Promise<void> {
    const overlay = new StateOverlay(this.store, { keccak256 })
    overlay.setAccount(wallet.address, { ...EMPTY_ACCOUNT, balance: 10n ** 24n })
    for (const address of CONTRACTS) {
      overlay.setAccount(address, { ...EMPTY_ACCOUNT, nonce: 1n })
      overlay.setCode(address, WRITER)
    }
    await this.apply(await overlay.finish(EMPTY_TRIE_ROOT))
  }

  context(): ExecutionContext {
    const header = {
      number: this.#number,
      timestamp: 1n,
      coinbase: wallet.address,
      difficulty: 1n,
      gasLimit: 90_000_000n,
    }
    return { state: this.store, parentRoot: this.#root, header, ancestorHash: () => new Uint8Array(32) }
  }

  /** One block destroys a contract that has storage. */
  transactions(): readonly Transaction[] {
    const to = CONTRACTS[0] ?? null
    const first =
      this.#number === DESTROYING ? [wallet.sign({ nonce: this.#nonce++, gasLimit: GAS, to, value: 0n })] : []
    const rest = Array.from({ length: 1 + this.chance.under(12) }, () => {
      const nonce = this.#nonce++
      if (this.chance.under(2) === 0)
        return wallet.sign({ nonce, gasLimit: GAS, to: this.chance.bytes(20), value: BigInt(this.chance.under(2)) })
      return wallet.sign({ nonce, gasLimit: GAS, to: this.chance.of(CONTRACTS), value: 0n, data: this.#writes() })
    })
    return [...first, ...rest]
  }

  async apply(changes: StateChanges): Promise<void> {
    const layer = new StoreLayer(this.store)
    applyStateChanges(layer, { number: this.#number, hash: keccak256(changes.stateRoot) }, changes)
    await this.store.write(layer.changes())
    this.#root = changes.stateRoot.slice()
    this.#number++
  }

  /** Zero deletes the slot: a third of them. */
  #writes(): Uint8Array {
    const { chance } = this
    const pairs = Array.from({ length: 1 + chance.under(60) }, () => {
      const slot = chance.under(4) === 0 ? chance.of(DEEP_SLOTS) : BigInt(chance.under(SLOTS))
      const value = chance.under(3) === 0 ? 0n : 1n << BigInt(8 * chance.under(chance.under(3) === 0 ? 32 : 1))
      return concatBytes(bytesFromBigint(slot, 32), bytesFromBigint(value, 32))
    })
    return concatBytes(...pairs)
  }
}

/** Whether a branch holds a child itself, and not by hash. */
function embeds(bytes: Uint8Array): boolean {
  const node = decodeNode(bytes)
  return node.kind === 'branch' && node.children.some((child) => child !== null && child.kind !== 'hash')
}

/** The module's, with what hashes for it; the addon counts its messages. */
const enginesByHasher = () => [
  { hasher: 'module', wasm: engineWith(null), hashed: null },
  ...levels.map((level) => {
    const hashed = { messages: 0 }
    return { hasher: level, wasm: engineWith(hashingAt(level, hashed)), hashed }
  }),
]

describe('the tries of both engines', () => {
  it.each([1, 2, 3, 4])('agree, whatever hashes, seed %i', async (seed) => {
    const counts = { nodes: 0, dead: 0, embedding: 0 }
    const chain = new Chain(seed)
    await chain.start()
    const typescript = createTypescriptEngine(PARAMS, { keccak256 })
    const engines = enginesByHasher()
    for (let block = 0; block < BLOCKS; block++) {
      const [context, transactions] = [chain.context(), chain.transactions()]
      const expected = await typescript.executeBlock(context, transactions)
      if (!expected.ok) throw new Error(expected.error)
      const drops = chain.chance.under(4) === 0
      for (const { hasher, wasm } of engines) {
        if (drops) wasm.dropCaches()
        const got = await wasm.executeBlock(context, transactions)
        expect(differenceOf(expected, got), `block ${block}, ${hasher}`).toBeNull()
      }
      const { nodes, dead } = expected.value.changes
      const added = [...nodesOf(nodes)]
      counts.nodes += added.length
      counts.dead += [...hashesOf(dead)].length
      counts.embedding += added.filter(([, bytes]) => embeds(bytes)).length
      await chain.apply(expected.value.changes)
    }
    expect(counts.nodes).toBeGreaterThan(700)
    expect(counts.dead).toBeGreaterThan(300)
    expect(counts.embedding).toBeGreaterThan(2)
    for (const { hasher, hashed } of engines)
      if (hashed !== null) expect(hashed.messages, hasher).toBeGreaterThan(counts.nodes / 2)
  })
})
