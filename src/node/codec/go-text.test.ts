import { expect, it } from 'vitest'
import { goText } from '../query/run-call'

it.each([
  ['414243', 'ABC'],
  ['ff', '\ufffd'],
  ['41ff42', 'A\ufffdB'],
  ['e282', '\ufffd\ufffd'],
  ['e28241fffe', '\ufffd\ufffdA\ufffd\ufffd'],
  ['f09f98', '\ufffd\ufffd\ufffd'],
  ['f09f98804a', '\u{1f600}J'],
  ['c0af41', '\ufffd\ufffdA'],
  ['eda080', '\ufffd\ufffd\ufffd'],
  ['f4908080', '\ufffd\ufffd\ufffd\ufffd'],
  ['efbbbf41', '\ufeffA'],
  ['00', '\0'],
  ['', ''],
])('reads %s as prlx prints it in a revert reason', (hex, text) => {
  expect(goText(Buffer.from(hex, 'hex'))).toBe(text)
})

it('has no U+FFFD exactly where the bytes are valid, for each first and second byte', () => {
  const isValid = (bytes: Uint8Array): boolean => Buffer.from(Buffer.from(bytes).toString('utf8'), 'utf8').equals(bytes)
  const rests = [[], [0x80], [0x80, 0xbf], [0xbf, 0x41]]
  for (let first = 0x80; first < 0x100; first++)
    for (const second of [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff])
      for (const rest of rests) {
        const bytes = Uint8Array.of(first, second, ...rest)
        expect([...bytes, !goText(bytes).includes('\ufffd')]).toEqual([...bytes, isValid(bytes)])
      }
})
