// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { groupEvents } from './Events'

const line = (id: number, at: number, text: string) => ({ id, at, text })
const told = (lines: readonly ReturnType<typeof line>[]) =>
  groupEvents(lines).map(({ line: { text }, ids, since }) => [text, ids, since])

describe('equal events', () => {
  it('become one with all their ids, and the time of the first', () => {
    expect(told([line(3, 3_000, 'a'), line(2, 2_000, 'a'), line(1, 1_000, 'a')])).toEqual([['a', [3, 2, 1], 1_000]])
  })

  it('of two alternating devices become two, in the order of their newest', () => {
    const turns = Array.from({ length: 1_700 }, (_, index) => line(1_700 - index, 1_700 - index, index % 2 ? 'b' : 'a'))
    expect(told(turns).map(([text, ids]) => [text, (ids as number[]).length])).toEqual([
      ['a', 850],
      ['b', 850],
    ])
  })

  it('keep the first id when another arrives', () => {
    const two = [line(2, 2, 'a'), line(1, 1, 'a')]
    expect([two, [line(3, 3, 'a'), ...two]].map((lines) => groupEvents(lines)[0]?.id)).toEqual([1, 1])
  })

  it('further apart than a minute stay separate', () => {
    expect(told([line(2, 60_001, 'a'), line(1, 0, 'a')])).toHaveLength(2)
    expect(told([line(2, 60_000, 'a'), line(1, 0, 'a')])).toHaveLength(1)
  })

  it('that differ in a value stay separate', () => {
    expect(told([line(2, 2, 'device 1'), line(1, 1, 'device 2')])).toHaveLength(2)
  })
})
