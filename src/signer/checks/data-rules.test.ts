// What is said of a text's own characters.
import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { signableData } from '../data/sign-data'
import { parseDocument, signableDocument } from '../typed-data/document'
import { checkData } from './data-rules'

const options = { chainId: 2110n, strict: false, origin: '', address: `0x${'1'.repeat(40)}`, now: 0 }
const TURNS = 'Contains characters that reverse the reading direction: what you see may not be what is signed'

const saidOf = (text: string, strict = false) =>
  checkData(signableData('text/plain', toHex(new TextEncoder().encode(text))), null, { ...options, strict }).findings

describe('a text', () => {
  it('with characters that turn its direction has a warning', () => {
    expect(saidOf('pay \u202e001 LAX')).toEqual([{ severity: 'WARNING', message: TURNS }])
    expect(saidOf('pay 100 LAX to שלום 😀')).toEqual([])
    expect(saidOf('pay \u202e001 LAX', true)).toEqual([])
  })

  it('of a document counts too, however deep', () => {
    const given = parseDocument({
      types: {
        EIP712Domain: [{ name: 'name', type: 'string' }],
        Note: [{ name: 'lines', type: 'string[]' }],
      },
      primaryType: 'Note',
      domain: { name: 'x' },
      message: { lines: ['plain', 'turned \u2067 here'] },
    })

    const { findings } = checkData(signableDocument(given), given, options)

    expect(findings.map(({ message }) => message)).toContain(TURNS)
  })

  it('of 32 bytes that can be read is no hash', () => {
    expect(saidOf('x'.repeat(32))).toEqual([])
    expect(saidOf('付款付款付款付款付款ab')).toEqual([])
  })
})
