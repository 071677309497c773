import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { bloomOf } from './bloom'
import { encodeReceipt, encodeStoredReceipts, type Receipt } from './receipt'
import { type LogPlace, StoredReceipts } from './stored-receipts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const log = fc.record({
  address: bytes(20),
  topics: fc.array(bytes(32), { maxLength: 4 }),
  // Around the lengths where an encoding gets another prefix.
  data: fc.oneof(fc.uint8Array({ maxLength: 2 }), fc.uint8Array({ minLength: 54, maxLength: 58 }), bytes(300)),
})
const receipt: fc.Arbitrary<Receipt> = fc.record({
  type: fc.constantFrom(0 as const, 1 as const),
  succeeded: fc.boolean(),
  cumulativeGasUsed: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  gasUsed: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  logs: fc.array(log, { maxLength: 8 }),
  contractAddress: fc.option(bytes(20)),
})

const NONE = new Uint8Array()

describe('receipts read in place', () => {
  it('have the same outcomes, logs, blooms and encodings as decoded ones', () => {
    fc.assert(
      fc.property(fc.array(receipt, { maxLength: 5 }), (receipts) => {
        const stored = new StoredReceipts(encodeStoredReceipts(receipts))

        expect(stored.outcomes).toMatchObject(receipts.map(({ logs: _logs, ...rest }) => rest))
        let before = 0
        for (const [index, one] of receipts.entries()) {
          expect(stored.logsBefore(index)).toBe(before)
          const logs = [...stored.logs({ transaction: index, log: before, at: 0 })].length
          expect(logs).toBe(one.logs.length)
          let at = 0
          for (const found of stored.logs({ transaction: index, log: before, at: 0 })) {
            const wanted = one.logs[at]
            const { address, topics, data } = found.copy()
            const parts = [wanted?.address, ...(wanted?.topics ?? []), wanted?.data].map((part) => toHex(part ?? NONE))
            expect([address, ...topics, data].map(toHex)).toEqual(parts)
            expect(found.index).toBe(before + at)
            const said = JSON.parse(`{${found.members()}}`)
            expect([said.address, ...said.topics, said.data]).toEqual(parts)
            at++
          }
          before += one.logs.length
          expect(toHex(stored.bloom(index))).toBe(toHex(bloomOf(one.logs)))
          expect(toHex(Uint8Array.from(stored.encoded(index)))).toBe(toHex(encodeReceipt(one)))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('continue from any place', () => {
    const logs = Array.from({ length: 9 }, (_, i) => ({
      address: new Uint8Array(20).fill(i),
      topics: [],
      data: new Uint8Array(i * 20),
    }))
    const one = { type: 0, succeeded: true, cumulativeGasUsed: 1n, gasUsed: 1n, contractAddress: null } as const
    const stored = new StoredReceipts(encodeStoredReceipts([{ ...one, logs }]))
    for (let first = 0; first < 9; first++) {
      let place: LogPlace = { transaction: 0, log: 0, at: 0 }
      for (const log of stored.logs(place)) {
        if (log.index === first) break
        place = { transaction: 0, log: log.index + 1, at: log.end }
      }
      const rest = []
      for (const log of stored.logs(place)) rest.push([log.index, log.copy().address[0]])
      expect(rest).toEqual(Array.from({ length: 9 - first }, (_, i) => [first + i, first + i]))
    }
  })

  it('that are cut off are reported as damaged', () => {
    const whole = encodeStoredReceipts([
      { type: 0, succeeded: true, cumulativeGasUsed: 1n, gasUsed: 1n, contractAddress: null, logs: [] },
    ])
    expect(() => new StoredReceipts(whole.subarray(0, -1))).toThrow('stored receipts are damaged')
  })
})
