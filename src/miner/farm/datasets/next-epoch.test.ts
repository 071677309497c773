import { expect, it } from 'vitest'
import { NextEpoch } from '../farm'

const HOUR_MS = 3_600_000

it('announces the next epoch once when the boundary is 36 blocks away', () => {
  const next = new NextEpoch(720)

  const told = [683, 684, 685, 719, 720, 1403, 1404].map((height) =>
    next.due({ epoch: Math.floor(height / 720), height }, height),
  )

  expect(told).toEqual([null, 1, null, null, null, null, 2])
})

it("uses the time since the last change if no height is known, or heights don't fit the seed", () => {
  for (const height of [null, 700_000]) {
    const next = new NextEpoch(720)

    const told = [0, 11.9, 12, 13].map((hours) => next.due({ epoch: 3, height }, hours * HOUR_MS))
    const later = [14, 25.9, 26].map((hours) => next.due({ epoch: 4, height }, hours * HOUR_MS))

    expect([...told, ...later]).toEqual([null, null, 4, null, null, null, 5])
  }
})

it('announces it again after a visit to another epoch', () => {
  const next = new NextEpoch(720)

  const told = [
    next.due({ epoch: 0, height: 700 }, 0),
    next.due({ epoch: 9, height: 9 * 720 + 719 }, 1),
    next.due({ epoch: 0, height: 701 }, 2),
  ]

  expect(told).toEqual([1, 10, 1])
})
