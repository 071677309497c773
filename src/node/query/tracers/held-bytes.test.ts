// A tracer's limit per transaction: beyond it the tracer records nothing more and reports that.
import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../../base/bytes'
import { keccak256 } from '../../codec/keccak'
import type { Message, MessageResult } from '../../execution/message'
import type { Step } from '../../execution/tracer'
import type { World } from '../../execution/world'
import { FourByteTracer, type JsonTracer } from './call-tracer'
import { PrestateTracer } from './prestate'

const RESULT: MessageResult = { gasUsed: 1, error: null, isRevert: false, output: new Uint8Array(0) } as MessageResult
const CODE_BYTES = 1_000
const MAX_BYTES = 100_000

/** All accounts have the same code and nothing else. */
const world = {
  account: () => ({ balance: 0n, nonce: 0n, code: new Uint8Array(CODE_BYTES) }),
  slot: (_address: bigint, key: bigint) => key,
} as unknown as World

function resultOf(tracer: JsonTracer): Readonly<Record<string, unknown>> {
  let text = ''
  const write = (part: string): void => {
    text += part
  }
  tracer.finish(RESULT, write, world)
  return JSON.parse(text)
}

/** The instruction that reads an account, or a slot of account 1. */
function looking(name: 'BALANCE' | 'SLOAD', at: bigint): Step {
  return { frame: { height: 1, address: 1n, peek: () => at }, name, error: null } as unknown as Step
}

describe('the prestate tracer', () => {
  const make = () =>
    new PrestateTracer(
      { message: { gas: 0, gasPrice: 0n } as Message, keccak256, coinbase: new Uint8Array(20) },
      undefined,
      MAX_BYTES,
    )

  it('is full once code and accounts reach the limit, and reads none after that', () => {
    const tracer = make()
    let looked = 0n
    while (!tracer.isFull && looked < 1_000n) tracer.step(looking('BALANCE', ++looked), world)
    for (let more = 1n; more <= 5n; more++) tracer.step(looking('BALANCE', looked + more), world)

    expect(tracer.isFull).toBe(true)
    expect(Number(looked) * CODE_BYTES).toBeLessThan(MAX_BYTES + CODE_BYTES)
    expect(Object.keys(resultOf(tracer))).toHaveLength(Number(looked))
  })

  it('counts slots, each once', () => {
    const tracer = make()
    for (let again = 0; again < 1_000; again++) tracer.step(looking('SLOAD', 7n), world)
    expect(tracer.isFull).toBe(false)

    const most = MAX_BYTES / 100
    let slots = 0
    while (!tracer.isFull && slots < most) tracer.step(looking('SLOAD', BigInt(1_000 + slots++)), world)

    expect(tracer.isFull).toBe(true)
    expect(slots).toBeLessThan(most)
  })
})

describe('the 4byte tracer', () => {
  it('is full after a limited number of selectors, and counts no new one after that', () => {
    const tracer = new FourByteTracer(() => false, MAX_BYTES)
    const call = (selector: number) =>
      tracer.enter({
        kind: 'CALL',
        from: 1n,
        to: 2n,
        input: bytesFromBigint(BigInt(selector), 4),
        gas: 1,
        value: 0n,
        hasMoved: true,
      })
    let selectors = 0
    while (!tracer.isFull && selectors < MAX_BYTES) call(selectors++)
    for (let more = 0; more < 5; more++) call(selectors + more)

    expect(tracer.isFull).toBe(true)
    expect(Object.keys(resultOf(tracer))).toHaveLength(selectors)
    expect(selectors).toBeLessThan(MAX_BYTES / 50)
  })
})
