import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../../base/testing/fake-clock'
import { EndpointProofs } from '../discv4'

describe('endpoint proofs', () => {
  it('last a day', () => {
    const clock = new FakeClock()
    const proofs = new EndpointProofs(clock)
    proofs.notePong('a@1.1.1.1|1', '1.1.1.1')
    proofs.notePing('a@1.1.1.1|1')
    clock.advance(24 * 3_600_000 - 1)
    const before = [proofs.isProven('a@1.1.1.1|1', '1.1.1.1'), proofs.isProvenToIt('a@1.1.1.1|1')]
    clock.advance(1)

    expect(before).toEqual([true, true])
    expect([proofs.isProven('a@1.1.1.1|1', '1.1.1.1'), proofs.isProvenToIt('a@1.1.1.1|1')]).toEqual([false, false])
  })

  it("of one aren't pushed out by another host with many keys", () => {
    const proofs = new EndpointProofs(new FakeClock())
    proofs.notePong('a@1.1.1.1|1', '1.1.1.1')
    for (let i = 0; i < 10_000; i++) proofs.notePong(`${i}@2.2.2.2|1`, '2.2.2.2')

    expect(proofs.isProven('a@1.1.1.1|1', '1.1.1.1')).toBe(true)
    expect(proofs.isProven('9999@2.2.2.2|1', '2.2.2.2')).toBe(true)
    expect(proofs.size).toBe(65)
  })

  it('are repeated with one that no longer answers', () => {
    const proofs = new EndpointProofs(new FakeClock())
    proofs.notePing('a')
    for (let i = 0; i < 4; i++) proofs.noteFindNode('a', false)
    const four = proofs.isProvenToIt('a')
    proofs.noteFindNode('a', false)
    const five = proofs.isProvenToIt('a')
    proofs.notePing('a')

    expect([four, five, proofs.isProvenToIt('a')]).toEqual([true, false, true])
  })
})
