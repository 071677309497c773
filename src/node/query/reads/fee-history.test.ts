import { expect, it } from 'vitest'
import { keccak256 } from '../../codec/keccak'
import { MAIN_CONSENSUS } from '../../consensus/params'
import { createQuerySession, type QuerySession } from '../session'
import type { ChainView } from '../snapshots'
import { feeHistory } from './state-reports'

/** Blocks of two transfers each; every one pays its own height and twice as much. @param head of the chain, from 0 on */
function chainTo(head: number, counted: { blocks: number }, salt = 0) {
  const hashOf = (number: bigint) => Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? salt : Number(number)))
  const reads = {
    canonicalHash: hashOf,
    header: () => ({ gasUsed: 42_000n, gasLimit: 84_000n }),
    block: (hash: Uint8Array) => {
      counted.blocks += 1
      const gasPrice = BigInt((hash[1] ?? 0) + salt)
      const [one, two] = [gasPrice, 2n * gasPrice].map((price) => ({ kind: 'supported', gasPrice: price }))
      return { header: { gasUsed: 42_000n, gasLimit: 84_000n }, transactions: [two, one] }
    },
    storedReceipts: () => ({ outcomes: [{ gasUsed: 21_000n }, { gasUsed: 21_000n }] }),
  }
  return { head: { hash: hashOf(BigInt(head)), header: { number: BigInt(head) } }, reads } as unknown as ChainView
}

function sessionOver(view: () => ChainView): QuerySession {
  const options = { chainId: 1n, gasCap: 1_000_000, callTimeoutMs: 5_000, epochBlocks: 720, subsidies: MAIN_CONSENSUS }
  const views = { current: view, close: async () => undefined }
  return createQuerySession(options, { views, keccak256, searchFrom: import.meta.dirname })
}

const ask = (session: QuerySession, head: number, percentiles: readonly number[] = [50, 99]) =>
  JSON.parse(
    feeHistory(session, {
      kind: 'feeHistory',
      at: { kind: 'number', number: head },
      blocks: 4,
      percentiles: [...percentiles],
    }),
  )

it('reads a block once for the same percentiles, whatever head it is asked for', () => {
  const counted = { blocks: 0 }
  const state = { head: 9 }
  const session = sessionOver(() => chainTo(state.head, counted))
  const first = ask(session, 9)

  expect(counted.blocks).toBe(4)
  expect(first).toEqual({
    oldestBlock: '0x6',
    reward: [6, 7, 8, 9].map((price) => [`0x${price.toString(16)}`, `0x${(2 * price).toString(16)}`]),
    baseFeePerGas: Array(5).fill('0x0'),
    gasUsedRatio: Array(4).fill(0.5),
  })
  expect(ask(session, 9)).toEqual(first)
  expect(counted.blocks).toBe(4)

  state.head = 10
  session.refresh()

  expect(ask(session, 10).reward).toEqual([...first.reward.slice(1), ['0xa', '0x14']])
  expect(counted.blocks).toBe(5)
})

it('reads a block again for other percentiles, and the block that took its place', () => {
  const counted = { blocks: 0 }
  const state = { salt: 0 }
  const session = sessionOver(() => chainTo(9, counted, state.salt))
  ask(session, 9)

  expect(ask(session, 9, [50]).reward).toEqual([['0x6'], ['0x7'], ['0x8'], ['0x9']])
  expect(counted.blocks).toBe(8)

  state.salt = 1
  session.refresh()

  expect(ask(session, 9).reward[0]).toEqual(['0x7', '0xe'])
  expect(counted.blocks).toBe(12)
})

it('reads no transactions where no percentiles are asked for', () => {
  const counted = { blocks: 0 }
  const answer = ask(
    sessionOver(() => chainTo(9, counted)),
    9,
    [],
  )
  expect(answer).toEqual({ oldestBlock: '0x6', baseFeePerGas: Array(5).fill('0x0'), gasUsedRatio: Array(4).fill(0.5) })
  expect(counted.blocks).toBe(0)
})

it('names the block that is missing by its number', () => {
  const view = chainTo(9, { blocks: 0 })
  const session = sessionOver(() => ({ ...view, reads: { ...view.reads, block: () => null } }) as unknown as ChainView)

  expect(() => ask(session, 9)).toThrow('block #6 not found')
})
