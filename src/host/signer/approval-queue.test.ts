import { describe, expect, it } from 'vitest'
import { isOver, maySeizeFocus, refusedOnClose } from './approval-queue'

describe('closing the approval window', () => {
  it('rejects the request that it shows, not the oldest', () => {
    expect(refusedOnClose(['a', 'b', 'c'], 'b')).toBe('b')
  })

  it("rejects the oldest while the window hasn't reported what it shows", () => {
    expect(refusedOnClose(['a', 'b'], null)).toBe('a')
  })

  it('rejects nothing unseen when the shown request has ended', () => {
    expect(refusedOnClose(['a', 'b'], 'done')).toBeNull()
  })

  it('rejects nothing if nothing waits', () => {
    expect(refusedOnClose([], null)).toBeNull()
  })
})

it.each([
  {
    for: 'the one thing that was asked for in the form at hand',
    waiting: ['a'],
    own: ['a'],
    isAtHand: true,
    takes: true,
  },
  { for: 'a program that asks', waiting: ['a'], own: [], isAtHand: true, takes: false },
  { for: 'a form of a window that lies elsewhere', waiting: ['a'], own: ['a'], isAtHand: false, takes: false },
  { for: 'an own request behind that of a program', waiting: ['a', 'b'], own: ['b'], isAtHand: true, takes: false },
  { for: 'nothing', waiting: [], own: [], isAtHand: true, takes: false },
])('takes the focus ($takes) for $for', ({ waiting, own, isAtHand, takes }) => {
  expect(maySeizeFocus(waiting, own, isAtHand)).toBe(takes)
})

describe('the approval window', () => {
  it.each([
    { waiting: [], works: false, over: true },
    { waiting: ['a'], works: false, over: false },
    { waiting: [], works: true, over: false },
    { waiting: ['a'], works: true, over: false },
  ])(
    'has nothing left to show: $over, while $waiting wait and one is worked on: $works',
    ({ waiting, works, over }) => {
      expect(isOver({ waiting: () => waiting, isWorking: () => works })).toBe(over)
    },
  )
})
