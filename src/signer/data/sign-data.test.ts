// Data to sign is shown as a text only where it is one.
import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { referenceMessages, signableData } from './sign-data'

const HASH = `0x${'9f3b'.repeat(16)}`
const hexOf = (text: string): string => toHex(new TextEncoder().encode(text))

describe('data of a text type', () => {
  it('is shown as the text that it is', () => {
    const { readable, messages } = signableData('text/plain', hexOf('pay 5 LAX'))

    expect(readable).toBe('pay 5 LAX')
    expect(messages).toEqual([
      { name: 'message', value: '\u0019Ethereum Signed Message:\n9pay 5 LAX', type: 'text/plain' },
    ])
  })

  it.each([
    ['the hash of something', HASH],
    ['a broken text', '0x68656c6cff6f'],
    ['zeros', '0x0000'],
  ])('is shown as hex when it is none: %s', (_what, hex) => {
    const data = signableData('text/plain', hex)

    expect(data.readable).toBeNull()
    expect(data.messages).toEqual([{ name: 'message', value: hex, type: 'hexdata' }])
    expect(JSON.stringify(data.messages)).not.toContain('\ufffd')
  })

  it('keeps the form of clef for its own programs', () => {
    const [message] = referenceMessages(signableData('text/plain', '0xff'))

    expect(message).toEqual({ name: 'message', value: '\u0019Ethereum Signed Message:\n1\ufffd', type: 'text/plain' })
  })
})
