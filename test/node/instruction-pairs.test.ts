// Instructions that the engine's module runs together, on both engines: equal outputs, errors and gas, for every operand,
// stack height and amount of gas at which one of them could end the call.
import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../src/base/hex'
import { byDepth } from '../depth'
import { CONTRACTS, comparerOn, NO_CALL, stateOf } from './random/call-cases'
import { Chance } from './random/random-programs'

const PLENTY = 100_000
/** Of the call, and of the jump to what is tested. */
const GAS_BEFORE = 21_000 + 12
/** More than what is tested and what follows it costs. */
const GAS_OF_REST = 90
/** More than what is tested costs: below it each amount counts; above, where what follows ends the call, every seventh. */
const GAS_OF_TESTED = byDepth(30, GAS_OF_REST)

/** Returns the two upper words of the stack. */
const SHOW = '60005260205260406000f3'
/** The only valid destination but the beginning of what is tested. */
const LANDING = 3
const BEGINNING = LANDING + 1 + SHOW.length / 2

const JUMPS = [
  ['PUSH1, JUMP', '6003' + '56'],
  ['PUSH2, JUMP', '610003' + '56'],
  ['PUSH1, JUMPI', '6003' + '57'],
  ['PUSH2, JUMPI', '610003' + '57'],
  ['PUSH1, JUMPI to a bad destination', '6004' + '57'],
  ['PUSH2, JUMPI to a bad destination', '61ffff' + '57'],
  ['PUSH3, JUMPI', '62000003' + '57'],
  ...['15', '1515', '151515', '10', '11', '12', '13', '14', '1015', '1115', '1415'].flatMap((truth) => [
    [`${truth}, PUSH1, JUMPI`, `${truth}600357`] as const,
    [`${truth}, PUSH2, JUMPI`, `${truth}61000357`] as const,
    [`${truth}, PUSH1, JUMPI to a bad destination`, `${truth}600157`] as const,
    [`${truth}, PUSH1, JUMP`, `${truth}600356`] as const,
    [truth, truth] as const,
  ]),
  ['DUP1, PUSH1, JUMPI', '80' + '6003' + '57'],
  ['DUP1, PUSH2, JUMPI', '80' + '610003' + '57'],
  ['DUP1, PUSH1, JUMPI to a bad destination', '80' + '6001' + '57'],
  ['DUP1, ISZERO', '80' + '15'],
  ['DUP1, ISZERO, PUSH1, JUMPI', '80' + '15' + '6003' + '57'],
  ['DUP1, PUSH1', '80' + '6003'],
] as const

const CONSTANTS = ['6000', '60ff', '610001', '61ffff'].flatMap((constant) =>
  ['01', '9003', '16', '1b', '1c', '10', '11', '14', '1015', '03', '51', '52', '50', '9004'].map(
    (code) => [`PUSH ${constant}, ${code}`, constant + code] as const,
  ),
)

const OTHERS = [
  ['SWAP1, POP', '9050'],
  ['SWAP2, POP', '9150'],
  ['SWAP3, POP', '9250'],
  ['SWAP16, POP', '9f50'],
  ['GAS', '5a'],
  ['a constant compared for a jump', '6005' + '10' + '6003' + '57'],
] as const

const WORDS = [0n, 1n, 2n, 5n, 255n, 256n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 128n - 1n, 2n ** 255n, 2n ** 256n - 1n]
const HEIGHTS = [0, 1, 2, 3, 17, 1_022, 1_023, 1_024]

/** @param words the upper ones, topmost last; below lie others up to `height` */
function programOf(tested: string, words: readonly bigint[], height: number): string {
  const upper = words.slice(words.length - Math.min(words.length, height))
  const pushes = upper.map((word) => `7f${word.toString(16).padStart(64, '0')}`).join('')
  const below = '6007'.repeat(height - upper.length)
  return `60${BEGINNING.toString(16).padStart(2, '0')}565b${SHOW}5b${below}${pushes}${tested}${SHOW}`
}

const CONTRACT = CONTRACTS[0] ?? new Uint8Array(20)
const answer = await comparerOn(await stateOf(new Chance(1)))

function compare(code: string, gas: number): string {
  const over = { address: CONTRACT, nonce: null, balance: null, state: null, stateDiff: null, code: bytesOfHex(code) }
  return answer({ ...NO_CALL, to: CONTRACT, gas: BigInt(gas) }, [over])
}

describe.each([...JUMPS, ...CONSTANTS, ...OTHERS])('%s', (_, tested) => {
  it('does the same with every operand', () => {
    const answers = WORDS.flatMap((below) => WORDS.map((top) => compare(programOf(tested, [below, top], 20), PLENTY)))
    expect(answers.some((text) => text.startsWith('"0x'))).toBe(true)
  })

  it('does the same at every height, with any amount of gas', () => {
    const answers = new Set<string>()
    for (const height of HEIGHTS) {
      const code = programOf(tested, [3n, height % 2 === 0 ? 0n : 1n], height)
      const least = GAS_BEFORE + 3 * height
      const stepAt = (gas: number): number => (height > 100 || gas >= least + GAS_OF_TESTED ? 7 : 1)
      for (let gas = least; gas < least + GAS_OF_REST; gas += stepAt(gas)) answers.add(compare(code, gas))
    }
    expect([...answers]).toContain('out of gas')
    expect([...answers].some((answer) => answer !== 'out of gas')).toBe(true)
  })
})

it('loops over them end at the same instruction, wherever the machine pauses', () => {
  // Counts down, from anywhere in a slice of a few thousand instructions; the last gas is spent at any instruction.
  const loop = (ahead: number): string =>
    `${'5b'.repeat(ahead)}610600` + `5b600190038061${(ahead + 3).toString(16).padStart(4, '0')}575a${SHOW}`
  const whole = 21_000 + 0x600 * 26
  const answers = new Set<string>()
  for (let ahead = 0; ahead < 24; ahead++) {
    answers.add(compare(loop(ahead), PLENTY))
    for (let left = 0; left < 30; left++) answers.add(compare(loop(ahead), whole - 40 + left * 7))
  }
  expect([...answers].some((answer) => answer.startsWith('"0x'))).toBe(true)
  expect([...answers]).toContain('out of gas')
})
