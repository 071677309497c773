import { expect, it } from 'vitest'
import { ConcurrencyLimit } from './concurrency-limit'

it('runs a limited number at once, in call order, and continues after a failure', async () => {
  const turns = new ConcurrencyLimit(2)
  const begun: number[] = []
  const ends: ((fails: boolean) => void)[] = []
  const run = (number: number) =>
    turns.run(async () => {
      begun.push(number)
      const fails = await new Promise<boolean>((resolve) => void ends.push(resolve))
      if (fails) throw new Error(`${number} failed`)
      return number
    })
  const outcomes = [1, 2, 3, 4].map((number) => run(number).catch((error: Error) => error.message))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  await settle()
  expect([begun, turns.waiting]).toEqual([[1, 2], 2])

  ends[0]?.(true)
  await settle()
  expect([begun, turns.waiting]).toEqual([[1, 2, 3], 1])
  ends[1]?.(false)
  await settle()
  ends[2]?.(false)
  ends[3]?.(false)

  expect(await Promise.all(outcomes)).toEqual(['1 failed', 2, 3, 4])
  expect(await turns.run(async () => 'free again')).toBe('free again')
})
