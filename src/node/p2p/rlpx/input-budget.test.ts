import { describe, expect, it } from 'vitest'
import { MemoryBudget } from './byte-queue'

describe('the input budget', () => {
  const crowd = (budget: MemoryBudget, count: number) => {
    const cut: number[] = []
    const shares = Array.from({ length: count }, (_, index) => {
      let bytes = 0
      const share = budget.join({ held: () => bytes, cut: () => cut.push(index) })
      const hold = (now: number): void => {
        bytes = now
        share.grown()
      }
      return { hold, leave: () => share.leave() }
    })
    return { cut, shares }
  }

  it('cuts off the largest holder if all together hold too much', () => {
    const budget = new MemoryBudget(100)
    const { cut, shares } = crowd(budget, 3)
    shares[0]?.hold(40)
    shares[1]?.hold(50)
    shares[2]?.hold(20)

    expect(cut).toEqual([1])
    expect(budget.total).toBe(60)
  })

  it('counts what a connection holds now, and nothing of one that left', () => {
    const budget = new MemoryBudget(100)
    const { cut, shares } = crowd(budget, 2)
    for (let round = 0; round < 10; round++) {
      shares[0]?.hold(90)
      shares[0]?.hold(0)
    }
    shares[0]?.hold(90)
    shares[0]?.leave()
    shares[0]?.hold(90)
    shares[1]?.hold(90)

    expect(cut).toEqual([])
    expect(budget.total).toBe(90)
  })

  it('cuts off connections until it suffices', () => {
    const budget = new MemoryBudget(100)
    const { cut, shares } = crowd(budget, 12)
    for (const share of shares.slice(0, 10)) share.hold(10)
    shares[10]?.hold(95)

    expect(cut).toEqual([10])
    shares[11]?.hold(5)
    expect(cut).toHaveLength(2)
    expect(budget.total).toBeLessThanOrEqual(100)
  })
})
