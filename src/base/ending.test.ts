import { describe, expect, it } from 'vitest'
import { EndSource, endingOf, signalOf } from './ending'

const REASON = new Error('gone')

describe.each([
  ['EndSource', () => new EndSource()],
  [
    'endingOf a signal',
    () => {
      const controller = new AbortController()
      const ending = endingOf(controller.signal)
      return Object.assign(ending, { end: (reason: Error) => controller.abort(reason) })
    },
  ],
])('%s', (_, open) => {
  it('gives listeners the reason once', () => {
    const source = open()
    const told: unknown[] = []
    source.onEnd((reason) => told.push(reason))
    expect(source.ended).toBeNull()

    source.end(REASON)
    source.end(new Error('again'))

    expect(told).toEqual([REASON])
    expect(source.ended).toBe(REASON)
  })

  it('calls a late listener at once', () => {
    const source = open()
    source.end(REASON)
    const told: unknown[] = []

    source.onEnd((reason) => told.push(reason)).dispose()

    expect(told).toEqual([REASON])
  })

  it("doesn't call a removed listener", () => {
    const source = open()
    const told: unknown[] = []
    source.onEnd((reason) => told.push(reason)).dispose()

    source.end(REASON)

    expect(told).toEqual([])
  })
})

it('returns an error for a signal that was aborted with something else', () => {
  expect(endingOf(AbortSignal.abort('a word')).ended).toEqual(new Error('a word'))
})

it('aborts a signal with its reason, even one created afterwards', () => {
  const source = new EndSource()
  const early = signalOf(source)
  expect(early.aborted).toBe(false)

  source.end(REASON)

  for (const signal of [early, signalOf(source)]) expect([signal.aborted, signal.reason]).toEqual([true, REASON])
})
