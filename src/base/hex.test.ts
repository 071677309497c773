import { expect, it } from 'vitest'
import { bytesOfHex, toHex } from './hex'

it('writes short and long bytes the same way, and reads them back', () => {
  for (const length of [0, 1, 1_024, 1_025, 70_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) & 255)
    const text = toHex(bytes)

    expect(text).toBe(`0x${Buffer.from(bytes).toString('hex')}`)
    expect(bytesOfHex(text)).toEqual(bytes)
  }
})
