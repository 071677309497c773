import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { BASE_CODES } from '../../protocol/base-messages'
import { KeepAlive } from './connection'

describe('the pulse of a connection', () => {
  let clock = new FakeClock()
  let said: string[] = []
  let output = { written: 0, unsent: 0 }
  let pulse: KeepAlive

  beforeEach(() => {
    clock = new FakeClock()
    said = []
    output = { written: 0, unsent: 0 }
    pulse = new KeepAlive({
      clock,
      send: (code) => said.push(`send ${code}`),
      disconnect: (reason) => said.push(`disconnect ${reason}`),
      cut: () => said.push('cut'),
      output: () => output,
    })
    pulse.start()
  })

  /** Time in which the other side keeps talking. */
  const talk = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      pulse.heard()
    }
  }

  it('pings every 15 s, and knows the latency of the last answer', () => {
    talk(15)
    clock.advance(40)
    pulse.take(BASE_CODES.pong)
    talk(15)

    expect(said).toEqual(['send 2', 'send 2'])
    expect(pulse.latencyMs).toBe(40)
  })

  it("cuts off a peer that doesn't answer soon after this computer slept", () => {
    clock.advance(1_000)
    pulse.doubt()
    clock.advance(9_999)
    expect(said).toEqual(['send 2'])

    clock.advance(1)
    expect(said).toEqual(['send 2', 'cut'])
  })

  it('keeps a peer that answers after this computer slept', () => {
    clock.advance(1_000)
    pulse.doubt()
    clock.advance(20)
    pulse.heard()
    pulse.take(BASE_CODES.pong)
    clock.advance(13_000)

    expect(said).toEqual(['send 2'])
    expect(pulse.latencyMs).toBe(20)
  })

  it('probes no peer that has ended', () => {
    pulse.doubt()
    pulse.stop()
    clock.advance(60_000)

    expect(said).toEqual(['send 2'])
  })

  it('answers a ping', () => {
    pulse.take(BASE_CODES.ping)

    expect(said).toEqual(['send 3'])
  })

  it('ends with a peer that is silent for more than 30 s', () => {
    clock.advance(45_000)

    expect(said).toEqual(['send 2', 'send 2', 'disconnect 11'])
  })

  it('ends with a peer that only sends pings', () => {
    for (let count = 0; count < 101; count++) pulse.take(BASE_CODES.ping)

    expect(said.at(-1)).toBe('disconnect 2')
  })

  it('ignores earlier pings', () => {
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 60; count++) pulse.take(BASE_CODES.ping)
      talk(15)
    }

    expect(said.filter((word) => word.startsWith('disconnect'))).toEqual([])
  })

  it("disconnects a peer that doesn't read what is queued for it", () => {
    output = { written: 500_000, unsent: 400_000 }
    talk(60)

    expect(said.at(-1)).toBe('cut')
  })

  it('keeps a peer that reads slowly', () => {
    for (let round = 0; round < 10; round++) {
      output = { written: 500_000 + round, unsent: 400_000 }
      talk(15)
    }

    expect(said).not.toContain('cut')
  })

  it('leaves no timer behind', () => {
    pulse.stop()

    expect(clock.pending).toBe(0)
  })
})
