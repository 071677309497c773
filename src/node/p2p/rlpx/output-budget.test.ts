import { expect, it } from 'vitest'
import { MemoryBudget } from './byte-queue'

function crowd(budget: MemoryBudget, sizes: number[]) {
  const cut: number[] = []
  const shares = sizes.map((_, index) => {
    const held = (): number => sizes[index] ?? 0
    return budget.join({ held, cut: () => cut.push(index) })
  })
  return { cut, shares }
}

it('cuts off the connection with the most unread if all together left too much', () => {
  const sizes = [40, 50, 5]
  const budget = new MemoryBudget(100)
  const { cut, shares } = crowd(budget, sizes)
  shares[2]?.grown()
  sizes[2] = 20
  shares[2]?.grown()

  expect(cut).toEqual([1])
  expect(budget.total).toBe(60)
})

it("doesn't count peers that left, nor what has been read by then", () => {
  const sizes = [90, 90, 30]
  const budget = new MemoryBudget(100)
  const { cut, shares } = crowd(budget, sizes)
  shares[0]?.leave()
  sizes[1] = 10
  shares[2]?.grown()

  expect(cut).toEqual([])
  expect(budget.total).toBe(40)
})
