import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/fake-clock'
import { silentLogger } from '../../base/logger'
import { FakeSeals } from '../consensus/fake-seals'
import { PRACTICE_CONSENSUS } from '../consensus/params'
import { practiceGenesis } from '../networks'
import { chainKeys, metaKeys, stateKeys } from '../store/keys'
import { openChain, storedGenesis } from './open-chain'
import { openTestChain } from './test-chain'

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

  it('refuses another genesis than the stored one', async () => {
    const { open } = await grown()
    await expect(open(other)).rejects.toMatchObject({ code: 'CHAIN_GENESIS_MISMATCH', data: { folder: '/data/chain' } })
  })

  it.each([
    [
      'its format is another',
      (test: Grown) => test.store.write([[metaKeys.schema, Uint8Array.of(0x39)]]),
      'STORE_SCHEMA',
    ],
    ['the head is gone', (test: Grown) => test.store.write([[metaKeys.head, null]]), 'STORE_CORRUPT'],
    [
      'the head names no block',
      (test: Grown) => test.store.write([[metaKeys.head, new Uint8Array(32)]]),
      'STORE_CORRUPT',
    ],
    [
      'the body of the head is gone',
      (test: Grown) => test.store.write([[chainKeys.body(test.chain.head.hash), null]]),
      'STORE_CORRUPT',
    ],
    [
      'the state of the head is gone',
      (test: Grown) => test.store.write([[stateKeys.node(test.chain.head.header.stateRoot), null]]),
      'STORE_CORRUPT',
    ],
    [
      'a block is missing in the index',
      (test: Grown) => test.store.write([[chainKeys.canonical(2n), null]]),
      'STORE_CORRUPT',
    ],
    [
      'a block under the head is damaged',
      (test: Grown) => test.store.write([[chainKeys.header(test.chain.head.header.parentHash), Uint8Array.of(1)]]),
      'STORE_CORRUPT',
    ],
  ])('refuses a database when %s', async (_name, damage, code) => {
    const test = await grown()
    await damage(test)
    await expect(test.open()).rejects.toMatchObject({ code, data: { folder: '/data/chain' } })
  })
})

type Grown = Awaited<ReturnType<typeof openTestChain>>
