// Random blocks, reorgs and restarts in both modes: every state of the window stays intact, nothing else stays.
import { describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { DamageList } from '../../src/node/chain/care/damage'
import { verifyState } from '../../src/node/chain/care/verify-blocks'
import type { Chain } from '../../src/node/chain/chain'
import { openChain, storedGenesis } from '../../src/node/chain/open-chain'
import { REBUILD_MARK } from '../../src/node/chain/rebuild-state'
import { historyFrom, PastState, windowHistory } from '../../src/node/chain/state-window'
import { keccak256 } from '../../src/node/codec/keccak'
import { encodeRlp, rlpInteger } from '../../src/node/codec/rlp'
import { PRACTICE_CONSENSUS } from '../../src/node/consensus/params'
import { headState, incarnationOf } from '../../src/node/execution/state-reader'
import type { Block } from '../../src/node/model/block'
import type { Transaction } from '../../src/node/model/transaction'
import { stateKeys } from '../../src/node/store/keys'
import { decodeNodeRecord } from '../../src/node/store/recorded-nodes'
import { MemoryStore, type Store } from '../../src/node/store/store'
import { FakeSeals } from '../../src/node/testing/fake-seals'
import { openTestChain } from '../../src/node/testing/test-chain'
import { dumpState, placesFault } from '../../src/node/testing/test-places'
import type { TestWallet } from '../../src/node/testing/test-wallet'
import { createTypescriptEngine } from './oracle/engine/typescript-engine'

const NEVER = new AbortController().signal
/** Some blocks have more nodes than fit into a record. */
const WINDOW = { states: 4n, reorg: 12n, history: 1n, recordBytes: 3_000 }
/** Three slots, the same in every clone; called with 64 bytes it sets a slot, called with none it destroys itself. */
const RUNTIME = '36600657 33ff 5b6020356000355500'.replaceAll(' ', '')
const INIT = Buffer.from(`6001600055600260015560036002556e${RUNTIME}600052600f6011f3`, 'hex')
/** CREATE2 of such a contract with the salt that it is called with: what destroyed itself comes back at its address. */
const FACTORY = Buffer.from(`60398060 0b6000396000f3 6027601260003960003560276000 6000f500`.replaceAll(' ', ''), 'hex')
const SALTS = 3
/** Part of the rounds after which the nodes are made again. */
const REBUILDS = 5

/** Numbers below `limit`, the same for the same seed (xorshift32). */
function randomOf(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
}

/** 32 bytes */
function saltOf(salt: number): Uint8Array {
  const bytes = new Uint8Array(32)
  bytes[31] = salt
  return bytes
}

function maxOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

class Traffic {
  readonly #contracts: Uint8Array[] = []

  readonly #factory: Uint8Array

  constructor(
    private readonly wallet: TestWallet,
    private readonly random: (limit: number) => number,
  ) {
    this.#factory = this.#created(0n)
    for (let salt = 0; salt < SALTS; salt++) {
      const parts = [Uint8Array.of(0xff), this.#factory, saltOf(salt), keccak256(Uint8Array.from(INIT))]
      this.#contracts.push(keccak256(joinBytes(parts)).slice(12))
    }
  }

  /** Some transactions that fit on the head of `chain`; a branch's first one makes the factory. */
  next(chain: Chain): Transaction[] {
    const first = headState(chain.store).account(this.wallet.address)?.nonce ?? 0n
    if (first === 0n)
      return [
        this.wallet.sign({
          nonce: 0n,
          gasLimit: 300_000n,
          to: null,
          value: 0n,
          data: Uint8Array.from([...FACTORY, ...INIT]),
        }),
      ]
    return Array.from({ length: this.random(4) }, (_, index) => this.#one(first + BigInt(index)))
  }

  #created(nonce: bigint): Uint8Array {
    return keccak256(encodeRlp([this.wallet.address, rlpInteger(nonce)])).slice(12)
  }

  #one(nonce: bigint): Transaction {
    const gasLimit = 300_000n
    const target = this.#contracts[this.random(this.#contracts.length + 1)]
    const what = this.random(5)
    if (what === 4)
      return this.wallet.sign({ nonce, gasLimit, to: this.#factory, value: 0n, data: saltOf(this.random(SALTS)) })
    if (what === 0 || target === undefined) {
      this.#contracts.push(this.#created(nonce))
      return this.wallet.sign({ nonce, gasLimit, to: null, value: 0n, data: Uint8Array.from(INIT) })
    }
    if (what === 1) return this.wallet.sign({ nonce, gasLimit, to: target, value: 0n })
    if (what === 2) return this.wallet.sign({ nonce, to: new Uint8Array(20).fill(1 + this.random(5)), value: 7n })
    const data = new Uint8Array(64)
    data[31] = this.random(6)
    data[63] = this.random(3) // often zero, which deletes
    return this.wallet.sign({ nonce, gasLimit, to: target, value: 0n, data })
  }
}

async function openMain(store: MemoryStore, genesis: string | null, clock: FakeClock, gcMode: 'full' | 'archive') {
  const engine = createTypescriptEngine(PRACTICE_CONSENSUS, { keccak256 })
  const deps = { store, engine, seals: new FakeSeals(), clock, log: silentLogger }
  return openChain({ params: PRACTICE_CONSENSUS, genesis, folder: 'memory', window: WINDOW, gcMode }, deps)
}

/** All flat keys and values, as text. */
async function flatValues(store: Store): Promise<ReadonlyMap<string, string>> {
  const keys = await store.keysWithPrefix(new Uint8Array(0))
  return new Map(keys.filter(stateKeys.isFlat).map((key) => [toHex(key), toHex(store.get(key) ?? new Uint8Array(0))]))
}

/** The flat values after each block that was made, by the block's hash. */
const made = new Map<string, ReadonlyMap<string, string>>()

/** Compares the states below the window with those of the chains that made the blocks. @returns how many there are */
function comparePast({ store, reads, head, statesFrom }: Chain): number {
  const window = { from: statesFrom, head: head.header.number, maxBytes: 1_000_000 }
  const later = windowHistory(store, window)
  if (later === null) throw new Error('the window has no history')
  const keys = new Set<string>()
  for (const values of made.values()) for (const key of values.keys()) keys.add(key)
  const from = historyFrom(store)
  const wrong: string[] = []
  for (let number = from; number < statesFrom; number++) {
    const expected = made.get(toHex(reads.canonicalHash(number) ?? new Uint8Array(0)))
    if (expected === undefined) continue // genesis
    const state = new PastState(store, number, statesFrom, later)
    for (const key of keys) {
      const value = state.get(bytesOfHex(key))
      const text = value === undefined ? undefined : toHex(value)
      if (text !== expected.get(key)) wrong.push(`${key} after block ${number} is ${text}, want ${expected.get(key)}`)
    }
  }
  expect(wrong).toEqual([])
  return from < statesFrom ? Number(statesFrom - from) : 0
}

/** Blocks on top of the canonical block `height` of `chain`. */
async function branchAt(
  chain: Chain,
  height: bigint,
  length: number,
  random: (limit: number) => number,
): Promise<Block[]> {
  const builder = await openTestChain()
  const traffic = new Traffic(builder.rich, random)
  const import_ = async (block: Block): Promise<void> => {
    builder.clock.advance(5000)
    const outcome = await builder.chain.importBlock(block)
    if (outcome.kind !== 'head') throw new Error(JSON.stringify(outcome, null, 1))
    const name = toHex(block.hash)
    if (!made.has(name)) made.set(name, await flatValues(builder.chain.store))
  }
  for (let number = 1n; number <= height; number++) {
    const hash = chain.reads.canonicalHash(number)
    const block = hash === null ? null : chain.reads.block(hash)
    if (block === null) throw new Error(`block ${number} is missing`)
    await import_(block)
  }
  const blocks: Block[] = []
  for (let i = 0; i < length; i++) {
    const block = await builder.nextBlock({ transactions: traffic.next(builder.chain), tag: random(200) })
    await import_(block)
    blocks.push(block)
  }
  return blocks
}

describe('recent states', () => {
  it.each([1, 3])('stay intact through blocks, reorgs and restarts (seed %i)', async (seed) => {
    const random = randomOf(seed * 7919)
    const genesisChain = await openTestChain()
    const store = new MemoryStore()
    const clock = new FakeClock(1_770_000_000_000)
    clock.advance(3_600_000)
    let mode: 'full' | 'archive' = 'full'
    let chain = await openMain(store, storedGenesis(genesisChain.store), clock, mode)
    let reorganised = 0
    let deepest = 0n
    let shared = 0
    let passed = 0
    let returned = 0
    let rebuilt = 0
    const records = { whole: 0, split: 0 }
    let past = 0

    for (let round = 0; round < 20; round++) {
      const head = chain.head.header.number
      const depth = BigInt(Math.min(random(3) === 0 ? 1 + random(11) : 0, Number(head)))
      const blocks = await branchAt(chain, head - depth, Number(depth) + 1 + random(4), random)
      const changes: number[] = []
      const listener = chain.events.on('headChanged', ({ removed }) => changes.push(removed.length))
      const fromBefore = chain.statesFrom
      const following = random(3) === 0 ? Number(WINDOW.states) - 1 : random(Number(WINDOW.states) - 1)
      const result = await chain.importBlocks(blocks, following)
      expect(result.refused).toBeNull()
      listener.dispose()
      if (changes.some((removed) => removed > 0)) reorganised++
      if (depth > deepest) deepest = depth

      const top = chain.head.header.number
      const kept = top + 1n - WINDOW.states
      // Each block before the last ones of the list is also followed by enough others.
      const passes = mode === 'full' && following + blocks.length >= Number(WINDOW.states)
      if (passes && chain.statesFrom > kept && chain.statesFrom > fromBefore) passed++
      expect(passes || chain.statesFrom <= maxOf(kept, fromBefore)).toBe(true)
      // Two at a time.
      expect(mode === 'archive' || chain.statesFrom > kept - WINDOW.states / 2n).toBe(true)
      for (let number = chain.statesFrom; number <= top; number++) {
        const header = chain.reads.header(chain.reads.canonicalHash(number) ?? new Uint8Array(0))
        if (header === null) throw new Error(`block ${number} is missing`)
        expect(dumpState(store, header.stateRoot).length, `state ${number} of ${top}`).toBeGreaterThan(0)
      }
      expect(await placesFault(store, chain.head.header.stateRoot)).toBeNull()
      past += comparePast(chain)
      for (const key of await store.keysWithPrefix(stateKeys.places(0n, new Uint8Array(0)).subarray(0, 1)))
        records[decodeNodeRecord(store.get(key) ?? new Uint8Array(0)) === null ? 'split' : 'whole']++
      const counted = await store.keysWithPrefix(stateKeys.shares(new Uint8Array(0)))
      if (counted.length > 0) shared++
      const incarnations = await store.keysWithPrefix(stateKeys.incarnation(new Uint8Array(0)))
      for (const key of incarnations) returned = Math.max(returned, incarnationOf(store, key.subarray(1)))
      const damage = new DamageList()
      await verifyState(store, chain.head.header, damage, { onProgress: () => undefined, signal: NEVER })
      expect(damage.named).toEqual([])
      if (random(REBUILDS) === 0) {
        await store.write([REBUILD_MARK])
        chain = await openMain(store, null, clock, mode)
        expect(await placesFault(store, chain.head.header.stateRoot)).toBeNull()
        rebuilt++
      }
      if (random(3) === 0) {
        mode = mode === 'full' ? 'archive' : 'full'
        chain = await openMain(store, null, clock, mode)
      }
    }
    expect(reorganised).toBeGreaterThan(0)
    expect(shared).toBeGreaterThan(0)
    expect(passed).toBeGreaterThan(0)
    expect(returned).toBeGreaterThan(1)
    expect(rebuilt).toBeGreaterThan(0)
    expect(past).toBeGreaterThan(40)
    expect(Math.min(records.whole, records.split)).toBeGreaterThan(5)
    expect(deepest > WINDOW.states).toBe(true)
  })

  it('rejects a branch that forks off deeper than blocks can be undone, in mode full only', async () => {
    const genesis = storedGenesis((await openTestChain()).store)
    const clock = new FakeClock(1_770_000_000_000)
    clock.advance(3_600_000)
    const chain = await openMain(new MemoryStore(), genesis, clock, 'full')
    const archive = await openMain(new MemoryStore(), genesis, clock, 'archive')
    const blocks = await branchAt(chain, 0n, 14, randomOf(5))
    for (const each of [chain, archive]) expect(await each.importBlocks(blocks)).toMatchObject({ added: 14 })
    const tooDeep = await branchAt(chain, 1n, 1, randomOf(6))
    const deepest = await branchAt(chain, 2n, 1, randomOf(6))

    const reason = 'branch leaves the chain 13 blocks below the head, further than blocks can be taken back'
    expect((await chain.importBlocks(tooDeep)).refused?.outcome).toEqual({ kind: 'refused', reason })
    expect(await chain.importBlocks(deepest)).toMatchObject({ side: 1, refused: null })
    expect(await archive.importBlocks(tooDeep)).toMatchObject({ side: 1, refused: null })
    expect([chain.statesFrom, archive.statesFrom]).toEqual([10n, 0n])
  })
})
