// What callers are told about documents that can't be signed: where, what, and what would be correct. In strict mode
// the wording is clef's own answer to these documents.
import { expect, it } from 'vitest'
import { messageOf } from '../../base/errors'
import { inStrictWords } from '../errors'
import { parseDocument, signableDocument } from './document'

const types = {
  EIP712Domain: [{ name: 'name', type: 'string' }],
  Box: [{ name: 'v', type: 'string' }],
  Amount: [{ name: 'v', type: 'uint8' }],
  List: [{ name: 'list', type: 'Amount[]' }],
  Deep: [{ name: 'lists', type: 'List[2]' }],
}
const document = (primaryType: unknown, message: unknown, rest: object = {}) => ({
  types,
  primaryType,
  domain: { name: 'x' },
  message,
  ...rest,
})

function faultOf(given: unknown, strict = true): unknown {
  try {
    signableDocument(parseDocument(given), strict)
  } catch (error) {
    return error
  }
  throw new Error('it can be signed')
}

it.each<[string, unknown, string, string]>([
  [
    'a value of another kind',
    document('Box', { v: { b: 1, a: ['x', null] } }),
    'message.v: want a string, got {"b":1,"a":["x",null]}',
    "provided data 'map[a:[x <nil>] b:1]' doesn't match type 'string'",
  ],
  [
    'a missing value',
    document('Box', {}),
    'message.v: missing, want a string',
    "provided data '<nil>' doesn't match type 'string'",
  ],
  [
    'an object for a number',
    document('Amount', { v: {} }),
    'message.v: want an integer (uint8): a decimal or 0x string, or a JSON number up to 2^53, got {}',
    'invalid integer value map[]/map[string]interface {} for type uint8',
  ],
  [
    'a fraction',
    document('Amount', { v: 1e-7 }),
    'message.v: want an integer (uint8): a decimal or 0x string, or a JSON number up to 2^53, got 1e-7',
    'invalid float value 1e-07 for type uint8',
  ],
  [
    'a number for a text',
    document('Box', { v: 123456789 }),
    'message.v: want a string, got 123456789',
    "provided data '1.23456789e+08' doesn't match type 'string'",
  ],
  [
    'a number that is too large, within lists',
    document('Deep', { lists: [{ list: [] }, { list: [{ v: 1 }, { v: 300 }] }] }),
    'message.lists[1].list[1].v: 300 does not fit uint8, want 0 to 2^8-1',
    "integer larger than 'uint8'",
  ],
  [
    'a member that its type does not have',
    document('List', { list: [{ v: 1, w: 2 }] }),
    'message.list[0]: unknown member "w", Amount has v',
    'there is extra data provided in the message (1 < 2)',
  ],
  [
    'a primary type that there is not',
    document('Bax', { v: 'a' }),
    'primaryType: no type "Bax", there are EIP712Domain, Box, Amount, List, Deep',
    'there is extra data provided in the message (0 < 1)',
  ],
  [
    'no type of the domain',
    document('Box', { v: 'a' }, { types: { Box: types.Box } }),
    'types: no type "EIP712Domain", there are Box',
    'there is extra data provided in the message (0 < 1)',
  ],
  [
    'a type with the name of a built-in one',
    document('Box', { v: 'a' }, { types: { ...types, bytes32: [] } }),
    'type "bytes32" has the name of a built-in type',
    'type "bytes32" has the name of a built-in type',
  ],
  [
    'half of a character',
    document('Box', { v: 'a\ud800' }),
    'message.v: half of a character, which programs sign in different ways',
    'half of a character, which programs sign in different ways',
  ],
  [
    'an empty domain',
    document('Box', { v: 'a' }, { domain: {} }),
    'domain is empty, want at least one of chainId, name, version, verifyingContract, salt',
    'domain is undefined',
  ],
])('%s is reported with its place, and in strict mode as clef does', (_what, given, own, reference) => {
  const fault = faultOf(given)

  expect([messageOf(fault), messageOf(inStrictWords(fault))]).toEqual([own, reference])
})

it('truncates what a caller could make long', () => {
  const name = 'n'.repeat(10_000)
  const long = { ...types, Box: [{ name, type: 'Box[]' }] }
  let message: unknown = { [name]: 'x'.repeat(1_000_000) }
  for (let depth = 0; depth < 20; depth++) message = { [name]: [message] }

  const fault = faultOf(document('Box', message, { types: long }))

  expect(messageOf(fault).length).toBeLessThan(500)
  expect(messageOf(inStrictWords(fault)).length).toBeLessThan(500)
})
