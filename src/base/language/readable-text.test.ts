import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../hex'
import { readableText, textOrHex } from './readable-text'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('bytes as a text', () => {
  it.each(['', 'Zahlung an Müller\r\n\t5 LAX', '付款 5 LAX', 'emoji 😀', '\ufeffwith a mark', 'turned \u202egnp'])(
    'are %j',
    (text) => {
      expect(readableText(utf8(text))).toBe(text)
      expect(textOrHex(utf8(text))).toBe(text)
    },
  )

  it.each([
    ['32 bytes of a hash', `0x${'9f3b'.repeat(16)}`],
    ['a text with one broken byte', '0x68656c6cff6f'],
    ['half a character', '0xe282'],
    ['half of a pair of surrogates', '0xeda080'],
    ['a longer form than needed', '0xc0af'],
    ['zeros', '0x0000'],
    ['an escape sequence', '0x1b5b326a'],
    ['a second control block', '0xc29b'],
    ['a private character', '0xee8080'],
    ['a number without a character', '0xefbfbf'],
  ])('are none: %s', (_what, hex) => {
    expect(readableText(bytesOfHex(hex))).toBeNull()
    expect(textOrHex(bytesOfHex(hex))).toBe(`${hex} (not text)`)
  })
})
