// Accounts with large storages that are deleted: the cost doesn't depend on the storage, and undoing brings all of it back.
import { describe, expect, it } from 'vitest'
import { bytesFromBigint, bytesName } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { type ConsensusParams, MAIN_CONSENSUS } from '../../src/node/consensus/params'
import { EMPTY_ACCOUNT, encodeAccount } from '../../src/node/execution/account'
import type { ExecutedBlock, ExecutionContext } from '../../src/node/execution/engine'
import { TransientNodes } from '../../src/node/execution/node-places'
import { applyStateChanges, type FlatChange, undoStateChanges } from '../../src/node/execution/state-changes'
import { headState, stateAtRoot } from '../../src/node/execution/state-reader'
import { stateKeys } from '../../src/node/store/keys'
import { packNodes } from '../../src/node/store/node-list'
import { MemoryStore, type StoreChange, StoreLayer, type StoreReader } from '../../src/node/store/store'
import { StateOverlay } from '../../src/node/testing/state-overlay'
import { placesFault } from '../../src/node/testing/test-places'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { EMPTY_TRIE_ROOT, noNodes, Trie } from '../../src/node/trie/trie'
import { type EngineName, engineNamed } from './engines'

const PARAMS: ConsensusParams = { ...MAIN_CONSENSUS, chainId: 1337n }
const wallet = new TestWallet(1)
/** Stores what it is called with, a pair of slot and value; destroys itself when called with nothing. */
const RUNTIME = '36600657 33ff 5b6020356000355500'.replaceAll(' ', '')
const contract = new Uint8Array(20).fill(0xc0)
const word = (value: bigint): Uint8Array => bytesFromBigint(value, 32)
const call = (nonce: bigint) => wallet.sign({ nonce, to: contract, value: 0n, gasLimit: 200_000n })
const before = { number: 0n, hash: new Uint8Array(32) }

async function stateWith(slots: number): Promise<{ readonly store: MemoryStore; readonly root: Uint8Array }> {
  const store = new MemoryStore()
  const overlay = new StateOverlay(store, { keccak256 })
  overlay.setAccount(wallet.address, { ...EMPTY_ACCOUNT, balance: 10n ** 20n })
  overlay.setAccount(contract, { ...EMPTY_ACCOUNT, nonce: 1n })
  overlay.setCode(contract, bytesOfHex(`0x${RUNTIME}`))
  for (let slot = 0; slot < slots; slot++) overlay.setSlot(contract, word(BigInt(slot)), Uint8Array.of(9))
  const changes = overlay.finish(EMPTY_TRIE_ROOT)
  await write(store, (layer) => applyStateChanges(layer, before, changes))
  return { store, root: changes.stateRoot }
}

async function write(store: MemoryStore, change: (layer: StoreLayer) => void): Promise<readonly StoreChange[]> {
  const layer = new StoreLayer(store)
  change(layer)
  await store.write(layer.changes())
  return layer.changes()
}

function contextOf(state: StoreReader, parentRoot: Uint8Array, number = 1n): ExecutionContext {
  const header = {
    number,
    timestamp: 1n,
    coinbase: new Uint8Array(20).fill(0xcb),
    difficulty: 1n,
    gasLimit: 1_000_000n,
  }
  return { state, parentRoot, header, ancestorHash: () => null }
}

/** Everything in the store, as text. */
async function contentOf(store: MemoryStore): Promise<readonly string[]> {
  const keys = await store.keysWithPrefix(new Uint8Array(0))
  return keys.map((key) => `${toHex(key)}=${toHex(store.get(key) ?? new Uint8Array(0))}`).sort()
}

/** A store that counts its reads and has no ranges. */
function counted(store: MemoryStore): StoreReader & { readonly reads: () => number } {
  let reads = 0
  return {
    get: (key) => {
      reads++
      return store.get(key)
    },
    getStored: () => {
      throw new Error('a block reads nodes wherever they are')
    },
    keysWithPrefix: () => Promise.reject(new Error('a block lists no keys')),
    reads: () => reads,
  }
}

describe.each(['wasm', 'typescript'] as const)('the %s engine', (name: EngineName) => {
  const engine = () => engineNamed(name)(PARAMS)

  async function executed(context: ExecutionContext, nonce: bigint): Promise<ExecutedBlock> {
    const done = await engine().executeBlock(context, [call(nonce)])
    if (!done.ok) throw new Error(done.error)
    expect(done.value.receipts.map(({ succeeded }) => succeeded)).toEqual([true])
    return done.value
  }

  /** Reads, writes and bytes of the undo record of a block that deletes a contract with that many slots, and undoes it. */
  async function costOf(slots: number, isKept: boolean): Promise<readonly number[]> {
    const { store, root } = await stateWith(slots)
    const content = await contentOf(store)
    const state = counted(store)
    const { changes } = await executed(contextOf(state, root), 0n)
    const block = { number: 1n, hash: word(1n) }
    const writes = await write(store, (layer) => {
      const passing = isKept ? null : new TransientNodes(layer)
      applyStateChanges(layer, block, changes, { passing })
      passing?.settle()
    })
    const record = store.get(stateKeys.undo(block.number, block.hash))
    expect(headState(store).slot(contract, word(0n))).toHaveLength(0)
    if (isKept) expect(stateAtRoot(store, root, keccak256).slot(contract, word(0n))).toEqual(Uint8Array.of(9))
    expect(await placesFault(store, changes.stateRoot)).toBeNull()
    const undone = await write(store, (layer) =>
      undoStateChanges(layer, block, { now: changes.stateRoot, before: root, keccak256 }),
    )
    expect(await contentOf(store)).toEqual(content)
    expect(stateAtRoot(store, root, keccak256).slot(contract, word(0n))).toEqual(Uint8Array.of(9))
    return [state.reads(), writes.length, record?.length ?? 0, undone.length]
  }

  it.each([true, false])('deletes a storage of any size at the same cost (its state is kept: %s)', async (isKept) => {
    expect(await costOf(3_000, isKept)).toEqual(await costOf(20, isKept))
  })

  it('begins an empty storage where an account comes back, over and over, and undoes each step', async () => {
    const begun = await stateWith(30)
    const { store } = begun
    let { root } = begun
    const steps: { readonly root: Uint8Array; readonly content: readonly string[]; readonly hash: Uint8Array }[] = []
    // Each block destroys the contract; then the account comes back by a transfer of code from outside, in a block of
    // its own, which only a genesis or CREATE2 does on a chain.
    for (let round = 0; round < 3; round++) {
      for (const comesBack of [false, true]) {
        const number = BigInt(steps.length + 1)
        const changes = comesBack
          ? returned(store, root)
          : (await executed(contextOf(counted(store), root, number), BigInt(round))).changes
        steps.push({ root, content: await contentOf(store), hash: word(number) })
        await write(store, (layer) => applyStateChanges(layer, { number, hash: word(number) }, changes))
        root = changes.stateRoot
        const state = headState(store)
        expect(state.slot(contract, word(3n))).toHaveLength(0)
        expect(toHex(state.slot(contract, word(1n)))).toBe(comesBack ? '0x07' : '0x')
        expect(await placesFault(store, root)).toBeNull()
      }
    }
    expect(toHex(store.get(stateKeys.incarnation(contract)) ?? new Uint8Array(0))).toBe('0x00000003')
    for (const [index, step] of [...steps.entries()].reverse()) {
      const number = BigInt(index + 1)
      await write(store, (layer) =>
        undoStateChanges(layer, { number, hash: step.hash }, { now: root, before: step.root, keccak256 }),
      )
      root = step.root
      expect(await contentOf(store)).toEqual(step.content)
    }
  })

  function returned(store: MemoryStore, root: Uint8Array): ExecutedBlock['changes'] {
    const overlay = new StateOverlay(store, { keccak256 })
    overlay.setAccount(contract, { ...EMPTY_ACCOUNT, nonce: 1n })
    overlay.setCode(contract, bytesOfHex(`0x${RUNTIME}`))
    overlay.setSlot(contract, word(1n), Uint8Array.of(7))
    return overlay.finish(root)
  }
})

describe('an undo record of a program without incarnations', () => {
  it('brings back every slot of a deleted contract', async () => {
    const address = new Uint8Array(20).fill(9)
    const slots = 2_000
    const trie = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
    for (let slot = 0; slot < slots; slot++) trie.put(keccak256(word(BigInt(slot))), Uint8Array.of(1))
    const storage = trie.commit()
    const account = encodeAccount({ ...EMPTY_ACCOUNT, nonce: 1n, storageRoot: storage.root })
    const accounts = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
    accounts.put(keccak256(address), account)
    const whole = accounts.commit()
    const store = new MemoryStore()
    const nodes = [...storage.nodes, ...whole.nodes]
    const flat = [
      { key: stateKeys.account(address), before: null, after: account },
      ...Array.from({ length: slots }, (_, slot) => ({
        key: stateKeys.slot(address, word(BigInt(slot)), 0),
        before: null,
        after: Uint8Array.of(1),
      })),
    ]
    const made = { stateRoot: whole.root, flat, codes: [], ...packNodes(nodes, []) }
    await write(store, (layer) => applyStateChanges(layer, before, made))
    const content = await contentOf(store)
    const gone = flat.map(({ key, after }): FlatChange => ({ key, before: after, after: null }))
    const dead = nodes.map(([hash]) => hash)
    const block = { number: 1n, hash: word(1n) }
    const changes = { stateRoot: EMPTY_TRIE_ROOT, flat: gone, codes: [], ...packNodes([], dead) }
    for (const isKept of [true, false]) {
      await write(store, (layer) => {
        const passing = isKept ? null : new TransientNodes(layer)
        applyStateChanges(layer, block, changes, { passing })
        passing?.settle()
      })
      expect(headState(store).slot(address, word(5n))).toHaveLength(0)
      const roots = { now: EMPTY_TRIE_ROOT, before: whole.root, keccak256 }
      await write(store, (layer) => undoStateChanges(layer, block, roots))
      expect(await contentOf(store)).toEqual(content)
    }
    expect(bytesName(headState(store).slot(address, word(5n)))).toBe(bytesName(Uint8Array.of(1)))
  })
})
