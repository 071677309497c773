import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { type KeccakRanges, nativeKeccakRanges } from '../../src/native/loader'
import { keccak256 } from '../../src/node/codec/keccak'
import type { Result } from '../../src/node/codec/result'
import { type ConsensusParams, MAIN_CONSENSUS } from '../../src/node/consensus/params'
import { EMPTY_ACCOUNT } from '../../src/node/execution/account'
import { type ExecutedBlock, type ExecutionContext, MAX_TEMPLATE_BYTES } from '../../src/node/execution/engine'
import { applyStateChanges } from '../../src/node/execution/state-changes'
import { EngineInstance } from '../../src/node/execution/wasm/instance'
import { loadEngineModule } from '../../src/node/execution/wasm/module-file'
import { WasmEngine } from '../../src/node/execution/wasm/wasm-engine'
import type { Transaction } from '../../src/node/model/transaction'
import { MemoryStore, StoreLayer } from '../../src/node/store/store'
import { StateOverlay } from '../../src/node/testing/state-overlay'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { EMPTY_TRIE_ROOT } from '../../src/node/trie/trie'
import { differenceOf } from './oracle/compared-engines'
import { createTypescriptEngine } from './oracle/engine/typescript-engine'

const PARAMS: ConsensusParams = { ...MAIN_CONSENSUS, chainId: 1337n }
const wallet = new TestWallet(1)
const other = new TestWallet(2)
/** SSTORE(1, SLOAD(0)), SSTORE(0, BLOCKHASH(NUMBER - 1)), and the balance of another account */
const CODE = '60005460015560014303406000557300000000000000000000000000000000000000993150'
/** 2 to a power of a million bytes, modulo 7. */
const LONG_POWER =
  '6001600052620f42406020526001604052600260605360806061536007620f42a15360016000620f42a2600060055afa5060016000f3'
/** 60 million rounds of contract 9. */
const LONG_COMPRESSION = '6303938700' + '60e01b600052' + '600060' + '0060d5600060095afa00'
const contract = new Uint8Array(20).fill(0xc0)

function compiled(): WasmModule {
  const loaded = loadEngineModule(import.meta.dirname)
  if ('absent' in loaded) throw new Error(loaded.absent)
  return loaded.module
}

function engine(): WasmEngine {
  return new WasmEngine(PARAMS, { module: compiled() })
}

async function context(code = CODE): Promise<ExecutionContext> {
  const store = new MemoryStore()
  const overlay = new StateOverlay(store, { keccak256 })
  for (const { address } of [wallet, other]) overlay.setAccount(address, { ...EMPTY_ACCOUNT, balance: 10n ** 20n })
  overlay.setAccount(contract, { ...EMPTY_ACCOUNT, nonce: 1n })
  overlay.setCode(contract, Uint8Array.from(Buffer.from(code, 'hex')))
  for (let i = 0; i < 40; i++) overlay.setSlot(contract, keccak256(Uint8Array.of(i)), Uint8Array.of(7))
  overlay.setSlot(contract, new Uint8Array(32), Uint8Array.of(9))
  const changes = await overlay.finish(EMPTY_TRIE_ROOT)
  const layer = new StoreLayer(store)
  applyStateChanges(layer, { number: 0n, hash: new Uint8Array(32) }, changes)
  await store.write(layer.changes())
  const coinbase = new Uint8Array(20).fill(0xcb)
  const header = { number: 5n, timestamp: 1n, coinbase, difficulty: 1n, gasLimit: 1_000_000n }
  return { state: store, parentRoot: changes.stateRoot, header, ancestorHash: () => new Uint8Array(32).fill(3) }
}

const call = wallet.sign({ to: contract, value: 0n, gasLimit: 200_000n })
const rootOf = (result: Result<ExecutedBlock>): string =>
  result.ok ? toHex(result.value.changes.stateRoot) : result.error

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

/** A block of one transaction by the module and by the other engine. */
async function both(on: ExecutionContext, tx: Transaction): Promise<[Result<ExecutedBlock>, Result<ExecutedBlock>]> {
  const typescript = createTypescriptEngine(PARAMS, { keccak256 })
  return [await engine().executeBlock(on, [tx]), await typescript.executeBlock(on, [tx])]
}

/** A context, and how many trie nodes were read from it since the last call of `reads`. */
function countingNodeReads(of: ExecutionContext): { readonly context: ExecutionContext; readonly reads: () => number } {
  let count = 0
  const get = (key: Uint8Array): Uint8Array | undefined => {
    if (key[0] === 'n'.charCodeAt(0)) count++
    return of.state.get(key)
  }
  const reads = (): number => {
    const last = count
    count = 0
    return last
  }
  return { context: { ...of, state: { ...of.state, get } }, reads }
}

describe('the engine in WebAssembly', () => {
  it('ends a block with the error of a failing read, whichever it is, and still works afterwards', async () => {
    const good = await context()
    const want = rootOf(await engine().executeBlock(good, [call]))
    const tried = engine()
    let reads = 0
    for (let failing = 0; ; failing++) {
      reads = 0
      const failure = new Error(`the disk is gone at read ${failing}`)
      const unlessFailing = <T>(answer: () => T): T => {
        if (reads++ === failing) throw failure
        return answer()
      }
      tried.dropCaches()
      const state = { ...good.state, get: (key: Uint8Array) => unlessFailing(() => good.state.get(key)) }
      const ancestorHash = (number: bigint) => unlessFailing(() => good.ancestorHash(number))
      const done = await tried.executeBlock({ ...good, state, ancestorHash }, [call]).catch((error: unknown) => error)
      if (reads <= failing) break
      expect(done).toBe(failure)
      expect(rootOf(await tried.executeBlock(good, [call]))).toBe(want)
    }
    expect(reads).toBeGreaterThan(10)
  })

  it.each([
    ['jumps', '600456005b00', true],
    ['jumps into the data of a push', '60055600605b00', false],
    ['jumps beyond its end', '60ff56', false],
    ['does not take a bad jump', '600060ff5700', true],
    ['takes a jump twice', '60025b6001900380600257', true],
    ['jumps on a condition to no destination', '600160005700', false],
    ['ends within a push behind a jump', '600456005b7f', true],
    ['ends within a push', '7f01', true],
    ['asks where it is after a jump', '6003565b5860005260206000f3', true],
    ['reads itself after a jump', '6003565b600e6000600039600e6000f3', true],
    [
      'makes a contract whose code jumps, at an address by its code',
      '65600456005b0060005260076006601a6000f560005260206000f3',
      true,
    ],
  ])('runs init code that %s as the other engine does', async (_what, code, hasSucceeded) => {
    const tx = wallet.sign({ to: null, value: 0n, gasLimit: 200_000n, data: bytesOfHex(code) })
    const [ours, theirs] = await both(await context(), tx)
    expect(ours.ok && ours.value.receipts.map(({ succeeded }) => succeeded)).toEqual([hasSucceeded])
    expect(rootOf(ours)).toBe(rootOf(theirs))
  })

  it('computes powers modulo 2^256 as the other engine does', async () => {
    const bases = [0n, 1n, 2n, 3n, 2n ** 128n, 2n ** 255n + 1n, 2n ** 256n - 1n, 2n ** 256n - 6n]
    const exponents = [0n, 1n, 15n, 16n, 255n, 256n, 2n ** 64n, 2n ** 255n + 17n, 2n ** 256n - 1n]
    for (const base of bases) {
      const steps = exponents.map(
        (power, at) => `7f${word(power)}7f${word(base)}0a60${at.toString(16).padStart(2, '0')}55`,
      )
      const tx = wallet.sign({ to: null, value: 0n, gasLimit: 400_000n, data: bytesOfHex(steps.join('')) })
      const [ours, theirs] = await both(await context(), tx)
      expect(ours.ok && ours.value.receipts.map(({ succeeded }) => succeeded)).toEqual([true])
      expect(rootOf(ours), `${base}`).toBe(rootOf(theirs))
    }
  })

  it('never mistakes a missing node or code for an absent one', async () => {
    const good = await context()
    for (const [letter, code] of [
      ['n', 'STORE_MISSING_NODE'],
      ['c', 'STORE_MISSING_CODE'],
    ] as const) {
      const get = (key: Uint8Array) => (key[0] === letter.charCodeAt(0) ? undefined : good.state.get(key))
      const state = { ...good.state, get }
      await expect(engine().executeBlock({ ...good, state }, [call])).rejects.toMatchObject({ code })
    }
  })

  it('reports a trap with its reason, and works again for the next block', async () => {
    const good = await context()
    const tried = engine()
    const senders = { addressOf: () => new Uint8Array(3) } // shorter than any address: the module reads past the end
    await expect(tried.executeBlock({ ...good, senders }, [call])).rejects.toMatchObject({
      code: 'ENGINE_TRAPPED',
      message: expect.stringMatching(/panicked at/),
    })
    expect(rootOf(await tried.executeBlock(good, [call]))).toBe(rootOf(await engine().executeBlock(good, [call])))
  })

  it('reserves room for megabytes after each growth of its memory, and none in between', () => {
    const instance = new EngineInstance(compiled())
    const takeUp = (bytes: number): number => instance.run(({ reserve }) => reserve(bytes))
    for (const bytes of [0, 40e6]) {
      takeUp(bytes)
      instance.makeRoom()
      const before = instance.memoryBytes
      takeUp(8e6)
      instance.makeRoom()
      takeUp(4e6)
      expect(instance.memoryBytes).toBe(before)
    }
  })

  it("hashes what a block's many logs name in parts, to the same receipts as without the addon", async () => {
    const good = await context()
    const gasLimit = 60_000_000n
    // 14,000 logs with four topics: the number of logs left, four times.
    const data = bytesOfHex('6136b05b60019003808080806000' + '6000a480600357')
    const on = { ...good, header: { ...good.header, gasLimit } }
    const tx = wallet.sign({ to: null, data, gasLimit, value: 0n })
    const hash = nativeKeccakRanges()
    const counts: number[] = []
    const counted: KeccakRanges = (memory, ranges, count, hashes) => {
      counts.push(count)
      hash?.(memory, ranges, count, hashes)
    }
    const run = async (keccakRanges: KeccakRanges | null) => {
      const done = await new WasmEngine(PARAMS, { module: compiled(), keccakRanges }).executeBlock(on, [tx])
      if (!done.ok) throw new Error(done.error)
      return done.value
    }
    const alone = await run(null)
    expect(alone.receipts[0]?.logs).toHaveLength(14_000)
    const parted = await run(hash === null ? null : counted)
    expect(toHex(parted.receiptRoot)).toBe(toHex(alone.receiptRoot))
    expect(toHex(parted.logsBloom)).toBe(toHex(alone.logsBloom))
    expect(toHex(parted.changes.stateRoot)).toBe(toHex(alone.changes.stateRoot))
    if (hash !== null) expect(counts).toEqual(expect.arrayContaining([65_536, 70_000 - 65_536]))
  })

  it("leaves a price that it can't hold to another engine", async () => {
    const good = await context()
    const overlay = new StateOverlay(good.state, { keccak256 })
    overlay.setAccount(wallet.address, { ...EMPTY_ACCOUNT, balance: 2n ** 200n })
    const changes = await overlay.finish(good.parentRoot)
    const layer = new StoreLayer(good.state)
    applyStateChanges(layer, { number: 1n, hash: new Uint8Array(32) }, changes)
    const rich = { ...good, state: layer, parentRoot: changes.stateRoot }
    const dear = wallet.sign({ to: contract, gasPrice: 2n ** 128n, gasLimit: 50_000n, value: 0n })
    await expect(engine().executeBlock(rich, [dear])).rejects.toMatchObject({ code: 'ENGINE_LIMIT' })
  })

  it('abandons a heavy block when its chain is closed', async () => {
    const good = await context()
    const heavy = wallet.sign({ to: null, data: Uint8Array.of(0x5b, 0x60, 0, 0x56), gasLimit: 60_000_000n })
    const header = { ...good.header, gasLimit: 60_000_000n }
    let asked = 0
    const closing = { ...good, header, stopped: () => ++asked > 3 }
    await expect(engine().executeBlock(closing, [heavy])).rejects.toMatchObject({ code: 'CHAIN_NOT_OPEN' })
    expect(asked).toBe(4)
  })

  it.each([
    ['a power of a million bytes', LONG_POWER],
    ['compressions', LONG_COMPRESSION],
  ])('abandons %s in the middle of one built-in contract, and still works afterwards', async (_, code) => {
    const good = await context()
    const gasLimit = 100_000_000n
    const heavy = wallet.sign({ to: null, data: Uint8Array.from(Buffer.from(code, 'hex')), gasLimit, value: 0n })
    const header = { ...good.header, gasLimit }
    let asked = 0
    const closing = { ...good, header, stopped: () => ++asked > 2 }
    const tried = engine()
    await expect(tried.executeBlock(closing, [heavy])).rejects.toMatchObject({ code: 'CHAIN_NOT_OPEN' })
    expect(asked).toBe(3)
    expect(rootOf(await tried.executeBlock(good, [call]))).toBe(rootOf(await engine().executeBlock(good, [call])))
  })

  it('reads a trie node once for templates, their block and the next one, and again for a sibling', async () => {
    const good = await context()
    const tried = engine()
    const template = async (on: ExecutionContext): Promise<void> => {
      const queue = [call]
      const peek = () => (queue[0] === undefined ? null : { tx: queue[0], sender: wallet.address })
      const shift = () => void queue.shift()
      const built = await tried.buildBlock(on, { peek, shift, pop: shift, stopped: () => false })
      expect(built.transactions).toHaveLength(1)
    }
    const block = async (on: ExecutionContext, reads: () => number, tx: Transaction) => {
      const done = await tried.executeBlock(on, [tx])
      const count = reads()
      const expected = await createTypescriptEngine(PARAMS, { keccak256 }).executeBlock(on, [tx])
      reads()
      expect(differenceOf(done, expected)).toBeNull()
      if (!done.ok) throw new Error(done.error)
      return { count, changes: done.value.changes }
    }
    const first = countingNodeReads(good)
    await template(first.context)
    expect(first.reads()).toBeGreaterThan(3)
    await template(first.context)
    const { count, changes } = await block(first.context, first.reads, call)
    expect(count).toBe(0)
    const layer = new StoreLayer(good.state)
    applyStateChanges(layer, { number: 1n, hash: new Uint8Array(32) }, changes)
    const second = countingNodeReads({ ...good, state: layer, parentRoot: changes.stateRoot })
    const next = wallet.sign({ to: contract, value: 0n, gasLimit: 200_000n, nonce: 1n })
    expect((await block(second.context, second.reads, next)).count).toBe(0)
    // The nodes that the first block replaced have left the cache.
    expect((await block(first.context, first.reads, call)).count).toBeGreaterThan(3)
  })

  it('aborts a transaction of a template when told to, without a trace', async () => {
    const good = await context()
    const endless = wallet.sign({ to: null, data: Uint8Array.of(0x5b, 0x60, 0, 0x56), gasLimit: 900_000n })
    let asked = 0
    const queue = [endless]
    const built = await engine().buildBlock(good, {
      peek: () => (queue[0] === undefined ? null : { tx: queue[0], sender: wallet.address }),
      shift: () => void queue.shift(),
      pop: () => void queue.shift(),
      stopped: () => ++asked > 3,
    })
    expect(asked).toBe(4)
    expect(built.transactions).toEqual([])
    expect(toHex(built.changes.stateRoot)).toBe(rootOf(await engine().executeBlock(good, [])))
  })
})

describe.each([
  ['WebAssembly', () => engine()],
  ['TypeScript', () => createTypescriptEngine(PARAMS, { keccak256 })],
] as const)('the engine in %s', (_name, opened) => {
  it('builds no template that is too long for a message to peers, and fills it with what still fits', async () => {
    const on = await context()
    const header = { ...on.header, gasLimit: 600_000_000n }
    const data = new Uint8Array(130_000)
    const long = Array.from({ length: 70 }, (_, nonce) =>
      wallet.sign({ to: contract, nonce: BigInt(nonce), gasLimit: 700_000n, data }),
    )
    const short = other.sign({ to: contract })
    const sent = [...long.map((tx) => ({ tx, sender: wallet.address })), { tx: short, sender: other.address }]
    let left = sent
    const built = await opened().buildBlock(
      { ...on, header },
      {
        peek: () => left[0] ?? null,
        shift: () => {
          left = left.slice(1)
        },
        pop: () => {
          left = left.filter(({ sender }) => sender !== left[0]?.sender)
        },
      },
    )
    const bytes = built.transactions.reduce((sum, tx) => sum + tx.raw.length, 0)
    expect(bytes).toBeLessThanOrEqual(MAX_TEMPLATE_BYTES)
    expect(bytes).toBeGreaterThan(MAX_TEMPLATE_BYTES - 131_072)
    expect(built.transactions.at(-1)).toBe(short)
  })

  it('lists nothing of the storage that a template or its block deletes, and gives them the same root', async () => {
    // SELFDESTRUCT
    const on = await context('33ff')
    let lists = 0
    const state = {
      get: (key: Uint8Array) => on.state.get(key),
      getStored: (key: Uint8Array) => on.state.getStored(key),
      keysWithPrefix: (prefix: Uint8Array) => {
        lists++
        return on.state.keysWithPrefix(prefix)
      },
    }
    const queue = [{ tx: call, sender: wallet.address }]
    const built = await opened().buildBlock(
      { ...on, state },
      { peek: () => queue[0] ?? null, shift: () => void queue.shift(), pop: () => void queue.shift() },
    )
    expect(built.transactions).toHaveLength(1)
    const block = await opened().executeBlock({ ...on, state }, [call])
    expect(rootOf(block)).toBe(toHex(built.changes.stateRoot))
    expect(lists).toBe(0)
  })

  it("asks its chain once for each ancestor, however often a block's instructions do", async () => {
    const on = await context()
    const asked: bigint[] = []
    const ancestorHash = (number: bigint): Uint8Array => {
      asked.push(number)
      return new Uint8Array(32).fill(3)
    }
    // 100 times BLOCKHASH of each of the two blocks before.
    const data = bytesOfHex(`0x${'600143034050600243034050'.repeat(100)}`)
    const transactions = [0n, 1n].map((nonce) => wallet.sign({ to: null, nonce, gasLimit: 200_000n, data }))
    const block = await opened().executeBlock({ ...on, ancestorHash }, transactions)
    expect(block.ok && block.value.receipts.map(({ succeeded }) => succeeded)).toEqual([true, true])
    expect(asked).toEqual([4n, 3n])
  })
})
