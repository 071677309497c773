// What is typed into the chain's search field.
import { describe, expect, it } from 'vitest'
import { readSearch } from './search'

const HASH = `0x${'ab'.repeat(32)}`
const ADDRESS = `0x${'cd'.repeat(20)}`

describe('the search field', () => {
  it.each([
    ['42', { kind: 'page', path: '/node/block/42' }],
    [' 61 204 ', { kind: 'page', path: '/node/block/61204' }],
    ['61,204', { kind: 'page', path: '/node/block/61204' }],
    ['007', { kind: 'page', path: '/node/block/7' }],
    [HASH.toUpperCase().replace('0X', '0x'), { kind: 'hash', hash: HASH }],
    [HASH.slice(2), { kind: 'hash', hash: HASH }],
    [ADDRESS, { kind: 'page', path: `/node/address/${ADDRESS}` }],
    [ADDRESS.slice(2).toUpperCase(), { kind: 'page', path: `/node/address/${ADDRESS}` }],
    ['', null],
    ['latest', null],
    ['0x12', null],
    ['-1', null],
    [`${HASH}0`, null],
    ['9'.repeat(16), null],
  ])('reads %j', (text, expected) => {
    expect(readSearch(text)).toEqual(expected)
  })
})
