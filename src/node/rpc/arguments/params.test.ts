import { describe, expect, it } from 'vitest'
import { addressParam, blockNumberParam, blockParam, dataParam, quantity64, quantity256 } from './params'
import { numberParam } from './plain-params'

describe('nearly empty arguments', () => {
  it('are 0, or no bytes, as in the reference', () => {
    expect(quantity64.read('')).toEqual({ ok: true, value: 0n })
    expect(quantity256.read('')).toEqual({ ok: true, value: 0n })
    expect(dataParam.read('')).toEqual({ ok: true, value: new Uint8Array(0) })
    expect(numberParam.read(null)).toEqual({ ok: true, value: 0 })
  })

  it.each([
    ['an address', addressParam, ''],
    ['a number of a block', blockNumberParam, ''],
    ['a block', blockParam, ''],
    ['a block', blockParam, []],
    ['a block', blockParam, { blockHash: `0x${'11'.repeat(32)}`, requireCanonical: 'yes' }],
    ['a quantity', quantity64, ' '],
    ['bytes', dataParam, 'x'],
    ['a number', numberParam, ''],
  ])('reject %s (%#)', (_what, param, value) => {
    expect(param.read(value).ok).toBe(false)
  })
})

describe('bytes of a long text', () => {
  const digits = '0aF9'.repeat(1_000)

  it('are those of its digits', () => {
    const read = dataParam.read(`0x${digits}`)

    expect(read.ok && Buffer.from(read.value).toString('hex')).toBe(digits.toLowerCase())
  })

  it.each([
    ['an odd number of digits', `0x${digits}a`],
    ['a letter that is no digit', `0x${digits}0g`],
    ['a digit of another script', `0x${digits}0\u0660`],
    ['a character whose low byte is a digit', `0x${digits}0\u0130`],
    ['another prefix', `0y${digits}`],
    ['a space at its end', `0x${digits} `],
  ])('are rejected for %s', (_what, text) => {
    expect(dataParam.read(text).ok).toBe(false)
  })
})
