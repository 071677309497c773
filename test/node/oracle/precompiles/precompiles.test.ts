import { createHash } from 'node:crypto'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM, getActivePrecompiles } from '@ethereumjs/evm'
import { beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex, toBareHex, toHex } from '../../../../src/base/hex'
import { ABORTED } from './precompile'
import { createPrecompiles } from './precompiles'

const ours = createPrecompiles()
const never = (): boolean => false

/** Numbers that look random and are the same in every run. */
function numbers(seed: string): (below: number) => number {
  let count = 0
  return (below) => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32BE() % below
}

function bytesBy(next: (below: number) => number, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => next(256))
}

const word = (value: bigint | number): string => BigInt(value).toString(16).padStart(64, '0')

function run(address: number, input: Uint8Array, gas = 100_000_000, isOver = never) {
  const contract = ours.get(BigInt(address))
  if (contract === undefined) throw new RangeError(`no contract ${address}`)
  const { output, gasLeft, error } = contract(input, gas, isOver)
  return { output: toBareHex(output), used: gas - gasLeft, error }
}

describe('built-in contracts compared with those of @ethereumjs/evm', () => {
  let evm: EVM
  beforeAll(async () => {
    const common = createCustomCommon({ chainId: 1, name: 'test' }, Mainnet, { hardfork: Hardfork.Berlin })
    evm = await createEVM({ common })
  })

  async function theirs(address: number, data: Uint8Array, gas = 100_000_000) {
    const contract = getActivePrecompiles(evm.common).get(address.toString(16).padStart(40, '0'))
    if (contract === undefined) throw new RangeError(`no contract ${address}`)
    const result = await contract({ data, gasLimit: BigInt(gas), common: evm.common, _EVM: evm })
    const failed = result.exceptionError !== undefined
    return { output: toBareHex(result.returnValue), used: Number(result.executionGasUsed), failed }
  }

  async function expectEqual(address: number, input: Uint8Array): Promise<void> {
    const { error, ...own } = run(address, input)
    expect({ ...own, failed: error !== null }, toHex(input)).toEqual(await theirs(address, input))
  }

  it('hash, copy and recover alike, with inputs of any length', async () => {
    const next = numbers('bytes')
    for (const address of [1, 2, 3, 4])
      for (const length of [0, 1, 31, 32, 33, 64, 127, 128, 129, 1000])
        await expectEqual(address, bytesBy(next, length))
  })

  it('recover alike for right and wrong signatures', async () => {
    const next = numbers('signatures')
    for (let round = 0; round < 40; round++) {
      const input = new Uint8Array(128)
      input.set(bytesBy(next, 32))
      input[63] = 26 + next(4)
      input.set(bytesBy(next, 64), 64)
      if (next(4) === 0) input.fill(255, 96)
      await expectEqual(1, input)
    }
  })

  it('compute powers alike: every shape of length, odd and even moduli, truncated inputs', async () => {
    const next = numbers('powers')
    const lengths = [0, 1, 2, 7, 8, 9, 31, 32, 33, 40, 65, 130]
    for (let round = 0; round < 400; round++) {
      const [base = 0, exponent = 0, modulus = 0] = [0, 1, 2].map(() => lengths[next(lengths.length)] ?? 0)
      const numbersPart = bytesBy(next, base + exponent + modulus)
      if (next(3) === 0) numbersPart.fill(0, 0, base)
      if (next(3) === 0) numbersPart.fill(0, base, base + next(exponent + 1))
      if (next(4) === 0) numbersPart.fill(0, base + exponent)
      const head = bytesOfHex(word(base) + word(exponent) + word(modulus))
      const whole = Uint8Array.from([...head, ...numbersPart])
      await expectEqual(5, next(4) === 0 ? whole.subarray(0, next(whole.length + 1)) : whole)
    }
  })

  it('add and multiply points alike, on the curve, off it and beyond the field', async () => {
    const next = numbers('points')
    const points = ['00'.repeat(64), word(1) + word(2), word(1) + word(3), 'ff'.repeat(64)]
    for (let k = 2; k < 10; k++)
      points.push(run(7, bytesOfHex(word(1) + word(2) + toBareHex(bytesBy(next, 32)))).output)
    const point = (): string => points[next(points.length)] ?? ''
    for (let round = 0; round < 80; round++) {
      await expectEqual(6, bytesOfHex(point() + point()))
      await expectEqual(7, bytesOfHex(point() + toBareHex(bytesBy(next, 32))))
    }
    const [one = ''] = points.slice(4)
    const y = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n - BigInt(`0x${one.slice(64)}`)
    await expectEqual(6, bytesOfHex(one + one))
    await expectEqual(6, bytesOfHex(one + one.slice(0, 64) + word(y)))
    for (const scalar of [
      0n,
      1n,
      2n,
      0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n,
      2n ** 256n - 1n,
    ])
      await expectEqual(7, bytesOfHex(one + word(scalar)))
    for (const length of [0, 31, 64, 70, 96, 128, 200]) {
      await expectEqual(6, bytesOfHex((one + one + one + one).slice(0, 2 * length)))
      await expectEqual(7, bytesOfHex((one + one + one + one).slice(0, 2 * length)))
    }
  })

  it("pair alike: products that are one, that aren't, infinities, and points that don't exist", async () => {
    const g2 =
      '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
      '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa'
    const one = word(1) + word(2)
    const minusOne = word(1) + word(0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd45n)
    const nothing = '00'.repeat(64)
    for (const text of [
      '',
      one + g2 + minusOne + g2,
      one + g2,
      one + g2 + one + g2,
      nothing + g2,
      one + '00'.repeat(128),
      `${(one + g2 + minusOne + g2).repeat(9)}${nothing}${g2}`,
      word(1) + word(3) + g2,
      `${one + g2.slice(0, -2)}00`,
      one + 'ff'.repeat(128),
      one + word(1) + word(2) + word(3) + word(4),
      one + g2.slice(2),
      one + g2.slice(0, 128) + nothing,
      one + nothing + g2.slice(128),
      ...[0, 64, 128, 192].map((at) => one + g2.slice(0, at) + word(0) + g2.slice(at + 64)),
    ])
      await expectEqual(8, bytesOfHex(text))
  })
})

/** Base 2, modulus 7 in a byte each, an exponent of `length` bytes whose highest bit alone is set: the result is 4, since 2^3 = 1. */
function longPower(length: number): Uint8Array {
  const input = new Uint8Array(96 + 1 + length + 1)
  input.set(bytesOfHex(word(1) + word(length) + word(1)))
  input[96] = 2
  input[97] = 0x80
  input[97 + length] = 7
  return input
}

describe('the cost of a built-in contract', () => {
  it('allows an exponent of a million bytes, whose price is 2.7 Mgas', () => {
    expect(run(5, longPower(1_000_000))).toEqual({ output: '04', used: 2_666_666, error: null })
  })

  it('ends within a power, a pairing and a compression', () => {
    const pairs = new Uint8Array(192 * 10)
    const rounds = new Uint8Array(213)
    rounds.fill(255, 0, 4)
    for (const [address, input] of [
      [5, longPower(1_000_000)],
      [8, pairs],
      [9, rounds],
    ] as const) {
      let looks = 0
      const result = run(address, input, 2 ** 40, () => ++looks > 3)
      expect([result.error, looks], `contract ${address}`).toEqual([ABORTED, 4])
    }
  })

  it('checks the clock of a power by its work, not by its steps', () => {
    const looksAt = (words: number): number => {
      let looks = 0
      const input = new Uint8Array(96 + 8 * words + 64 + 8 * words).fill(255)
      input.set(bytesOfHex(word(8 * words) + word(64) + word(8 * words)))
      run(5, input, 2 ** 40, () => ++looks > 1_000_000)
      return looks
    }
    expect(looksAt(1)).toBe(0)
    expect(looksAt(512)).toBe(7) // after every 8 bytes of the exponent, about 25 ms
  })

  it.each([
    ['a base and a modulus of nothing, whatever the exponent claims', word(0) + word(2n ** 255n) + word(0), '', 200],
    ['an exponent that lies behind the end of the input', `${word(1) + word(1_000_000) + word(1)}05`, '00', 2_666_581],
    ['a modulus that lies behind the end of the input', `${word(1) + word(1) + word(2)}0503`, '0000', 200],
  ] as const)('allows %s', (_name, input, output, used) => {
    expect(run(5, bytesOfHex(input))).toEqual({ output, used, error: null })
  })

  it.each([
    ['an exponent', word(1) + word(2n ** 200n) + word(1)],
    ['a base', word(2n ** 200n) + word(1) + word(1)],
    ['a modulus', word(1) + word(1) + word(2n ** 64n)],
  ])('refuses to pay for %s of absurd length', (_name, input) => {
    expect(run(5, bytesOfHex(input), Number.MAX_SAFE_INTEGER)).toMatchObject({ output: '', error: 'out of gas' })
  })
})
