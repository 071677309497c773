import { expect, it } from 'vitest'
import { OutputBudget } from './byte-queue'

function crowd(budget: OutputBudget, sizes: number[]) {
  const cut: number[] = []
  const shares = sizes.map((_, index) => {
    const unsent = (): number => sizes[index] ?? 0
    return budget.join({ unsent, cut: () => cut.push(index) })
  })
  return { cut, shares }
}

it('cuts off the connection with the most unread if all together left too much', () => {
  const sizes = [40, 50, 5]
  const budget = new OutputBudget(100)
  const { cut, shares } = crowd(budget, sizes)
  shares[2]?.written()
  sizes[2] = 20
  shares[2]?.written()

  expect(cut).toEqual([1])
  expect(budget.total).toBe(60)
})

it("doesn't count peers that left, nor what has been read by then", () => {
  const sizes = [90, 90, 30]
  const budget = new OutputBudget(100)
  const { cut, shares } = crowd(budget, sizes)
  shares[0]?.leave()
  sizes[1] = 10
  shares[2]?.written()

  expect(cut).toEqual([])
  expect(budget.total).toBe(40)
})
