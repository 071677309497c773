import { expect, it } from 'vitest'
import { bigintFromBytes, bytesFromBigint } from '../../../base/bytes'
import { bytesOfHex, toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { MAIN_CONSENSUS } from '../../consensus/params'
import { createdAddress } from '../../execution/message'
import { openTestChain } from '../../testing/test-chain'
import { createQuerySession } from '../session'
import { accessibleState, modifiedAccounts, storageRange } from './state-reports'

/** Init code of a contract whose slots 1 to 40 hold their own number. */
const FILLS = bytesOfHex('0x60285b8080556001900380600257')

/** A session on a block above such a contract. */
async function filledContract() {
  const { chain, store, rich, nextBlock, clock } = await openTestChain()
  const contract = bytesFromBigint(createdAddress(keccak256, bigintFromBytes(rich.address), 0n), 20)
  const transactions = [
    rich.sign({ nonce: 0n, to: null, data: FILLS, gasLimit: 2_000_000n }),
    rich.sign({ nonce: 1n, to: contract }),
  ]
  for (const tx of transactions) {
    clock.advance(600_000)
    expect(await chain.importBlocks([await nextBlock({ transactions: [tx] })])).toMatchObject({ refused: null })
  }
  const keysBehind: (typeof store)['keysBehind'] = (...range) => store.keysBehind(...range)
  const { reads, head } = chain
  const views = { current: () => ({ store, reads, keysBehind, head }), close: async () => undefined }
  const options = { chainId: 1337n, gasCap: 600_000_000, callTimeoutMs: 0, epochBlocks: 720, subsidies: MAIN_CONSENSUS }
  const session = createQuerySession(options, { views, keccak256, searchFrom: import.meta.dirname })
  const none = new Uint8Array(0)
  const asked = {
    kind: 'storageRange',
    hash: head.hash,
    index: 0,
    address: contract,
    start: none,
    most: 100_000,
  } as const
  return { session, asked }
}

it('pages through all slots of a contract by the hash of their keys', async () => {
  const { session, asked } = await filledContract()
  const limits = { isStopped: () => false, now: () => 0 }
  const whole = JSON.parse(storageRange(session, asked, limits))
  const keys = Object.keys(whole.storage)
  expect(whole.nextKey).toBeNull()
  expect(keys).toEqual(
    Array.from({ length: 40 }, (_, at) => toHex(keccak256(bytesFromBigint(BigInt(at + 1), 32)))).sort(),
  )
  const page = JSON.parse(storageRange(session, { ...asked, start: bytesOfHex(keys[7] ?? ''), most: 5 }, limits))
  expect(Object.keys(page.storage)).toEqual(keys.slice(7, 12))
  expect(page.nextKey).toBe(keys[12])
})

/** Nobody waits any more after this many looks. */
function waitsFor(looks: number) {
  let seen = 0
  return { isStopped: () => ++seen > looks, now: () => 0 }
}

it('ends when nobody waits for the slots any more', async () => {
  const { session, asked } = await filledContract()
  expect(() => storageRange(session, asked, waitsFor(20))).toThrow('stopped')
})

it.each([0, 1, 2, 3])('ends when nobody waits for the changed accounts any more, after %d looks', async (looks) => {
  const { session } = await filledContract()
  const changed = { kind: 'modifiedAccounts', first: 0, last: 2 } as const
  expect(JSON.parse(modifiedAccounts(session, changed, waitsFor(Infinity)))).toHaveLength(4)
  expect(() => modifiedAccounts(session, changed, waitsFor(looks))).toThrow('stopped')
})

it('ends when nobody waits for a state any more', async () => {
  const { session } = await filledContract()
  const at = (number: number) => ({ kind: 'number', number }) as const
  const asked = { kind: 'accessibleState', from: at(2), to: at(0) } as const
  expect(accessibleState(session, asked, waitsFor(1))).toBe('2')
  expect(() => accessibleState(session, asked, waitsFor(0))).toThrow('stopped')
})
