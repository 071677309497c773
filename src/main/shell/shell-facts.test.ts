import { describe, expect, it } from 'vitest'
import { aDevice, facts } from '../testing/shell-values'
import { nextPauseEnd } from './shell-facts'

describe('the first pause with an end', () => {
  it('is that of any device', () => {
    const devices = [aDevice(), aDevice({ index: 1, pauseEndsAt: 9_000 }), aDevice({ index: 2, pauseEndsAt: 5_000 })]

    expect(nextPauseEnd(facts({ devices }))).toBe(5_000)
  })

  it('is none if every pause lasts until resumed', () => {
    expect(nextPauseEnd(facts({ devices: [aDevice({ paused: true })] }))).toBeNull()
  })
})
