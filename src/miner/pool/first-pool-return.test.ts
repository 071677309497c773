// The miner returns to the first pool after ten good minutes in a row, and never while it is unstable.
import { expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { FirstPoolReturn } from './first-pool-return'

const MINUTE_MS = 60_000

function aReturn() {
  const clock = new FakeClock()
  const state = { isWell: true, isDue: true, tests: 0, returns: 0 }
  const way = new FirstPoolReturn(10 * MINUTE_MS, {
    clock,
    isDue: () => state.isDue,
    test: () => {
      state.tests += 1
      return state.isWell ? Promise.resolve() : Promise.reject(new Error('no answer'))
    },
    goBack: () => {
      state.returns += 1
    },
  })
  const timer = way.start()
  const pass = async (minutes: number): Promise<void> => {
    for (let i = 0; i < minutes; i++) {
      clock.advance(MINUTE_MS)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { state, pass, timer }
}

it('returns once the first pool was well for ten minutes', async () => {
  const { state, pass } = aReturn()
  await pass(11)
  expect(state.returns).toBe(0)
  await pass(1)
  expect(state).toMatchObject({ returns: 1, tests: 5 })
})

it('restarts the count when a test fails', async () => {
  const { state, pass } = aReturn()
  await pass(8)
  state.isWell = false
  await pass(2)
  state.isWell = true
  await pass(11)
  expect(state.returns).toBe(0)
  await pass(1)
  expect(state.returns).toBe(1)
})

it('tests nothing while the first pool is in use, nor after a stop', async () => {
  const { state, pass, timer } = aReturn()
  state.isDue = false
  await pass(20)
  expect(state.tests).toBe(0)
  state.isDue = true
  timer.dispose()
  await pass(20)
  expect(state).toMatchObject({ tests: 0, returns: 0 })
})
