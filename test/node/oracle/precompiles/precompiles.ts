// The nine precompiles; the work of each is proportional to its price, and each can be aborted while it runs.
import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { secp256k1 } from '../../../../src/native/secp256k1'
import { BLAKE2F_BYTES, blake2f } from '../interpreter/blake2f'
import { bn254Add, bn254Multiply, bn254Pairing } from './bn254'
import { modexp } from './modexp'
import {
  ABORTED,
  done,
  failed,
  integerOf,
  OUT_OF_GAS,
  type Precompile,
  type PrecompileResult,
  padded,
} from './precompile'

/** By address (1 to 9). */
export function createPrecompiles(): ReadonlyMap<bigint, Precompile> {
  return new Map<bigint, Precompile>([
    [1n, ecRecover],
    [2n, (input, gas) => paidPerWord(gas, input, [60, 12], () => createHash('sha256').update(input).digest())],
    [3n, (input, gas) => paidPerWord(gas, input, [600, 120], () => leftPadded(ripemd160(input)))],
    [4n, (input, gas) => paidPerWord(gas, input, [15, 3], () => input.slice())],
    [5n, modexp],
    [6n, bn254Add],
    [7n, bn254Multiply],
    [8n, bn254Pairing],
    [9n, compress],
  ])
}

const EC_RECOVER_GAS = 3_000
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The signer's address as 32 bytes; empty for a signature no key could have made. */
function ecRecover(input: Uint8Array, gas: number): PrecompileResult {
  if (gas < EC_RECOVER_GAS) return OUT_OF_GAS
  const nothing = done(new Uint8Array(0), gas - EC_RECOVER_GAS)
  const data = padded(input, 0, 128)
  const v = integerOf(data.subarray(32, 64))
  const isNumber = (at: number): boolean => {
    const value = integerOf(data.subarray(at, at + 32))
    return value > 0n && value < CURVE_ORDER
  }
  if ((v !== 27n && v !== 28n) || !isNumber(64) || !isNumber(96)) return nothing
  const signer = secp256k1().recoverAddress(data.subarray(0, 32), data.subarray(64, 128), v === 27n ? 0 : 1)
  return signer === null ? nothing : { ...nothing, output: leftPadded(signer) }
}

/** One gas per round. */
function compress(input: Uint8Array, gas: number, isOver: () => boolean): PrecompileResult {
  if (input.length !== BLAKE2F_BYTES) return failed('invalid input length')
  if ((input[BLAKE2F_BYTES - 1] ?? 0) > 1) return failed('invalid final flag')
  const rounds = new DataView(input.buffer, input.byteOffset).getUint32(0)
  if (rounds > gas) return OUT_OF_GAS
  const output = blake2f(input, isOver)
  return output === null ? failed(ABORTED) : done(output, gas - rounds)
}

function paidPerWord(
  gas: number,
  input: Uint8Array,
  [base, perWord]: readonly [number, number],
  run: () => Uint8Array,
): PrecompileResult {
  const gasLeft = gas - base - perWord * Math.ceil(input.length / 32)
  return gasLeft < 0 ? OUT_OF_GAS : done(run(), gasLeft)
}

/** 20 bytes left-padded to 32. */
function leftPadded(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, 12)
  return word
}
