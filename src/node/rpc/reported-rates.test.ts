import { expect, it } from 'vitest'
import { bytesFromBigint } from '../../base/bytes'
import { FakeClock } from '../../base/testing/fake-clock'
import { ReportedRates } from './reported-rates'

const id = (number: number): Uint8Array => bytesFromBigint(BigInt(number), 32)

it('adds up what was reported in the last ten seconds, including our own miner', () => {
  const clock = new FakeClock()
  const rates = new ReportedRates(clock, () => 5)
  rates.report(id(1), 10n)
  rates.report(id(1), 20n)
  rates.report(id(2), 1n)

  expect(rates.total()).toBe(26n)
  clock.advance(10_001)
  expect(rates.total()).toBe(5n)
})

it("counts a limited number of reporters per caller, and still counts others'", () => {
  const rates = new ReportedRates(new FakeClock(), () => 0)
  for (let number = 0; number < 1_500; number++) rates.report(id(number), 1n, 'greedy')

  rates.report(id(5_000), 7n, 'modest')
  rates.report(id(0), 2n, 'greedy') // one that is known may change its rate

  expect(rates.total()).toBe(1_000n + 7n + 1n)
})

it('makes room for a caller when others have used all places', () => {
  const rates = new ReportedRates(new FakeClock(), () => 0)
  for (let number = 0; number < 12_000; number++) rates.report(id(number), 1n, `greedy ${Math.floor(number / 1_000)}`)
  expect(rates.total()).toBe(10_000n)

  rates.report(id(20_000), 7n, 'modest')

  expect(rates.total()).toBe(9_999n + 7n)
})
