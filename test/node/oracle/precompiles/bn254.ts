// Precompiles 6, 7 and 8 on the curve bn254: sum, multiple, and whether a product of pairings is one. Source: EIP-196,
// EIP-197, EIP-1108 (prices); error texts are prlx's
import { bn254 } from '@noble/curves/bn254.js'
import { addPoints, FIELD, multiplyPoint, pointBytes, readPoint } from './bn254-points'
import { ABORTED, done, failed, integerOf, OUT_OF_GAS, type PrecompileResult, padded } from './precompile'

const ADD_GAS = 150
const MULTIPLY_GAS = 6_000
const PAIRING_GAS = 45_000
const PAIR_GAS = 34_000
const POINT_BYTES = 64
const PAIR_BYTES = 192
/** Pairs multiplied in one step: more share the squarings, fewer allow an earlier deadline check. */
const PAIRS_PER_PRODUCT = 8

const { Fp2, Fp12 } = bn254.fields
const G1 = bn254.G1.Point
const G2 = bn254.G2.Point

interface Pair {
  readonly g1: InstanceType<typeof G1>
  readonly g2: InstanceType<typeof G2>
}

/** Precompile 6 (EIP-196): 128 bytes of two points to the 64 bytes of their sum. Short input is zero-padded. */
export function bn254Add(input: Uint8Array, gas: number): PrecompileResult {
  if (gas < ADD_GAS) return OUT_OF_GAS
  const a = readPoint(padded(input, 0, POINT_BYTES))
  if ('fault' in a) return failed(a.fault)
  const b = readPoint(padded(input, POINT_BYTES, POINT_BYTES))
  if ('fault' in b) return failed(b.fault)
  return done(pointBytes(addPoints(a.point, b.point)), gas - ADD_GAS)
}

/** Precompile 7 (EIP-196): a point of 64 bytes and a scalar of 32 to a point. Short input is zero-padded. */
export function bn254Multiply(input: Uint8Array, gas: number): PrecompileResult {
  if (gas < MULTIPLY_GAS) return OUT_OF_GAS
  const read = readPoint(padded(input, 0, POINT_BYTES))
  if ('fault' in read) return failed(read.fault)
  const scalar = integerOf(padded(input, POINT_BYTES, 32))
  return done(pointBytes(multiplyPoint(read.point, scalar)), gas - MULTIPLY_GAS)
}

/** @param isOver polled after every pair read and every eighth multiplied */
export function bn254Pairing(input: Uint8Array, gas: number, isOver: () => boolean): PrecompileResult {
  const count = Math.floor(input.length / PAIR_BYTES)
  const price = PAIRING_GAS + PAIR_GAS * count
  if (gas < price) return OUT_OF_GAS
  if (input.length % PAIR_BYTES !== 0) return failed('bad elliptic curve pairing size')
  let product = Fp12.ONE
  let waiting: Pair[] = []
  const multiply = (): void => {
    if (waiting.length > 0) product = Fp12.mul(product, bn254.pairingBatch(waiting, false))
    waiting = []
  }
  for (let index = 0; index < count; index++) {
    if (isOver()) return failed(ABORTED)
    const pair = readPair(input.subarray(PAIR_BYTES * index, PAIR_BYTES * (index + 1)))
    if (typeof pair === 'string') return failed(pair)
    if (pair !== null) waiting.push(pair)
    if (waiting.length === PAIRS_PER_PRODUCT) multiply()
  }
  multiply()
  const output = new Uint8Array(32)
  if (Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE)) output[31] = 1
  return done(output, gas - price)
}

/** Null when either is infinity, which leaves the product unchanged; a text when the pair is invalid. */
function readPair(bytes: Uint8Array): Pair | string | null {
  const first = readPoint(bytes.subarray(0, POINT_BYTES))
  if ('fault' in first) return first.fault
  const second = readTwistPoint(bytes.subarray(POINT_BYTES))
  if (typeof second === 'string') return second
  return first.point === null || second === null ? null : { g1: G1.fromAffine(first.point), g2: second }
}

/** Four coordinates: of x, then of y, the imaginary part first. */
function readTwistPoint(bytes: Uint8Array): InstanceType<typeof G2> | string | null {
  const [xi = 0n, xr = 0n, yi = 0n, yr = 0n] = [0, 32, 64, 96].map((at) => integerOf(bytes.subarray(at, at + 32)))
  const all = [xi, xr, yi, yr]
  if (all.some((part) => part >= FIELD)) return 'bn256: coordinate exceeds modulus'
  if (all.every((part) => part === 0n)) return null
  try {
    const point = G2.fromAffine({ x: Fp2.fromBigTuple([xr, xi]), y: Fp2.fromBigTuple([yr, yi]) })
    point.assertValidity() // on the curve and in the subgroup
    return point
  } catch {
    return 'bn256: malformed point' // the library throws when it isn't, even before for a y of 0
  }
}
