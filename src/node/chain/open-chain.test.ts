import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { createLogger, silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { keccak256 } from '../codec/keccak'
import { PRACTICE_CONSENSUS } from '../consensus/params'
import { headState, stateAtRoot } from '../execution/state-reader'
import { practiceGenesis } from '../networks'
import { chainKeys, metaKeys, SCHEMA_VERSION, stateKeys } from '../store/keys'
import { type StoreChange, StoreLayer } from '../store/store'
import { FakeSeals } from '../testing/fake-seals'
import { openTestChain } from '../testing/test-chain'
import { placesFault } from '../testing/test-places'
import { sideBlocks } from './chain-store'
import { openChain, storedGenesis, tornReason } from './open-chain'
import { REBUILD_MARK } from './rebuild-state'
import { spellOutRecords } from './state-window'

const other = practiceGenesis(new Uint8Array(20).fill(9))

describe('opening a chain', () => {
  const grown = async () => {
    const test = await openTestChain()
    for (let i = 0; i < 3; i++) {
      await test.chain.importBlock(await test.nextBlock())
      test.clock.advance(5000)
    }
    const { store, engine } = test
    const deps = { store, engine, seals: new FakeSeals(), clock: new FakeClock(), log: silentLogger }
    const open = (genesis: string | null = null) =>
      openChain({ params: PRACTICE_CONSENSUS, genesis, folder: '/data/chain' }, deps)
    return { ...test, open }
  }

  it('continues from the stored head with the stored genesis', async () => {
    const { chain, store, open } = await grown()
    const again = await open()
    expect(again.head).toEqual(chain.head)
    expect((await open(storedGenesis(store))).head).toEqual(chain.head)
  })

  it('reads nothing from the very text it was created from, while the first block is the one it wrote', async () => {
    const { chain, store, open } = await grown()
    const text = 'no genesis file: whoever reads it fails'
    await store.write([[metaKeys.genesis, new TextEncoder().encode(text)]])
    expect((await open(text)).head).toEqual(chain.head)
    await expect(open(`${text} `)).rejects.toMatchObject({ code: 'CHAIN_GENESIS_INVALID' })

    await store.write([[chainKeys.canonical(0n), new Uint8Array(32)]])
    await expect(open(text)).rejects.toMatchObject({ code: 'CHAIN_GENESIS_INVALID' })
  })

  it('rejects a genesis other than the stored one', async () => {
    const { open } = await grown()
    await expect(open(other)).rejects.toMatchObject({ code: 'CHAIN_GENESIS_MISMATCH', data: { folder: '/data/chain' } })
  })

  it.each([
    [
      'its format is another',
      (test: Grown) => test.store.write([[metaKeys.schema, Uint8Array.of(0x39)]]),
      'STORE_SCHEMA',
    ],
    ['genesis is gone', (test: Grown) => test.store.write([[chainKeys.canonical(0n), null]]), 'STORE_CORRUPT'],
    [
      'an account of the head changed',
      async (test: Grown) => {
        const [key] = await test.store.keysWithPrefix(stateKeys.account(new Uint8Array(0)))
        const { header, hash } = test.chain.head
        if (key !== undefined)
          await test.store.write([
            [key, null],
            [stateKeys.places(header.number, hash), null],
          ])
      },
      'STORE_CORRUPT',
    ],
  ])('rejects a database if %s', async (_name, damage, code) => {
    const test = await grown()
    await damage(test)
    await expect(test.open()).rejects.toMatchObject({ code, data: { folder: '/data/chain' } })
  })
})

describe('opening a torn chain', () => {
  /** Four blocks; the second has a sibling that was stored beside it. */
  const grown = async () => {
    const test = await openTestChain()
    const hashes: Uint8Array[] = []
    for (let i = 0; i < 4; i++) {
      const sibling = i === 1 ? await test.nextBlock({ tag: 9 }) : null
      const block = await test.nextBlock({ transactions: [test.rich.sign({ nonce: BigInt(i), value: 5n })] })
      await test.chain.importBlock(block)
      if (sibling !== null) await test.chain.importBlock(sibling)
      hashes.push(block.hash)
      test.clock.advance(5000)
    }
    const { store, engine, clock } = test
    const lines: string[] = []
    const sink = { write: ({ message }: { readonly message: string }) => void lines.push(message) }
    const log = createLogger('test', { minLevel: 'info', now: () => 0, sink })
    const deps = { store, engine, seals: new FakeSeals(), clock, log }
    const open = () => openChain({ params: PRACTICE_CONSENSUS, genesis: null, folder: '/data/chain' }, deps)
    const blocks = hashes.map((hash) => test.chain.reads.block(hash))
    /** What programs before format 4 did: every node under a key of its own. */
    const spellOut = async () => {
      const layer = new StoreLayer(store)
      spellOutRecords(layer, 4n)
      await store.write(layer.changes())
    }
    return { ...test, blocks, hashes, lines, open, spellOut }
  }
  type Four = Awaited<ReturnType<typeof grown>>
  const at = (test: Four, number: number): Uint8Array => test.hashes[number - 1] ?? new Uint8Array(0)

  it.each([
    ['the head pointer is gone', 4, () => [[metaKeys.head, null]]],
    ['the head pointer names no block', 4, () => [[metaKeys.head, new Uint8Array(32)]]],
    ['the head pointer is behind', 4, (test: Four) => [[metaKeys.head, at(test, 2)]]],
    ['the body of the head is gone', 3, (test: Four) => [[chainKeys.body(at(test, 4)), null]]],
    ['the receipts of the head are damaged', 3, (test: Four) => [[chainKeys.receipts(at(test, 4)), Uint8Array.of(1)]]],
    [
      'the head has the receipts of no block',
      3,
      (test: Four) => [[chainKeys.receipts(at(test, 4)), Uint8Array.of(0xc0)]],
    ],
    ['the state of the head is gone', 4, (test: Four) => [[stateKeys.places(4n, at(test, 4)), null]]],
    ['nodes under the head are gone', 4, (test: Four) => [[stateKeys.places(3n, at(test, 3)), null]]],
    ['a block is missing in the index', 1, () => [[chainKeys.canonical(2n), null]]],
    ['a block under the head is damaged', 2, (test: Four) => [[chainKeys.header(at(test, 3)), Uint8Array.of(1)]]],
  ] as const satisfies readonly (readonly [string, number, (test: Four) => readonly StoreChange[]])[])(
    'returns to the newest intact block if %s, and continues from there',
    async (_name, whole, damage) => {
      const test = await grown()
      await test.store.write(damage(test))

      const chain = await test.open()

      expect(toHex(chain.head.hash)).toBe(toHex(at(test, whole)))
      expect(test.lines.some((line) => line.includes('chain database repaired'))).toBe(true)
      for (const block of test.blocks.slice(whole)) {
        if (block === null) throw new Error('a block of the test is missing')
        // What is intact was kept as a side block.
        expect(['head', 'known']).toContain((await chain.importBlock(block)).kind)
      }
      const state = stateAtRoot(chain.store, chain.head.header.stateRoot, keccak256)
      const receiver = new Uint8Array(20).fill(7)
      expect(state.account(receiver)?.balance).toBe(headState(chain.store).account(receiver)?.balance)
      expect(tornReason(chain.store)).toBeNull()
    },
  )

  it('rebuilds the nodes of a format 1 chain and finds its side blocks', async () => {
    const test = await grown()
    const { store } = test
    await test.spellOut()
    for (const letter of ['k', 'j', 'f'])
      for (const key of await store.keysWithPrefix(new TextEncoder().encode(letter))) await store.write([[key, null]])
    await store.write([
      [stateKeys.node(new Uint8Array(32).fill(1)), Uint8Array.of(0xc0)], // left by an older state
      [metaKeys.statesFrom, null],
      [metaKeys.schema, new TextEncoder().encode('1')],
    ])

    const chain = await test.open()

    expect(chain.statesFrom).toBe(4n)
    expect(store.get(stateKeys.node(new Uint8Array(32).fill(1)))).toBeUndefined()
    expect(await sideBlocks(store, chain.reads)).toHaveLength(1)
    expect((await test.open()).head.hash).toEqual(chain.head.hash)
    expect(test.lines.filter((line) => line.includes('newer format'))).toHaveLength(1)
    expect(await placesFault(store, chain.head.header.stateRoot)).toBeNull()
  })

  it.each(['2', '3'])('takes over a format %s chain as it is, and marks it for older programs', async (format) => {
    const test = await grown()
    await test.spellOut()
    await test.store.write([[metaKeys.schema, new TextEncoder().encode(format)]])
    const chain = await test.open()
    expect(toHex(chain.head.hash)).toBe(toHex(at(test, 4)))
    expect(new TextDecoder().decode(test.store.get(metaKeys.schema))).toBe(String(SCHEMA_VERSION))
    expect(await placesFault(test.store, chain.head.header.stateRoot)).toBeNull()
  })

  it('finishes at the next start what an interrupted one began', async () => {
    const test = await grown()
    const nodes = await test.store.keysWithPrefix(stateKeys.node(new Uint8Array(0)))
    await test.store.write([...nodes.slice(2).map((key): StoreChange => [key, null]), REBUILD_MARK])
    const chain = await test.open()
    expect(toHex(chain.head.hash)).toBe(toHex(at(test, 4)))
    expect(await placesFault(test.store, chain.head.header.stateRoot)).toBeNull()
  })
})

type Grown = Awaited<ReturnType<typeof openTestChain>>
