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

const refuse = () => {
  throw new HeadframeError('CONTRACT_DENIED', 'no', null)
}

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

  it('that is the pending one once more changes nothing', async () => {
    const { backend, controls, kind } = begin()

    await Promise.all([controls.press(0, true), controls.press(0, true)])
    controls.observe(reading(true))

    expect([backend.calls.length, kind()]).toEqual([1, 'confirmed'])
  })

  it.each([
    ['was confirmed', 'resume'],
    ['was confirmed', 'pause for a minute'],
    ['was refused', 'resume'],
    ["wasn't confirmed in time", 'resume'],
  ] as const)('of something else waits until the one before %s: %s', async (how, what) => {
    const { backend, clock, controls, kind } = begin()
    if (how === 'was refused') backend.answer('miner.pause', refuse)
    const first = controls.press(0, true)
    const second = controls.press(0, what !== 'resume', what === 'resume' ? null : 60)
    expect(backend.calls).toHaveLength(1)

    await Promise.all([first, second])
    if (how === 'was confirmed') controls.observe(reading(true))
    if (how === "wasn't confirmed in time") clock.advance(CONFIRM_LIMIT_MS)

    const wanted = what === 'resume' ? ['miner.resume', { device: 0 }] : ['miner.pause', { device: 0, forSeconds: 60 }]
    expect(backend.calls.slice(1).map(({ name, params }) => [name, params])).toEqual([wanted])
    expect(kind()).toBe('pending')
  })

  it('of something else is forgotten when the pending one is wanted after all', async () => {
    const { backend, controls, kind } = begin()
    const first = controls.press(0, true)
    await controls.press(0, false)
    await controls.press(0, true)
    await first
    controls.observe(reading(true))

    expect([backend.calls.length, kind()]).toEqual([1, 'confirmed'])
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
