// Jump destinations of generated code, which the engine's module searches in words: a jump to each byte, as a contract's
// code and as init code, does the same on both engines.
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../src/base/bytes'
import { CONTRACTS, comparerOn, NO_CALL, stateOf } from './random/call-cases'
import { Chance } from './random/random-programs'

const GAS = 90_000n
const JUMPDEST = 0x5b
/** PUSH2 with the target, and the jump. */
const HEAD_BYTES = 4
/** Longer than what is searched byte by byte behind a PUSH. */
const MAX_BYTES = 220

const answer = await comparerOn(await stateOf(new Chance(1)))
const [CONTRACT] = CONTRACTS

/** Mostly jump destinations and pushes, and stretches without either. */
function bodyOf(chance: Chance): Uint8Array {
  const body: number[] = []
  while (body.length < MAX_BYTES) {
    const kind = chance.under(6)
    if (kind === 0) body.push(...new Array<number>(chance.under(40)).fill(0))
    else if (kind === 1) body.push(...new Array<number>(1 + chance.under(20)).fill(JUMPDEST))
    else if (kind === 2) body.push(0x60 + chance.under(32))
    else if (kind === 3) body.push(0x60, JUMPDEST)
    else body.push(chance.of([0x5a, 0x5c, 0x5f, 0x80, 0xdb, 0xe0, 0xff, JUMPDEST]))
  }
  return Uint8Array.from(body.slice(0, 1 + chance.under(MAX_BYTES)))
}

function codeOf(body: Uint8Array, target: number): Uint8Array {
  return concatBytes(Uint8Array.of(0x61, target >> 8, target & 255, 0x56), body)
}

/** The output, or the error. Throws when engine and oracle differ. */
function outcome(call: Partial<typeof NO_CALL>, code: Uint8Array | null): string {
  if (CONTRACT === undefined) throw new Error('no contract')
  const over = { address: CONTRACT, nonce: null, balance: null, state: null, stateDiff: null, code }
  return answer({ ...NO_CALL, gas: GAS, ...call }, code === null ? [] : [over])
}

/** Source: Ethereum yellow paper, 9.4.3 */
function isDestination(code: Uint8Array, target: number): boolean {
  let at = 0
  while (at < target) {
    const operation = code[at] ?? 0
    at += operation >= 0x60 && operation <= 0x7f ? operation - 0x5e : 1
  }
  return at === target && code[target] === JUMPDEST
}

describe('a jump into generated code', () => {
  it.each([1, 2, 3, 4, 5, 6])('reaches exactly its destinations, seed %i', (seed) => {
    const chance = new Chance(seed)
    const seen = { good: 0, bad: 0 }
    for (let round = 0; round < 6; round++) {
      const body = bodyOf(chance)
      for (let target = HEAD_BYTES; target <= HEAD_BYTES + body.length; target++) {
        const code = codeOf(body, target)
        const isGood = isDestination(code, target)
        seen[isGood ? 'good' : 'bad']++
        const called = outcome({ to: CONTRACT ?? null }, code)
        const created = outcome({ to: null, data: code }, null)
        if (!isGood)
          for (const text of [called, created]) expect(text, `${round}, ${target}`).toMatch(/invalid jump destination/)
        if (isGood && body.subarray(target - HEAD_BYTES).every((byte) => byte === JUMPDEST || byte === 0))
          expect([called, created]).toEqual(['"0x"', '"0x"'])
      }
    }
    expect(seen.good).toBeGreaterThan(20)
    expect(seen.bad).toBeGreaterThan(100)
  })
})
