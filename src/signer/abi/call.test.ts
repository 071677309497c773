// A string in call data is text only where its bytes are.
import { AbiCoder, id } from 'ethers'
import { expect, it } from 'vitest'
import { bytesOfHex } from '../../base/hex'
import { callText, matchCall } from './call'

/** A call of `f` with strings given as bytes: both types are encoded alike. */
function callOf(type: string, value: unknown) {
  const signature = `f(${type})`
  const encoded = AbiCoder.defaultAbiCoder().encode([type.replaceAll('string', 'bytes')], [value])
  const match = matchCall(signature, bytesOfHex(`${id(signature).slice(0, 10)}${encoded.slice(2)}`))
  if (match.kind !== 'match') throw new Error(match.reason)
  return match.call
}

it.each([
  ['broken UTF-8', 'string', '0x68ff', '0x68ff'],
  ['control characters', 'string', '0x1b5b326a', '0x1b5b326a'],
  ['one of a list', 'string[]', ['0x6869', '0xff'], '[hi 0xff]'],
])('%s is hex that says so', (_what, type, value, shown) => {
  const call = callOf(type, value)

  expect(call.arguments).toEqual([{ type, value: shown, isNotText: true }])
  expect(callText(call)).toBe(`f(${type}: ${shown} (not text))`)
})

it('a text is a text', () => {
  const call = callOf('string', '0x6869')

  expect(call.arguments).toEqual([{ type: 'string', value: 'hi' }])
  expect(callText(call)).toBe('f(string: hi)')
})
