// 256-bit words: conversion between the stack's bigints and bytes, fast for the small numbers that are most common.
import { MAX_UINT256 } from '../../../../src/base/units'

const U64_MASK = (1n << 64n) - 1n
const U64 = 1n << 64n
/** Truncates a word to its lowest 160 bits, which hold an address. */
export const ADDRESS_MASK = (1n << 160n) - 1n

/** Modulo 2^256. */
export function wrap(value: bigint): bigint {
  return value & MAX_UINT256
}

/** The 32 bytes at `at`, big-endian. */
export function readWord(view: DataView, at: number): bigint {
  const a = view.getBigUint64(at)
  const b = view.getBigUint64(at + 8)
  const c = view.getBigUint64(at + 16)
  const d = view.getBigUint64(at + 24)
  if (a === 0n && b === 0n) return c === 0n ? d : (c << 64n) | d
  return (((a << 64n) | b) << 128n) | (c << 64n) | d
}

/** Writes 32 bytes at `at`, big-endian. */
export function writeWord(view: DataView, at: number, value: bigint): void {
  if (value < U64) {
    view.setBigUint64(at, 0n)
    view.setBigUint64(at + 8, 0n)
    view.setBigUint64(at + 16, 0n)
    view.setBigUint64(at + 24, value)
    return
  }
  view.setBigUint64(at, value >> 192n)
  view.setBigUint64(at + 8, (value >> 128n) & U64_MASK)
  view.setBigUint64(at + 16, (value >> 64n) & U64_MASK)
  view.setBigUint64(at + 24, value & U64_MASK)
}

/** Unsigned big-endian; empty = 0. */
export function wordOfBytes(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`)
}

/** `length` bytes, big-endian; higher bits are dropped. */
export function bytesOfWord(value: bigint, length = 32): Uint8Array {
  const digits = value.toString(16)
  const wanted = 2 * length
  const text = digits.length > wanted ? digits.slice(-wanted) : digits.padStart(wanted, '0')
  const buffer = Buffer.from(text, 'hex')
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}

/** 20 bytes of the lower 160 bits. */
export function addressBytes(address: bigint): Uint8Array {
  return bytesOfWord(address, 20)
}

/** Number of bytes without leading zeros. */
export function byteLength(value: bigint): number {
  return value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
}
