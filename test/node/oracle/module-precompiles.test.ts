import { createHash } from 'node:crypto'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, getActivePrecompiles } from '@ethereumjs/evm'
import { beforeAll, describe, expect, it } from 'vitest'
import { bytesFromBigint, concatBytes } from '../../../src/base/bytes'
import { bytesOfHex, toBareHex } from '../../../src/base/hex'
import { loadEngineModule } from '../../../src/node/execution/wasm/module-file'
import { type Precompiles, wasmPrecompiles } from './module-precompiles'

const MANY_GAS = 2 ** 40
const never = (): boolean => false
/** A point of the second group, as EIP-197 writes it. */
const G2 = [
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2',
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b',
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
].join('')

const word = (value: bigint): Uint8Array => bytesFromBigint(value, 32)

/** A stream of bytes that is the same in every run. */
function noise(seed: number): (length: number) => Uint8Array {
  let count = 0
  return (length) => {
    const parts: Uint8Array[] = []
    for (let made = 0; made < length; made += 32) parts.push(createHash('sha256').update(`${seed} ${count++}`).digest())
    return concatBytes(...parts).slice(0, length)
  }
}

function modexpInput(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  const sizes = [base, exponent, modulus].map(({ length }) => word(BigInt(length)))
  return concatBytes(...sizes, base, exponent, modulus)
}

function modulusOf(ending: 'odd' | 'even' | 'half' | 'power of two' | 'small' | 'ones', bytes: Uint8Array): Uint8Array {
  const last = bytes.length - 1
  if (ending === 'ones') return bytes.fill(255)
  if (ending === 'power of two' || ending === 'small') bytes.fill(0, ending === 'small' ? 0 : undefined)
  if (ending === 'power of two') bytes[0] = 0x80
  if (ending === 'small') bytes[last] = 7
  if (ending === 'odd') bytes[last] = (bytes[last] ?? 0) | 1
  if (ending === 'even') bytes[last] = ((bytes[last] ?? 0) | 2) & 0xfe
  if (ending === 'half') bytes.fill(0, Math.floor(bytes.length / 2)) // an odd half times a long power of two
  return bytes
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x0${toBareHex(bytes)}`)

function plainPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (modulus === 0n) return 0n
  let [result, square] = [1n % modulus, base % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** Inputs by built-in contract: plain ones, edges, and noise. */
function* inputs(): Generator<readonly [address: number, input: Uint8Array]> {
  const bytes = noise(1)
  const g1 = concatBytes(word(1n), word(2n))
  const pair = concatBytes(g1, bytesOfHex(`0x${G2}`))
  for (const length of [0, 1, 31, 32, 55, 56, 64, 100, 1000]) {
    for (const address of [1, 2, 3, 4, 6, 7]) yield [address, bytes(length)]
    yield [9, bytes(length)]
  }
  for (let i = 0; i < 40; i++) {
    const v = i % 4 === 0 ? word(BigInt(i)) : word(27n + BigInt(i % 2))
    yield [1, concatBytes(bytes(32), v, bytes(32), bytes(32))]
  }
  for (let i = 0; i < 60; i++) {
    const [base, exponent, modulus] = [bytes((i * 7) % 70), bytes((i * 3) % 40), bytes((i * 5) % 70)]
    const last = modulus.length - 1
    if (i % 3 === 0 && last >= 0) modulus[last] = 0
    yield [5, modexpInput(base, exponent, modulus)]
    yield [5, modexpInput(base, exponent, modulus).slice(0, 90 + i)]
  }
  for (let i = 0; i < 20; i++) yield [7, concatBytes(g1, bytes(32))]
  yield [6, concatBytes(g1, g1)]
  yield [6, concatBytes(word(1n), word(3n), g1)]
  yield [6, concatBytes(new Uint8Array(32).fill(255), word(3n), g1)]
  for (const input of [pair, concatBytes(pair, pair), new Uint8Array(384), pair.slice(1), bytes(192)]) yield [8, input]
  for (const [rounds, flag] of [
    [0, 0],
    [1, 1],
    [12, 0],
    [12, 1],
    [12, 2],
    [3000, 1],
    // In slices of 20,000, between which the host is asked.
    [20_000, 1],
    [45_007, 0],
  ] as const) {
    const input = concatBytes(bytesFromBigint(BigInt(rounds), 4), bytes(208), Uint8Array.of(flag))
    yield [9, input]
  }
}

describe("the module's built-in contracts", () => {
  const loaded = loadEngineModule(import.meta.dirname)
  let ours: Precompiles
  beforeAll(() => {
    if ('absent' in loaded) throw new Error(loaded.absent)
    ours = wasmPrecompiles(loaded.module)
  })

  it("give the library's results and gas, and fail where it fails", async () => {
    const common = createCustomCommon({ chainId: 2110, name: 'test' }, Mainnet, { hardfork: Hardfork.Berlin })
    const evm = await createEVM({ common })
    const library = getActivePrecompiles(common)
    let done = 0
    for (const [address, input] of inputs()) {
      const name = bytesFromBigint(BigInt(address), 20)
      const run = library.get(toBareHex(name))
      const want = await run?.({ data: input, gasLimit: BigInt(MANY_GAS), common, _EVM: evm })
      const got = ours.run(address, input, MANY_GAS, never)
      const what = `${address}: ${toBareHex(input)}`
      if (want?.exceptionError !== undefined) expect('fault' in got, what).toBe(true)
      else if ('fault' in got) expect.fail(`${what}: ${got.fault}`)
      else {
        expect(toBareHex(got.output), what).toBe(toBareHex(want?.returnValue ?? new Uint8Array(0)))
        expect(got.gasUsed, what).toBe(Number(want?.executionGasUsed))
      }
      done++
    }
    expect(done).toBeGreaterThan(250)
  })

  it('name prlx’s reasons', () => {
    const off = new Uint8Array(128)
    off[31] = 1
    expect(ours.run(2, new Uint8Array(32), 71, never)).toEqual({ fault: 'out of gas' })
    expect(ours.run(8, new Uint8Array(191), MANY_GAS, never)).toEqual({ fault: 'bad elliptic curve pairing size' })
    expect(ours.run(6, new Uint8Array(128).fill(255), MANY_GAS, never)).toEqual({
      fault: 'bn256: coordinate exceeds modulus',
    })
    expect(ours.run(6, off, MANY_GAS, never)).toEqual({ fault: 'bn256: malformed point' })
    expect(ours.run(9, new Uint8Array(212), MANY_GAS, never)).toEqual({ fault: 'invalid input length' })
    expect(ours.run(9, new Uint8Array(213).fill(2), MANY_GAS, never)).toEqual({ fault: 'invalid final flag' })
  })

  it('compute powers with an exponent of 1 MB, which costs little gas, in a time that follows the exponent’s length', () => {
    const exponent = new Uint8Array(1_000_000)
    exponent[0] = 0x80
    const input = modexpInput(Uint8Array.of(2), exponent, Uint8Array.of(7))
    // 2 to the power of 2^7999999, modulo 7: the exponent is 2 modulo 3, the order of 2.
    expect(ours.run(5, input, MANY_GAS, never)).toEqual({ output: Uint8Array.of(4), gasUsed: 2_666_666 })
  })

  it('compute powers as plain arithmetic does, of every length of limbs, odd, even and powers of two', () => {
    const bytes = noise(3)
    let seen = 0
    for (const length of [1, 2, 9, 10, 11, 16, 17, 18, 31, 32, 33, 63, 64, 65, 100, 256]) {
      for (const ending of ['odd', 'even', 'half', 'power of two', 'small', 'ones'] as const) {
        const modulus = modulusOf(ending, bytes(length))
        const base = bytes((length * 7) % 80)
        const exponent = bytes(1 + ((length * 3) % 40))
        const want = plainPower(numberOf(base), numberOf(exponent), numberOf(modulus))
        const got = ours.run(5, modexpInput(base, exponent, modulus), MANY_GAS, never)
        const output = 'output' in got ? toBareHex(got.output) : got.fault
        expect(output, `${length} bytes, ${ending}`).toBe(toBareHex(bytesFromBigint(want, length)))
        seen++
      }
    }
    expect(seen).toBe(96)
  })

  it('compute powers modulo odd numbers times powers of two, both short and long', () => {
    const bytes = noise(11)
    let seen = 0
    for (let odd = 1; odd <= 510; odd += 3) {
      for (const twos of new Set([0, 1, 7, 79, 80, 81, (odd * 37) % 512, (odd * 101) % 512, 511 - odd])) {
        if (twos < 0 || odd + twos > 512) continue
        const high = 1n << BigInt(odd - 1)
        const modulus = (high | (numberOf(bytes(64)) % high) | 1n) << BigInt(twos)
        const length = 1 + ((odd + twos - 1) >> 3)
        const [base, exponent] = [bytes((odd * 7) % 150), bytes(1 + (odd % 5))]
        const want = plainPower(numberOf(base), numberOf(exponent), modulus)
        const got = ours.run(5, modexpInput(base, exponent, bytesFromBigint(modulus, length)), MANY_GAS, never)
        const output = 'output' in got ? toBareHex(got.output) : got.fault
        expect(output, `${odd} bits, ${twos} twos`).toBe(toBareHex(bytesFromBigint(want, length)))
        seen++
      }
    }
    expect(seen).toBeGreaterThan(900)
  })

  it('multiply points by factors around the group’s order and by small ones as repeated addition does', () => {
    const order = 21888242871839275222246405745257275088548364400416034343698204186575808495617n
    const point = concatBytes(word(1n), word(2n))
    const output = (address: number, input: Uint8Array): string => {
      const got = ours.run(address, input, MANY_GAS, never)
      return 'output' in got ? toBareHex(got.output) : got.fault
    }
    let sum = toBareHex(new Uint8Array(64))
    for (let factor = 0n; factor < 70n; factor++) {
      for (const same of [factor, order + factor, 5n * order + factor])
        expect(output(7, concatBytes(point, word(same))), `${same}`).toBe(sum)
      sum = output(6, concatBytes(point, bytesOfHex(`0x${sum}`)))
    }
    const minusOne = `${toBareHex(word(1n))}${toBareHex(word(21888242871839275222246405745257275088696311157297823662689037894645226208581n))}`
    expect(output(7, concatBytes(point, word(order - 1n)))).toBe(minusOne)
    expect(output(7, concatBytes(new Uint8Array(64), word(order - 1n)))).toBe(toBareHex(new Uint8Array(64)))
  })

  it.each([
    [
      'a power of a short number',
      5,
      modexpInput(Uint8Array.of(3), new Uint8Array(1_000_000).fill(255), Uint8Array.of(7)),
    ],
    ['a power of a long number', 5, modexpInput(noise(4)(300), new Uint8Array(9_000).fill(255), noise(5)(300))],
    [
      'a power modulo a power of two',
      5,
      modexpInput(Uint8Array.of(3), new Uint8Array(1_000_000).fill(255), Uint8Array.of(128)),
    ],
    ['pairings', 8, new Uint8Array(192 * 40)],
    ['compressions', 9, concatBytes(bytesFromBigint(4_000_000_000n, 4), new Uint8Array(209))],
  ] as const)('end %s on request, and continue with the next', (_, address, input) => {
    let asked = 0
    expect(ours.run(address, input, MANY_GAS, () => ++asked === 3)).toEqual({ fault: 'aborted' })
    expect(asked).toBe(3)
    expect(ours.run(4, Uint8Array.of(7), MANY_GAS, never)).toEqual({ output: Uint8Array.of(7), gasUsed: 18 })
  })

  it('free the memory of huge inputs', () => {
    for (let i = 0; i < 8; i++) expect('output' in ours.run(4, new Uint8Array(40_000_000), MANY_GAS, never)).toBe(true)
    expect(ours.run(4, Uint8Array.of(7), MANY_GAS, never)).toEqual({ output: Uint8Array.of(7), gasUsed: 18 })
  })
})
