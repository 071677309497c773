import { describe, expect, it } from 'vitest'
import type { SignedTransaction } from '../../model/sender'
import { openTestChain, type TestChain } from '../../testing/test-chain'
import type { CandidateQueue } from '../engine'
import { headState } from '../state-reader'

/** JUMPDEST PUSH1 0 JUMP after a store: runs until it is out of gas. As creation code it needs no call. */
const ENDLESS = Uint8Array.from(Buffer.from('60016000556000600052 5b600a56'.replaceAll(' ', ''), 'hex'))

const queueOf = (list: readonly SignedTransaction[], stopped?: () => boolean): CandidateQueue => {
  const left = [...list]
  const rest = { peek: () => left[0] ?? null, shift: () => void left.shift(), pop: () => void left.shift() }
  return stopped === undefined ? rest : { ...rest, stopped }
}

const header = { number: 1n, timestamp: 1n, coinbase: new Uint8Array(20), difficulty: 1n, gasLimit: 30_000_000n }

const build = (test: TestChain, queue: CandidateQueue) =>
  test.engine.buildBlock(
    {
      state: test.store,
      parentRoot: test.chain.head.header.stateRoot,
      header,
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

  it('is aborted when building stops, and leaves no trace', async () => {
    const { test, short, long } = await prepared()
    let looks = 0
    const built = await build(
      test,
      queueOf([short, long], () => ++looks > 5),
    )

    expect(built.transactions).toEqual([short.tx])
    expect(built.gasUsed).toBe(21_000n)
    const alone = await build(test, queueOf([short]))
    expect(built.changes.stateRoot).toEqual(alone.changes.stateRoot)
    expect(headState(test.store).account(test.rich.address)?.nonce).toBe(0n)
  })

  it('is omitted with its account if it exceeded its own time, and the block continues', async () => {
    const { test, short, long } = await prepared()
    const other = { tx: test.rich.sign({ nonce: 1n }), sender: test.rich.address }
    let looks = 0
    const list = [short, long, other]
    const left = [...list]
    const built = await build(test, {
      peek: () => left[0] ?? null,
      shift: () => void left.shift(),
      pop: () => void left.shift(),
      stopped: () => ++looks === 4,
      outran: () => true,
    })

    expect(built.transactions).toEqual([short.tx, other.tx])
    expect(built.gasUsed).toBe(42_000n)
  })

  it("ends the execution of a block that isn't wanted anymore, without a verdict about the block", async () => {
    const { test, short, long } = await prepared()
    const context = {
      state: test.store,
      parentRoot: test.chain.head.header.stateRoot,
      header,
      ancestorHash: () => null,
    }
    let looks = 0

    const ended = test.engine.executeBlock({ ...context, stopped: () => ++looks > 5 }, [short.tx, long.tx])

    await expect(ended).rejects.toMatchObject({ code: 'CHAIN_NOT_OPEN' })
    expect(looks).toBe(6)
    const whole = await test.engine.executeBlock(context, [short.tx, long.tx])
    expect(whole.ok && whole.value.gasUsed).toBe(20_021_000n)
  })

  it("yields to the thread's other work between two of them", async () => {
    const { test } = await prepared()
    const wallet = test.rich
    const some = [0n, 1n, 2n, 3n].map((nonce) => ({
      tx: wallet.sign({ nonce, to: null, gasLimit: 2_000_000n, data: ENDLESS }),
      sender: wallet.address,
    }))
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const built = await build(test, queueOf(some))
    clearInterval(timer)

    expect(built.transactions).toHaveLength(4)
    expect(turns).toBeGreaterThan(0)
  })
})
