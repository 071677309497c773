// The nine built-in contracts: this library's own code for most, node's and libsecp256k1 where they are faster.
import { createHash } from 'node:crypto'
import type { Common } from '@ethereumjs/common'
import { type EVM, getActivePrecompiles, type PrecompileFunc } from '@ethereumjs/evm'

import secp256k1 from 'secp256k1'
import type { Keccak256 } from '../../codec/keccak'
import { BLAKE2F_BYTES, blake2f } from './blake2f'
import { wordOfBytes } from './word'

export interface PrecompileResult {
  readonly output: Uint8Array
  readonly gasLeft: number
  readonly error: string | null
}

/** @param isOver looked at by what may take long; its error is then ABORTED */
export type Precompile = (input: Uint8Array, gas: number, isOver: () => boolean) => PrecompileResult

/** The error of a run that was ended from outside. */
export const ABORTED = 'aborted'

const EMPTY = new Uint8Array(0)
const OUT_OF_GAS: PrecompileResult = { output: EMPTY, gasLeft: 0, error: 'out of gas' }

/** By address (1 to 9). @param evm of Berlin rules; only its arithmetic is used */
export function createPrecompiles(evm: EVM, keccak256: Keccak256): ReadonlyMap<bigint, Precompile> {
  const all = new Map<bigint, Precompile>()
  for (const [name, run] of getActivePrecompiles(evm.common)) {
    const address = BigInt(`0x${name}`)
    all.set(
      address,
      wrapped(run, evm, (input, gas) => faultOf(address, input, gas)),
    )
  }
  all.set(1n, (input, gas) => ecRecover(input, gas, keccak256))
  all.set(2n, (input, gas) => paidPerWord(gas, input, [60, 12], () => createHash('sha256').update(input).digest()))
  all.set(4n, (input, gas) => paidPerWord(gas, input, [15, 3], () => input.slice()))
  all.set(9n, compress)
  return all
}

function wrapped(run: PrecompileFunc, evm: EVM, fault: (input: Uint8Array, gas: number) => string): Precompile {
  const common: Common = evm.common
  return (data, gas) => {
    const result = run({ data, gasLimit: BigInt(gas), common, _EVM: evm })
    if (result instanceof Promise) throw new RangeError('a built-in contract of these rules does not wait')
    if (result.exceptionError !== undefined) return { ...OUT_OF_GAS, error: fault(data, gas) }
    return { output: result.returnValue, gasLeft: gas - Number(result.executionGasUsed), error: null }
  }
}

const EC_RECOVER_GAS = 3_000
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The address that signed, 32 bytes; nothing for a signature that no key made. */
function ecRecover(input: Uint8Array, gas: number, keccak256: Keccak256): PrecompileResult {
  if (gas < EC_RECOVER_GAS) return OUT_OF_GAS
  const nothing = { output: EMPTY, gasLeft: gas - EC_RECOVER_GAS, error: null }
  const data = new Uint8Array(128)
  data.set(input.subarray(0, 128))
  const v = wordOfBytes(data.subarray(32, 64))
  const isNumber = (at: number): boolean => {
    const value = wordOfBytes(data.subarray(at, at + 32))
    return value > 0n && value < CURVE_ORDER
  }
  if ((v !== 27n && v !== 28n) || !isNumber(64) || !isNumber(96)) return nothing
  try {
    const key = secp256k1.ecdsaRecover(data.subarray(64, 128), v === 27n ? 0 : 1, data.subarray(0, 32), false)
    const output = new Uint8Array(32)
    output.set(keccak256(key.subarray(1)).subarray(12), 12)
    return { ...nothing, output }
  } catch {
    return nothing // the library's way of saying that no point belongs to r
  }
}

const BN_ADD = 6n
const BN_MUL = 7n
const BN_PAIRING = 8n
const BN_PAIR_BYTES = 192
const BN_MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n

/** Why a built-in contract failed, in the reference's words. */
function faultOf(address: bigint, input: Uint8Array, gas: number): string {
  const pairs = Math.floor(input.length / BN_PAIR_BYTES)
  const prices = new Map([
    [BN_ADD, 150],
    [BN_MUL, 6_000],
    [BN_PAIRING, 45_000 + 34_000 * pairs],
  ])
  const price = prices.get(address)
  if (price === undefined || gas < price) return 'out of gas'
  if (address === BN_PAIRING && input.length % BN_PAIR_BYTES !== 0) return 'bad elliptic curve pairing size'
  const coordinates = input.length - (address === BN_MUL ? 32 : 0)
  for (let at = 0; at < coordinates; at += 32)
    if (wordOfBytes(input.subarray(at, at + 32)) >= BN_MODULUS) return 'bn256: coordinate exceeds modulus'
  return 'bn256: malformed point'
}

/** One gas a round. */
function compress(input: Uint8Array, gas: number, isOver: () => boolean): PrecompileResult {
  if (input.length !== BLAKE2F_BYTES) return { ...OUT_OF_GAS, error: 'invalid input length' }
  if ((input[BLAKE2F_BYTES - 1] ?? 0) > 1) return { ...OUT_OF_GAS, error: 'invalid final flag' }
  const rounds = new DataView(input.buffer, input.byteOffset).getUint32(0)
  if (rounds > gas) return OUT_OF_GAS
  const output = blake2f(input, isOver)
  return output === null ? { ...OUT_OF_GAS, error: ABORTED } : { output, gasLeft: gas - rounds, error: null }
}

function paidPerWord(
  gas: number,
  input: Uint8Array,
  [base, perWord]: readonly [number, number],
  run: () => Uint8Array,
): PrecompileResult {
  const gasLeft = gas - base - perWord * Math.ceil(input.length / 32)
  return gasLeft < 0 ? OUT_OF_GAS : { output: run(), gasLeft, error: null }
}
