// Points of the curve y^2 = x^3 + 3 over the prime field of bn254: addition and multiplication for precompiles 6 and 7.
// The coordinates are public, so nothing here needs constant time.
// Source: EIP-196; formulas: hyperelliptic.org EFD, short Weierstrass curves with a = 0, Jacobian coordinates
// (dbl-2009-l, add-2007-bl)
import { integerBytes, integerOf } from './precompile'

export const FIELD = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const ORDER = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n
/** Digits of the scalar are odd and below 2^(WINDOW - 1). */
const WINDOW = 5

/** Null = the point at infinity. */
type Point = { readonly x: bigint; readonly y: bigint } | null

/** Infinity where z = 0; x / z^2, y / z^3 otherwise. */
interface Jacobian {
  readonly x: bigint
  readonly y: bigint
  readonly z: bigint
}

const INFINITY: Jacobian = { x: 1n, y: 1n, z: 0n }

/**
 * The point encoded in 64 bytes; 64 zeros are infinity.
 * @returns prlx's error text when it isn't one
 */
export function readPoint(bytes: Uint8Array): { readonly point: Point } | { readonly fault: string } {
  const x = integerOf(bytes.subarray(0, 32))
  const y = integerOf(bytes.subarray(32, 64))
  if (x >= FIELD || y >= FIELD) return { fault: 'bn256: coordinate exceeds modulus' }
  if (x === 0n && y === 0n) return { point: null }
  return (y * y - x * x * x - 3n) % FIELD === 0n ? { point: { x, y } } : { fault: 'bn256: malformed point' }
}

/** 64 bytes. */
export function pointBytes(point: Point): Uint8Array {
  const out = new Uint8Array(64)
  if (point === null) return out
  out.set(integerBytes(point.x, 32))
  out.set(integerBytes(point.y, 32), 32)
  return out
}

/** Null is the point at infinity. Both points must lie on the curve. */
export function addPoints(a: Point, b: Point): Point {
  if (a === null) return b
  if (b === null) return a
  if (a.x === b.x && a.y !== b.y) return null
  const [rise, run] = a.x === b.x ? [3n * a.x * a.x, 2n * a.y] : [b.y - a.y, b.x - a.x]
  const slope = reduced(rise * inverse(reduced(run)))
  const x = reduced(slope * slope - a.x - b.x)
  return { x, y: reduced(slope * (a.x - x) - a.y) }
}

/** @param scalar any size */
export function multiplyPoint(point: Point, scalar: bigint): Point {
  if (point === null) return null
  const digits = signedDigits(scalar % ORDER)
  const odd = oddMultiples({ ...point, z: 1n })
  let sum = INFINITY
  for (let at = digits.length - 1; at >= 0; at--) {
    sum = double(sum)
    const digit = digits[at] ?? 0
    const multiple = odd[Math.abs(digit) >> 1]
    if (digit === 0 || multiple === undefined) continue
    sum = add(sum, digit > 0 ? multiple : { ...multiple, y: FIELD - multiple.y })
  }
  return affine(sum)
}

/** Lowest first; at most one of WINDOW consecutive digits is nonzero. */
function signedDigits(scalar: bigint): readonly number[] {
  const digits: number[] = []
  let rest = scalar
  while (rest > 0n) {
    const low = Number(rest & BigInt(2 ** WINDOW - 1))
    const digit = (low & 1) === 0 ? 0 : low >= 2 ** (WINDOW - 1) ? low - 2 ** WINDOW : low
    digits.push(digit)
    rest = (rest - BigInt(digit)) >> 1n
  }
  return digits
}

/** 1, 3, 5 ... times the point. */
function oddMultiples(point: Jacobian): readonly Jacobian[] {
  const twice = double(point)
  const odd = [point]
  for (let last = point; odd.length < 2 ** (WINDOW - 2); odd.push(last)) last = add(last, twice)
  return odd
}

function double({ x, y, z }: Jacobian): Jacobian {
  if (z === 0n) return INFINITY
  const a = (x * x) % FIELD
  const b = (y * y) % FIELD
  const c = (b * b) % FIELD
  const d = 2n * (((x + b) * (x + b) - a - c) % FIELD)
  const e = 3n * a
  const x3 = reduced(e * e - 2n * d)
  return { x: x3, y: reduced(e * (d - x3) - 8n * c), z: (2n * y * z) % FIELD }
}

function add(p: Jacobian, q: Jacobian): Jacobian {
  if (p.z === 0n) return q
  if (q.z === 0n) return p
  const pp = (p.z * p.z) % FIELD
  const qq = (q.z * q.z) % FIELD
  const u = (p.x * qq) % FIELD
  const s = (((p.y * q.z) % FIELD) * qq) % FIELD
  const h = reduced(q.x * pp - u)
  const r = reduced(((q.y * p.z) % FIELD) * pp - s)
  if (h === 0n) return r === 0n ? double(p) : INFINITY
  const hh = (h * h) % FIELD
  const hhh = (h * hh) % FIELD
  const v = (u * hh) % FIELD
  const x = reduced(r * r - hhh - 2n * v)
  return { x, y: reduced(r * (v - x) - s * hhh), z: (((p.z * q.z) % FIELD) * h) % FIELD }
}

function affine({ x, y, z }: Jacobian): Point {
  if (z === 0n) return null
  const inverted = inverse(z)
  const square = (inverted * inverted) % FIELD
  return { x: (x * square) % FIELD, y: (((y * square) % FIELD) * inverted) % FIELD }
}

/** @param value 1 to FIELD - 1 */
function inverse(value: bigint): bigint {
  let [a, b] = [value, FIELD]
  let [x, y] = [1n, 0n]
  while (a > 1n) {
    const quotient = b / a
    ;[a, b] = [b - quotient * a, a]
    ;[x, y] = [y - quotient * x, x]
  }
  return reduced(x)
}

function reduced(value: bigint): bigint {
  const rest = value % FIELD
  return rest < 0n ? rest + FIELD : rest
}
