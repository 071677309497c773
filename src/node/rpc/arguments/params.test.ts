import { describe, expect, it } from 'vitest'
import { addressParam, blockNumberParam, blockParam, dataParam, quantity64, quantity256 } from './params'
import { numberParam } from './plain-params'

describe('arguments that are nearly empty', () => {
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
  ])('are no %s (%#)', (_what, param, value) => {
    expect(param.read(value).ok).toBe(false)
  })
})
