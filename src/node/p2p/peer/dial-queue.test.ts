import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/fake-clock'
import { nodeName } from '../node-address'
import { DialQueue } from './dial-queue'

const node = (tag: number) => ({ id: new Uint8Array(64).fill(tag), host: '10.0.0.1', tcpPort: 1, udpPort: 1 })
const nameOf = (tag: number): string => nodeName(node(tag).id)

function queue(busy: readonly string[] = []) {
  const clock = new FakeClock()
  return { clock, dials: new DialQueue({ clock, isBusy: (name) => busy.includes(name) }) }
}

describe('the queue of dials', () => {
  it('gives fixed nodes before found ones, and only them where there is no room', () => {
    const { dials } = queue()
    dials.found(node(1))
    dials.fix(node(2))

    expect(dials.next(true)).toEqual(node(2))
    expect(dials.next(true)).toBeNull()
    expect(dials.next(false)).toEqual(node(1))
  })

  it('gives nobody twice within 35 s', () => {
    const { clock, dials } = queue()
    dials.found(node(1))
    dials.next(false)

    clock.advance(34_999)
    expect(dials.next(false)).toBeNull()
    clock.advance(1)
    expect(dials.next(false)).toEqual(node(1))
  })

  it('waits longer after each failure, and forgets a found node after six', () => {
    const { clock, dials } = queue()
    dials.found(node(1))
    dials.tried(nameOf(1), false)
    dials.tried(nameOf(1), false)

    clock.advance(69_999)
    expect(dials.next(false)).toBeNull()
    clock.advance(1)
    expect(dials.next(false)).toEqual(node(1))
    for (let failures = 2; failures < 6; failures++) dials.tried(nameOf(1), false)
    expect(dials.size).toBe(0)
  })

  it('dials a fixed node again within a minute however often it failed', () => {
    const { clock, dials } = queue()
    dials.fix(node(1))
    for (let failures = 0; failures < 20; failures++) dials.tried(nameOf(1), false)

    clock.advance(60_000)
    expect(dials.next(true)).toEqual(node(1))
    expect([dials.unfix(nameOf(1)), dials.unfix(nameOf(1)), dials.size]).toEqual([true, false, 0])
  })

  it('leaves out who is busy, who listens nowhere, and the thousand-and-first', () => {
    const { dials } = queue([nameOf(1)])
    dials.found(node(1))
    dials.found({ ...node(2), tcpPort: 0 })
    expect([dials.size, dials.next(false)]).toEqual([1, null])

    for (let i = 0; i < 1_100; i++) {
      const id = new Uint8Array(64)
      id.set([3, i >>> 8, i & 0xff])
      dials.found({ ...node(3), id })
    }
    expect(dials.size).toBe(1000)
  })
})
