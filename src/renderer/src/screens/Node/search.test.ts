// What is typed into the chain's search field, and logs in words.
import { describe, expect, it } from 'vitest'
import { readTransfer } from './log-words'
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

describe('a log', () => {
  const kind = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const topicOf = (digit: string): string => `0x${'0'.repeat(24)}${digit.repeat(40)}`
  const data = `0x${'0'.repeat(62)}2a`

  it('of a token transfer is put in words', () => {
    const found = readTransfer({ topics: [kind, topicOf('1'), topicOf('2')], data })

    expect(found).toEqual({ from: '0x111111…1111', to: '0x222222…2222', amount: '42' })
  })

  it.each([
    ['another event', [HASH, topicOf('1'), topicOf('2')], data],
    ['one with a third indexed value', [kind, topicOf('1'), topicOf('2'), topicOf('3')], data],
    ['one without addresses', [kind], data],
    ['one with more than an address in a topic', [kind, HASH, topicOf('2')], data],
    ['one with short data', [kind, topicOf('1'), topicOf('2')], '0x2a'],
  ])('of %s is not', (_what, topics, bytes) => {
    expect(readTransfer({ topics, data: bytes })).toBeNull()
  })
})
