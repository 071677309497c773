// The approval's states: when a press counts, and that it counts once.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { ApprovalMachine, HOLD_MS, SETTLE_CRITICAL_MS, SETTLE_MS } from './machine'

function begin(options = { isCritical: false, holdMs: 0 }) {
  const clock = new FakeClock()
  const machine = new ApprovalMachine(options, clock)
  machine.setReady(true)
  machine.setAttention(true)
  return { clock, machine, phase: () => machine.snapshot().phase }
}

function press({ clock, machine }: ReturnType<typeof begin>, heldMs = 50): boolean {
  machine.pressStart()
  clock.advance(heldMs)
  return machine.pressEnd()
}

describe('settling', () => {
  it('arms one second after it has attention', () => {
    const { clock, phase } = begin()

    clock.advance(SETTLE_MS - 1)
    expect(phase()).toBe('settling')
    clock.advance(1)
    expect(phase()).toBe('armed')
  })

  it('takes three seconds with a critical finding', () => {
    const { clock, phase } = begin({ isCritical: true, holdMs: HOLD_MS })

    clock.advance(SETTLE_CRITICAL_MS - 1)
    expect(phase()).toBe('settling')
    clock.advance(1)
    expect(phase()).toBe('armed')
  })

  it('stays arriving without attention, however long it waits', () => {
    const clock = new FakeClock()
    const machine = new ApprovalMachine({ isCritical: false, holdMs: 0 }, clock)

    clock.advance(60_000)

    expect(machine.snapshot().phase).toBe('arriving')
  })

  it('starts again when attention returns', () => {
    const { clock, machine, phase } = begin()
    clock.advance(SETTLE_MS)

    machine.setAttention(false)
    expect(phase()).toBe('arriving')
    machine.setAttention(true)

    expect(phase()).toBe('settling')
    clock.advance(SETTLE_MS)
    expect(phase()).toBe('armed')
  })

  it('starts again when something moves while armed', () => {
    const { clock, machine, phase } = begin()
    clock.advance(SETTLE_MS)

    machine.disturb()

    expect(phase()).toBe('settling')
    clock.advance(SETTLE_MS - 1)
    expect(phase()).toBe('settling')
  })

  it('starts again, and takes longer, when a critical finding arrives late', () => {
    const { clock, machine, phase } = begin()
    clock.advance(SETTLE_MS)

    machine.setOptions({ isCritical: true, holdMs: HOLD_MS })
    clock.advance(SETTLE_MS)

    expect(phase()).toBe('settling')
    clock.advance(SETTLE_CRITICAL_MS - SETTLE_MS)
    expect(phase()).toBe('armed')
  })
})

describe('a press', () => {
  it('100 ms after the request appeared does nothing', () => {
    const scene = begin()
    scene.clock.advance(100)

    expect(press(scene)).toBe(false)
    expect(scene.phase()).toBe('settling')
  })

  it("that began before arming doesn't count when released after it", () => {
    const scene = begin()
    scene.clock.advance(SETTLE_MS - 10)

    expect(press(scene, 50)).toBe(false)
    expect(scene.phase()).toBe('armed')
  })

  it('counts once while armed', () => {
    const scene = begin()
    scene.clock.advance(SETTLE_MS)

    expect(press(scene)).toBe(true)
    expect(press(scene)).toBe(false)
    expect(scene.phase()).toBe('submitting')
  })

  it("doesn't count if something moved between its start and end", () => {
    const { clock, machine } = begin()
    clock.advance(SETTLE_MS)

    machine.pressStart()
    machine.disturb()
    clock.advance(SETTLE_MS)

    expect(machine.pressEnd()).toBe(false)
  })

  it("doesn't count while the form lacks something", () => {
    const scene = begin()
    scene.machine.setReady(false)
    scene.clock.advance(SETTLE_MS)

    expect(press(scene)).toBe(false)
  })

  it('has to last 1500 ms with a critical finding', () => {
    const scene = begin({ isCritical: true, holdMs: HOLD_MS })
    scene.clock.advance(SETTLE_CRITICAL_MS)

    expect(press(scene, HOLD_MS - 1)).toBe(false)
    expect(press(scene, HOLD_MS)).toBe(true)
  })

  it('released without having started does nothing', () => {
    const { clock, machine } = begin()
    clock.advance(SETTLE_MS)

    expect(machine.pressEnd()).toBe(false)
  })
})

describe('the end', () => {
  it('settles again after a wrong password and keeps its message', () => {
    const scene = begin()
    scene.clock.advance(SETTLE_MS)
    press(scene)

    scene.machine.settleOutcome({ kind: 'again', message: 'wrong password' })

    expect(scene.machine.snapshot()).toMatchObject({ phase: 'settling', message: 'wrong password' })
  })

  it.each(['expired', 'withdrawn', 'refused'] as const)('lets nothing be approved once it is %s', (end) => {
    const scene = begin()
    scene.clock.advance(SETTLE_MS)

    scene.machine.end(end)

    expect(press(scene)).toBe(false)
    scene.machine.setAttention(false)
    scene.machine.setAttention(true)
    scene.clock.advance(10_000)
    expect(scene.phase()).toBe(end)
  })

  it("isn't changed by a later one", () => {
    const { machine, phase } = begin()
    machine.end('refused')

    machine.end('done')

    expect(phase()).toBe('refused')
  })

  it('leaves no timer behind', () => {
    const { clock, machine } = begin()

    machine.end('refused')

    expect(clock.pending).toBe(0)
  })
})
