import { expect, it } from 'vitest'
import { bigintFromBytes } from '../../../base/bytes'
import { parseTarget, startTarget, targetOfDifficultyText } from './share-target'

const MAX = 2n ** 256n - 1n

function target(text: string, unit: 'hashes' | 'classic' | null = null): bigint | null {
  const read = targetOfDifficultyText(text, unit)
  return read === null ? null : bigintFromBytes(read.target)
}

it("reads hashes as the node's rule does", () => {
  expect(target('60', 'hashes')).toBe(MAX / 60n)
  expect(target('20000', 'hashes')).toBe(MAX / 20000n)
})

it('reads difficulty 1 of the classic convention as 2^32 hashes', () => {
  expect(target('1', 'classic')).toBe(0xffffn << 208n)
  expect(target('1', 'classic')).toBe(bigintFromBytes(startTarget()))
})

it('keeps every digit of a fraction', () => {
  expect(target('0.015', 'classic')).toBe(((0xffffn << 208n) * 1000n) / 15n)
  expect(target('1.5e3', 'hashes')).toBe(MAX / 1500n)
  expect(target('2e-1', 'hashes')).toBe(MAX)
})

it('takes small numbers as classic and large ones as hashes by default', () => {
  expect(targetOfDifficultyText('65535.9', null)?.unit).toBe('classic')
  expect(targetOfDifficultyText('65536', null)?.unit).toBe('hashes')
})

it('clamps absurd values', () => {
  expect(target('1e30', 'hashes')).toBe(MAX / 2n ** 64n)
  expect(target('0.00000001', 'classic')).toBe((0xffffn << 208n) * 100_000_000n)
  expect(target('1e-40', 'classic')).toBe(2n ** 256n - 1n)
})

it.each(['0', '-1', '', 'NaN', '1e', 'Infinity', '0x10', '1e999'])('takes %j for no difficulty', (text) => {
  expect(target(text)).toBeNull()
})

it('pads short targets on the left and rejects zero', () => {
  expect(parseTarget('0x1234')).toEqual(Uint8Array.from({ length: 32 }, (_, i) => [0x12, 0x34][i - 30] ?? 0))
  expect(parseTarget('f')?.at(-1)).toBe(15)
  expect(parseTarget('0x0')).toBeNull()
  expect(parseTarget(`0x1${'0'.repeat(64)}`)).toBeNull()
  expect(parseTarget(7)).toBeNull()
})
