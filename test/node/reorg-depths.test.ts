// Reorgs of every interesting depth, around the window of kept states and far beyond it: afterwards the database must
// contain what it would if the winning branch were the only one ever seen.
import { beforeAll, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { encodeRlp, rlpInteger } from '../../src/node/codec/rlp'
import type { Block } from '../../src/node/model/block'
import type { Transaction } from '../../src/node/model/transaction'
import { FULL_WINDOW } from '../../src/node/model/window-size'
import type { MemoryStore } from '../../src/node/store/store'
import { openTestChain, type TestChain } from '../../src/node/testing/test-chain'
import { placesFault } from '../../src/node/testing/test-places'

const WINDOW = Number(FULL_WINDOW.states)
const TRUNK = 3
const DEPTHS = [1, 2, 64, 100, WINDOW - 2, WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 2, WINDOW + 11]
const LONGEST = Math.max(...DEPTHS)
/**
 * Flat state, canonical numbers, transactions, logs; trie nodes with their shares where each has its own key. In mode full,
 * which nodes still lie in records depends on what was settled before.
 */
const CASES = [
  { gcMode: 'full', letters: ['a', 's', 'i', 'x', 'l'], depths: DEPTHS },
  { gcMode: 'archive', letters: ['a', 's', 'n', 'k', 'i', 'x', 'l'], depths: [1, LONGEST] },
] as const
/** Sets slot 0 to its call data, and logs it. */
const RUNTIME = '6000358060005560005260206000a000'
const INIT = Uint8Array.from(Buffer.from(`6f${RUNTIME}60005260106010f3`, 'hex'))

/** What block `index` of a branch pays and stores: every second has something, and some slots become empty again. */
function traffic({ rich }: TestChain, tag: number, index: number, nonce: bigint): readonly Transaction[] {
  const more = { nonce, gasLimit: 200_000n }
  if (index === 0) return [rich.sign({ ...more, to: null, value: 0n, data: INIT })]
  if (index % 2 === 0) return []
  const to = new Uint8Array(20).fill(0xa0 + ((tag * 3 + index) % 7))
  if (index % 4 === 1) return [rich.sign({ ...more, to, value: BigInt(tag * 1_000 + index) })]
  const contract = keccak256(encodeRlp([rich.address, rlpInteger(0n)])).slice(12)
  const data = new Uint8Array(32).fill(index % 3 === 0 ? 0 : (tag * 100 + index) % 256)
  return [rich.sign({ ...more, to: contract, value: 0n, data })]
}

/** `length` blocks on the head of a chain, which has them afterwards. */
async function grow(place: TestChain, tag: number, length: number, fill = traffic): Promise<readonly Block[]> {
  const blocks: Block[] = []
  let nonce = 0n
  for (let index = 0; index < length; index++) {
    const transactions = fill(place, tag, index, nonce)
    nonce += BigInt(transactions.length)
    const block = await place.nextBlock({ transactions, tag })
    await take(place, [block])
    blocks.push(block)
  }
  return blocks
}

async function take(place: TestChain, blocks: readonly Block[]): Promise<void> {
  for (const block of blocks) {
    place.clock.advance(5_000)
    const outcome = await place.chain.importBlock(block)
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome))
  }
}

async function contentOf(store: MemoryStore, letters: readonly string[]): Promise<readonly string[]> {
  const entries: string[] = []
  for (const letter of letters)
    for (const key of await store.keysWithPrefix(Uint8Array.of(letter.charCodeAt(0))))
      entries.push(`${letter}${toHex(key.subarray(1))}=${toHex(store.get(key) ?? new Uint8Array(0))}`)
  return entries.sort()
}

describe.each(CASES)('a reorganisation, mode $gcMode', ({ gcMode, letters, depths }) => {
  let trunk: readonly Block[] = []
  let lost: readonly Block[] = []
  let won: readonly Block[] = []
  /** The content of a database that never saw the other branch, by the number of the branch's blocks. */
  const wanted = new Map<number, readonly string[]>()
  beforeAll(async () => {
    const [first, second] = [await openTestChain({}, { gcMode }), await openTestChain({}, { gcMode })]
    trunk = await grow(first, 0, TRUNK, () => [])
    await take(second, trunk)
    lost = await grow(first, 1, LONGEST)
    won = await grow(second, 2, LONGEST + 1)
    const linear = await openTestChain({}, { gcMode })
    await take(linear, trunk)
    for (const [index, block] of won.entries()) {
      await take(linear, [block])
      if ((depths as readonly number[]).includes(index)) wanted.set(index + 1, await contentOf(linear.store, letters))
    }
  })

  it('is compared in every part of the database', () => {
    const found = (wanted.get(LONGEST + 1) ?? []).map((entry) => entry[0])
    expect([...new Set(found)].sort()).toEqual([...letters].sort())
  })

  it.each(depths)('of %i blocks leaves what the winning branch alone would have left', async (depth) => {
    const place = await openTestChain({}, { gcMode })
    const removed: number[] = []
    place.chain.events.on('headChanged', (change) => removed.push(change.removed.length))
    await take(place, [...trunk, ...lost.slice(0, depth)])

    await take(place, won.slice(0, depth + 1))

    expect(removed.filter((count) => count > 0)).toEqual([depth])
    expect(toHex(place.chain.head.hash)).toBe(toHex(won[depth]?.hash ?? new Uint8Array(0)))
    expect(await contentOf(place.store, letters)).toEqual(wanted.get(depth + 1))
    expect(await placesFault(place.store, place.chain.head.header.stateRoot)).toBeNull()
  })
})
