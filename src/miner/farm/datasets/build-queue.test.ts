import { expect, it } from 'vitest'
import { BuildQueue } from './build-queue'

it.each([true, false])(
  'builds ahead of an epoch one after another, even if the first fails (sequential: %s)',
  async (isSequential) => {
    const gate = new BuildQueue(isSequential)
    const order: string[] = []
    const build = (name: string) => async () => {
      order.push(`${name} begins`)
      await Promise.resolve()
      order.push(`${name} ends`)
      if (name === 'a') throw new Error('a fails')
    }
    const first = gate.runAhead(build('a'))
    const second = gate.runAhead(build('b'))

    await expect(first).rejects.toThrow('a fails')
    await second
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  },
)
