import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { MAIN_CONSENSUS } from '../consensus/params'
import { metaKeys, stateKeys } from '../store/keys'
import { openTestChain } from '../testing/test-chain'
import { proveAccount, readAccount } from './reads/account-reads'
import { dumpState } from './reads/state-dump'
import { intermediateRoots, storageRange } from './reads/state-reports'
import { runCall } from './run-call'
import { prepareGenesis } from './serve-query'
import { createQuerySession } from './session'

const EARLIEST = { kind: 'tag', tag: 'earliest' } as const
const limits = { isStopped: () => false, now: () => 0 }

/** A session on the chain's head. */
function sessionOn({ store, chain }: Awaited<ReturnType<typeof openTestChain>>) {
  const keysBehind: (typeof store)['keysBehind'] = (...range) => store.keysBehind(...range)
  const { reads } = chain
  const view = () => ({ store, reads, keysBehind, head: { hash: chain.head.hash, header: chain.head.header } })
  const views = { current: view, close: async () => undefined }
  const options = { chainId: 1337n, gasCap: 600_000_000, callTimeoutMs: 0, epochBlocks: 720, subsidies: MAIN_CONSENSUS }
  return createQuerySession(options, { views: views as never, keccak256, searchFrom: import.meta.dirname })
}

/** A chain whose genesis state was pruned, and a session on its head. */
async function prunedChain(history = 1n) {
  const test = await openTestChain(
    {},
    { gcMode: 'full', window: { states: 2n, reorg: 4n, history, recordBytes: 4096 } },
  )
  const before = test.chain.head
  const to = new Uint8Array(20).fill(7)
  for (let nonce = 0n; nonce < 7n; nonce++) {
    const block = await test.nextBlock({ transactions: [test.rich.sign({ nonce, to, value: 5n })] })
    expect(await test.chain.importBlocks([block])).toMatchObject({ refused: null })
    test.clock.advance(600_000)
  }
  expect(test.store.get(stateKeys.node(before.header.stateRoot))).toBeUndefined()
  const session = sessionOn(test)
  return { ...test, before, to, session }
}

describe('the genesis state of a node that pruned it', () => {
  it('answers for every way to name it: balance, proof, call', async () => {
    const { session, rich, before, to } = await prunedChain()
    for (const at of [
      EARLIEST,
      { kind: 'number', number: 0 },
      { kind: 'hash', hash: before.hash, requireCanonical: true },
    ] as const) {
      const balance = { kind: 'balance', at, address: rich.address } as const
      await prepareGenesis(session, balance)
      expect(BigInt(JSON.parse(readAccount(session, balance)))).toBeGreaterThan(0n)
      expect(JSON.parse(readAccount(session, { ...balance, address: to }))).toBe('0x0')
      const proof = JSON.parse(proveAccount(session, { kind: 'proof', at, address: rich.address, keys: [] }))
      expect(toHex(keccak256(Buffer.from(proof.accountProof[0].slice(2), 'hex')))).toBe(toHex(before.header.stateRoot))
      const call = { from: null, to, gas: null, gasPrice: null, feeCap: null, tip: null, value: 0n, nonce: null }
      const asked = { at, call: { ...call, data: new Uint8Array(0), accessList: null }, overrides: [] }
      expect(runCall(session, asked, limits)).toBe('"0x"')
    }
  })

  it('is dumped, too', async () => {
    const { session, rich, before } = await prunedChain()
    const dump = { kind: 'dump', at: EARLIEST, start: new Uint8Array(0), most: 0, code: true, storage: true } as const
    const question = { ...dump, nameless: false, paged: false }
    await prepareGenesis(session, question)
    const { root, accounts } = JSON.parse(await dumpState(session, question, limits))
    expect(`0x${root}`).toBe(toHex(before.header.stateRoot))
    expect(accounts[toHex(rich.address)].nonce).toBe(0)
  })

  it('gives block 1 the tries that it started from', async () => {
    const { session, rich, chain } = await prunedChain()
    const [first, second] = [1n, 2n].map((height) => chain.reads.canonicalHash(height) ?? new Uint8Array(0))
    const hash = first ?? new Uint8Array(0)
    const roots = { kind: 'intermediateRoots', hash } as const
    expect(() => intermediateRoots(session, roots, limits)).toThrow('missing trie node')
    await prepareGenesis(session, { ...roots, hash: second ?? hash })
    expect(session.genesis).toBeNull()

    await prepareGenesis(session, roots)
    const archive = await openTestChain({}, { gcMode: 'archive' })
    const block = chain.reads.block(hash)
    expect(await archive.chain.importBlocks(block === null ? [] : [block])).toMatchObject({ refused: null })
    expect(intermediateRoots(session, roots, limits)).toBe(intermediateRoots(sessionOn(archive), roots, limits))
    const none = new Uint8Array(0)
    const slots = { kind: 'storageRange', hash, index: 0, address: rich.address, start: none, most: 1 } as const
    expect(storageRange(session, slots, limits)).toBe('{"storage":{},"nextKey":null}')
  })

  it('answers for each block that can be taken back, and no older one', async () => {
    const { session, store, chain, rich, to } = await prunedChain()
    const read = (number: number, kind: 'balance' | 'nonce', address: Uint8Array): bigint =>
      BigInt(JSON.parse(readAccount(session, { kind, at: { kind: 'number', number }, address })))
    for (const number of [3, 4, 5, 6, 7]) {
      const [hash] = [chain.reads.canonicalHash(BigInt(number))]
      const root = chain.reads.header(hash ?? new Uint8Array(0))?.stateRoot ?? new Uint8Array(0)
      expect(store.get(stateKeys.node(root)) === undefined).toBe(number < 6)
      expect(read(number, 'balance', to)).toBe(5n * BigInt(number))
      expect(read(number, 'nonce', rich.address)).toBe(BigInt(number))
    }
    expect(() => read(2, 'balance', to)).toThrow('missing trie node')
    const at = { kind: 'number', number: 3 } as const
    expect(() => proveAccount(session, { kind: 'proof', at, address: to, keys: [] })).toThrow('missing trie node')
  })

  it('is refused with its size where the genesis file is very long', async () => {
    const { session, store, to } = await prunedChain()
    await store.write([[metaKeys.genesis, new Uint8Array(5 * 1024 * 1024)]])

    await expect(prepareGenesis(session, { kind: 'balance', at: EARLIEST, address: to })).rejects.toThrow(
      'a genesis file of 5242880 bytes',
    )
  })

  it('comes from the history where that reaches back to it, however long the genesis file is, except for proofs', async () => {
    const { session, store, rich, to } = await prunedChain(0n)
    await store.write([[metaKeys.genesis, new Uint8Array(5 * 1024 * 1024)]])
    const balance = { kind: 'balance', at: EARLIEST, address: rich.address } as const
    await prepareGenesis(session, balance)
    expect(BigInt(JSON.parse(readAccount(session, balance)))).toBeGreaterThan(0n)
    expect(JSON.parse(readAccount(session, { ...balance, address: to }))).toBe('0x0')
    const proof = { kind: 'proof' as const, at: EARLIEST, address: to, keys: [] }
    await expect(prepareGenesis(session, proof)).rejects.toThrow('a genesis file of 5242880 bytes')
  })
})
