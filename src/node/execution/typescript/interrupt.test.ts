import { describe, expect, it } from 'vitest'
import type { SignedTransaction } from '../../chain/sender'
import { openTestChain, type TestChain } from '../../chain/test-chain'
import type { CandidateQueue } from '../engine'
import { headState } from '../state-reader'

/** JUMPDEST PUSH1 0 JUMP after a store: runs until its gas is gone. As creation code it needs no call. */
const ENDLESS = Uint8Array.from(Buffer.from('60016000556000600052 5b600a56'.replaceAll(' ', ''), 'hex'))

const queueOf = (list: readonly SignedTransaction[], stopped?: () => boolean): CandidateQueue => {
  const left = [...list]
  const rest = { peek: () => left[0] ?? null, shift: () => void left.shift(), pop: () => void left.shift() }
  return stopped === undefined ? rest : { ...rest, stopped }
}

const build = (test: TestChain, queue: CandidateQueue) =>
  test.engine.buildBlock(
    {
      state: test.store,
      parentRoot: test.chain.head.header.stateRoot,
      header: { number: 1n, timestamp: 1n, coinbase: new Uint8Array(20), difficulty: 1n, gasLimit: 30_000_000n },
      ancestorHash: () => null,
    },
    queue,
  )

describe('a long transaction', () => {
  const prepared = async () => {
    const test = await openTestChain()
    const sender = test.rich.address
    const short = { tx: test.rich.sign({ nonce: 0n }), sender }
    const long = { tx: test.rich.sign({ nonce: 1n, to: null, gasLimit: 20_000_000n, data: ENDLESS }), sender }
    return { test, short, long }
  }

  it('is given up when building is to stop, and leaves nothing of itself', async () => {
    const { test, short, long } = await prepared()
    const begun = performance.now()
    const built = await build(
      test,
      queueOf([short, long], () => performance.now() - begun > 60),
    )

    expect(built.transactions).toEqual([short.tx])
    expect(built.gasUsed).toBe(21_000n)
    const alone = await build(test, queueOf([short]))
    expect(built.changes.stateRoot).toEqual(alone.changes.stateRoot)
    expect(headState(test.store).account(test.rich.address)?.nonce).toBe(0n)
  })

  it('lets the other work of the thread have its turn, and runs to its end when nobody stops it', async () => {
    const { test, short, long } = await prepared()
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const built = await build(test, queueOf([short, long]))
    clearInterval(timer)

    expect(built.transactions).toHaveLength(2)
    expect(built.gasUsed).toBe(20_021_000n)
    expect(turns).toBeGreaterThan(2)
  })
})
