// What a transaction would change, as shown for an approval: on a real chain's state, reverted each time.
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../src/base/hex'
import { simulationSchema } from '../../src/contract/signer-tools'
import { QueryNode } from './query-node'

const folder = join(resolve(import.meta.dirname, '../..'), 'test/vectors/rpc')
const RICH = '0x087406a972859f187698424202c464d8d7daa51c'
const TO = `0x${'11'.repeat(20)}`
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (digits: string) => digits.padStart(64, '0')
/** Emits Transfer(RICH, TO, 7), with the amount as data or, numbered, as a topic. */
const emit = (isNumbered: boolean) =>
  isNumbered
    ? `7f${word('7')}7f${word(TO.slice(2))}7f${word(RICH.slice(2))}7f${TRANSFER}60006000a4`
    : `7f${word('7')}6000527f${word(TO.slice(2))}7f${word(RICH.slice(2))}7f${TRANSFER}60206000a3`

const APPROVAL = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const APPROVAL_FOR_ALL = '17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
/** Emits a log with three topics: RICH allows TO to take `amount`. */
const grant = (topic: string, amount: string) =>
  `7f${word(amount)}6000527f${word(TO.slice(2))}7f${word(RICH.slice(2))}7f${topic}60206000a3`

describe('a simulated transaction', () => {
  const server = new QueryNode({ folder, blocks: 'chain.rlp', networkId: 3110 })
  beforeAll(() => server.start())
  afterAll(() => server.stop())

  const simulate = async (given: {
    to?: string | null
    value?: bigint
    data?: string
    from?: string
    gas?: bigint
  }) => {
    const { to = TO, value = 0n, data = '0x', from = RICH, gas = 200_000n } = given
    const call = {
      from: bytesOfHex(from),
      to: to === null ? null : bytesOfHex(to),
      gas,
      gasPrice: 2n,
      feeCap: null,
      tip: null,
      value,
      nonce: null,
      data: bytesOfHex(data),
      accessList: null,
    }
    const calls = [{ call }]
    const nothing = { accounts: [], parties: [], numbers: [], digest: null, slots: [], funded: null }
    const text = await server.node.queries().ask({ kind: 'simulate', calls, ...nothing }, new AbortController())
    return simulationSchema.parse(JSON.parse(text))
  }

  it('reports what sender and receiver gain and lose, fee included', async () => {
    const seen = await simulate({ value: 5n })

    expect(seen).toMatchObject({ outcome: 'succeeded', gasUsed: 21_000, reason: '', tokens: [] })
    expect(seen.balances).toEqual([
      { address: RICH, change: '-42005' },
      { address: TO, change: '5' },
    ])
  })

  it('runs in the block after the head, and says when another block would change the result', async () => {
    const moving = (amount: string) =>
      `0x${amount}6000527f${word(TO.slice(2))}7f${word(RICH.slice(2))}7f${TRANSFER}60206000a300`
    const { block } = await simulate({})
    const [number, time, miner, difficulty, same] = await Promise.all(
      ['43', '42', '41', '44', '6007'].map((amount) => simulate({ to: null, data: moving(amount) })),
    )

    expect(number).toMatchObject({ dependsOnBlock: true, tokens: [{ amount: String(block + 1) }] })
    expect([time, miner, difficulty].map((seen) => seen?.dependsOnBlock)).toEqual([true, true, true])
    expect(same).toMatchObject({ dependsOnBlock: false, tokens: [{ amount: '7' }] })
  })

  it('reports a contract that pays back only in the next block', async () => {
    const { block } = await simulate({})
    const next = (block + 1).toString(16).padStart(4, '0')
    // Creation code: in the next block it pays its value back to the sender.
    const trap = `0x4361${next}14600957005b600060006000600034335af100`
    const seen = await simulate({ to: null, value: 5n, data: trap })

    expect(seen).toMatchObject({ outcome: 'succeeded', dependsOnBlock: true })
  })

  it('leaves the state unchanged', async () => {
    const first = await simulate({ value: 5n })

    expect(await simulate({ value: 5n })).toEqual(first)
  })

  it('reports tokens that move, with their amount or id', async () => {
    const plain = await simulate({ to: null, data: `0x${emit(false)}00` })
    const numbered = await simulate({ to: null, data: `0x${emit(true)}00` })

    expect(plain.tokens).toMatchObject([{ from: RICH, to: TO, amount: '7', isNumbered: false }])
    expect(numbered.tokens).toMatchObject([{ from: RICH, to: TO, amount: '7', isNumbered: true }])
  })

  it('reports no token if the transaction fails after the log', async () => {
    const seen = await simulate({ to: null, data: `0x${emit(false)}60006000fd` })

    expect(seen).toMatchObject({ outcome: 'reverted', reason: 'execution reverted', tokens: [] })
  })

  it('counts the moves that it does not list', async () => {
    const seen = await simulate({ to: null, gas: 2_000_000n, data: `0x${emit(false).repeat(25)}00` })

    expect([seen.tokens.length, seen.moreTokens]).toEqual([20, 5])
  })

  it("reports what others could take from then on, and counts what it doesn't know", async () => {
    const all = 'f'.repeat(64)
    const data = `0x${grant(APPROVAL, all)}${grant(APPROVAL_FOR_ALL, '1')}${grant(word('abc'), '1')}60006000a000`
    const seen = await simulate({ to: null, data })

    expect(seen.grants).toMatchObject([
      { owner: RICH, spender: TO, kind: 'units', amount: (2n ** 256n - 1n).toString() },
      { owner: RICH, spender: TO, kind: 'all', amount: '1' },
    ])
    expect(seen).toMatchObject({ tokens: [], otherLogs: 2, moreGrants: 0 })
  })

  it('reports no grant if the transaction fails after it', async () => {
    const seen = await simulate({ to: null, data: `0x${grant(APPROVAL, '1')}60006000fd` })

    expect(seen).toMatchObject({ outcome: 'reverted', grants: [], otherLogs: 0 })
  })

  it('reports why the node would refuse it', async () => {
    const poor = await simulate({ from: TO, to: RICH, value: 5n })
    const starved = await simulate({ gas: 20_999n })

    expect(poor).toMatchObject({ outcome: 'refused', balances: [] })
    expect(poor.reason).toContain('insufficient funds')
    expect(starved).toMatchObject({ outcome: 'refused' })
    expect(starved.reason).toContain('intrinsic gas too low')
  })
})
