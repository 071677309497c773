// Pausing, as shown before and after the miner confirms it.
import { describe, expect, it } from 'vitest'
import { HeadframeError } from '../../../base/errors'
import { FakeClock } from '../../../base/testing/fake-clock'
import { ScriptedBackend } from '../testing/scripted'
import { aDevice } from '../testing/scripted-values'
import { CONFIRM_LIMIT_MS, createControls, selectControl } from './controls'

function begin() {
  const backend = new ScriptedBackend().answer('miner.pause', () => ({})).answer('miner.resume', () => ({}))
  const clock = new FakeClock()
  const controls = createControls({ backend, clock })
  return {
    backend,
    clock,
    controls,
    kind: (target: number | 'all' = 0) => selectControl(target)(controls.store.getState()).kind,
  }
}

const reading = (...paused: readonly boolean[]) => ({
  devices: paused.map((isPaused, index) => aDevice({ index, paused: isPaused })),
  takenAt: 0,
})

describe('a press', () => {
  it('is pending at once and confirmed by the next reading after the reply', async () => {
    const { controls, kind } = begin()

    const press = controls.press(0, true)
    expect(kind()).toBe('pending')
    await press
    expect(kind()).toBe('pending')
    controls.observe(reading(true))

    expect(kind()).toBe('confirmed')
  })

  it("isn't confirmed by a reading from before the reply", async () => {
    const { controls, kind } = begin()
    const press = controls.press(0, true)

    controls.observe(reading(true))

    expect(kind()).toBe('pending')
    await press
  })

  it("isn't confirmed by a reading that shows the old state", async () => {
    const { controls, kind } = begin()
    await controls.press(0, true)

    controls.observe(reading(false))

    expect(kind()).toBe('pending')
  })

  it('of all is confirmed only when each device shows it', async () => {
    const { controls, kind } = begin()
    await controls.press('all', true)

    controls.observe(reading(true, false))
    expect(kind('all')).toBe('pending')
    controls.observe(reading(true, true))

    expect(kind('all')).toBe('confirmed')
  })

  it('is ignored while the target is pending', async () => {
    const { backend, controls } = begin()

    await Promise.all([controls.press(0, true), controls.press(0, true)])

    expect(backend.calls).toHaveLength(1)
  })

  it('returns to idle some time after it was confirmed', async () => {
    const { clock, controls, kind } = begin()
    await controls.press(0, true)
    controls.observe(reading(true))

    clock.advance(3000)

    expect(kind()).toBe('idle')
    expect(clock.pending).toBe(0)
  })
})

describe('without confirmation', () => {
  it('is unconfirmed after 5 s, and confirmed if a reading comes after all', async () => {
    const { clock, controls, kind } = begin()
    await controls.press(0, true)

    clock.advance(CONFIRM_LIMIT_MS)
    expect(kind()).toBe('unconfirmed')
    controls.observe(reading(true))

    expect(kind()).toBe('confirmed')
  })

  it('is also unconfirmed if no reply ever comes', () => {
    const { backend, clock, controls, kind } = begin()
    backend.answer('miner.pause', () => new Promise(() => undefined))
    void controls.press(0, true)

    clock.advance(CONFIRM_LIMIT_MS)

    expect(kind()).toBe('unconfirmed')
  })

  it('can be pressed again', async () => {
    const { backend, clock, controls, kind } = begin()
    await controls.press(0, true)
    clock.advance(CONFIRM_LIMIT_MS)

    await controls.press(0, true)

    expect(kind()).toBe('pending')
    expect(backend.calls).toHaveLength(2)
  })
})

describe('a refusal', () => {
  it.each([
    ['CONTRACT_DENIED', 'denied'],
    ['CONTRACT_CLOSED', 'contact'],
    ['DEVICE_UNKNOWN', 'other'],
  ])('with %s fails for the cause %s and fades after 30 s', async (code, cause) => {
    const { backend, clock, controls } = begin()
    backend.answer('miner.pause', () => {
      throw new HeadframeError(code, 'no', null)
    })

    await controls.press(0, true)

    expect(selectControl(0)(controls.store.getState())).toMatchObject({ kind: 'failed', cause, reason: 'no' })
    clock.advance(30_000)
    expect(selectControl(0)(controls.store.getState()).kind).toBe('idle')
  })
})
