import { expect, it } from 'vitest'
import { logQueryParam } from './log-query'

const hash = `0x${'AB'.repeat(32)}`
const lower = hash.toLowerCase()
const address = `0x${'Cd'.repeat(20)}`
const read = (value: unknown) => logQueryParam.read(value)

it('reads addresses and topics in all their forms', () => {
  expect(read({ address, topics: [hash, null, [hash, lower], [null, hash], []] })).toMatchObject({
    value: { filter: { addresses: [address.toLowerCase()], topics: [[lower], [], [lower], [], []] } },
  })
  expect(read({ address: [address, address], foo: null })).toMatchObject({
    value: { filter: { addresses: [address.toLowerCase()], topics: [] } },
  })
})

it('treats null as an empty object, and a missing range as the head', () => {
  const latest = { kind: 'tag', tag: 'latest' }
  expect(read(null)).toMatchObject({ value: { blockHash: null, from: latest, to: latest } })
  expect(read({ fromBlock: null })).toEqual(read({}))
})

it('accepts the block hash in both spellings, without a range', () => {
  for (const name of ['blockHash', 'blockhash'])
    expect(read({ [name]: hash })).toMatchObject({ value: { blockHash: new Uint8Array(32).fill(0xab) } })
  expect(read({ blockHash: hash, toBlock: 'latest' })).toMatchObject({ ok: false })
})

it.each([
  'x',
  [[]],
  { address: 5 },
  { address: ['0x12'] },
  { topics: '0x12' },
  { topics: ['0x12'] },
  { topics: [[5]] },
  { topics: [{}] },
  { fromBlock: 1 },
  { toBlock: '0x01' },
  { blockHash: '0x12' },
  { blockHash: hash, blockhash: `0x${'00'.repeat(32)}` },
  { address: Array.from({ length: 10_001 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`) },
])('rejects %j', (value) => {
  expect(read(value)).toMatchObject({ ok: false })
})
