// Logs of known events, and lookalikes.
import { describe, expect, it } from 'vitest'
import { readLog } from './Transaction'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const APPROVAL_FOR_ALL = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
const OTHER = `0x${'ab'.repeat(32)}`
const topicOf = (digit: string): string => `0x${'0'.repeat(24)}${digit.repeat(40)}`
const ONE = `0x${'1'.repeat(40)}`
const TWO = `0x${'2'.repeat(40)}`
const word = `${'0'.repeat(62)}2a`

describe('a log', () => {
  it('of a token transfer is shown with names', () => {
    expect(readLog({ topics: [TRANSFER, topicOf('1'), topicOf('2')], data: `0x${word}` })).toEqual({
      signature: 'Transfer(address,address,uint256)',
      values: [
        { name: 'from', type: 'address', value: ONE },
        { name: 'to', type: 'address', value: TWO },
        { name: 'amount', type: 'uint256', value: '42' },
      ],
    })
  })

  it("of a single token's transfer has its id in a topic", () => {
    const found = readLog({ topics: [TRANSFER, topicOf('1'), topicOf('2'), `0x${word}`], data: '0x' })

    expect(found?.values.at(-1)).toEqual({ name: 'tokenId', type: 'uint256', value: '42' })
  })

  it.each([
    [`${'0'.repeat(63)}1`, 'true'],
    ['0'.repeat(64), 'false'],
    [word, undefined],
  ])('reads the boolean %s as %s', (bytes, value) => {
    const found = readLog({ topics: [APPROVAL_FOR_ALL, topicOf('1'), topicOf('2')], data: `0x${bytes}` })

    expect(found?.values[2]?.value).toBe(value)
  })

  it.each([
    ['another event', [OTHER, topicOf('1'), topicOf('2')], `0x${word}`],
    ['one with all values twice', [TRANSFER, topicOf('1'), topicOf('2'), topicOf('3')], `0x${word}`],
    ['one without addresses', [TRANSFER], `0x${word}`],
    ['one with more than an address in a topic', [TRANSFER, OTHER, topicOf('2')], `0x${word}`],
    ['one with short data', [TRANSFER, topicOf('1'), topicOf('2')], '0x2a'],
    ['none at all', [], '0x'],
  ])("of %s isn't decoded", (_what, topics, data) => {
    expect(readLog({ topics, data })).toBeNull()
  })
})
