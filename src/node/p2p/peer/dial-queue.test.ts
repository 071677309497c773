import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { nodeName } from '../node-address'
import { DialQueue } from './peer-server'

const node = (tag: number) => ({ id: new Uint8Array(64).fill(tag), host: '10.0.0.1', tcpPort: 1, udpPort: 1 })
const nameOf = (tag: number): string => nodeName(node(tag).id)

function queue(busy: readonly string[] = []) {
  const clock = new FakeClock()
  return {
    clock,
    dials: new DialQueue({ clock, isBusy: (name) => busy.includes(name), regions: () => new Set(), chance: () => 0 }),
  }
}

describe('the dial queue', () => {
  it('gives fixed nodes before discovered ones, and only fixed ones if there is no room', () => {
    const { dials } = queue()
    dials.found(node(1))
    dials.fix(node(2))

    expect(dials.next(true)).toEqual(node(2))
    expect(dials.next(true)).toBeNull()
    expect(dials.next(false)).toEqual(node(1))
  })

  it('gives anchors once before everything discovered, and nodes that answered before the others', () => {
    const { clock, dials } = queue()
    for (const tag of [1, 2, 3]) dials.found(node(tag))
    dials.anchor(node(4))

    expect(dials.next(true)).toBeNull()
    expect(dials.next(false)).toEqual(node(4))
    dials.tried(nameOf(4), false)
    dials.tried(nameOf(3), true)
    clock.advance(35_000)

    expect([dials.next(false), dials.next(false)]).toEqual([node(3), node(1)])
  })

  it('names a node that was never met, for a greeting', () => {
    const { dials } = queue([nameOf(2)])
    for (const tag of [1, 2, 3]) dials.found(node(tag))
    dials.fix(node(5))
    dials.tried(nameOf(1), true)

    expect(dials.untested()).toEqual(node(3))
  })

  it('gives all at once when told to hurry', () => {
    const { dials } = queue()
    dials.fix(node(1))
    dials.next(false)
    for (let failure = 0; failure < 5; failure++) dials.tried(nameOf(1), false)
    expect(dials.next(false)).toBeNull()

    dials.hurry()

    expect(dials.next(false)).toEqual(node(1))
  })

  it('gives no node twice within 35 s', () => {
    const { clock, dials } = queue()
    dials.found(node(1))
    dials.next(false)

    clock.advance(34_999)
    expect(dials.next(false)).toBeNull()
    clock.advance(1)
    expect(dials.next(false)).toEqual(node(1))
  })

  it('waits longer after each failure, and drops a discovered node after six', () => {
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

  it('omits nodes that are busy, listen nowhere, or exceed a thousand', () => {
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

  it('takes four of one neighborhood, counting those that move into it', () => {
    const { dials } = queue()
    for (let tag = 1; tag <= 10; tag++) dials.found({ ...node(tag), host: `8.8.8.${tag}` })
    const near = dials.size
    dials.found({ ...node(20), host: '9.9.9.9' })
    dials.found({ ...node(20), host: '8.8.8.20' })

    expect([near, dials.size]).toEqual([4, 5])
    const hosts = Array.from({ length: 5 }, () => dials.next(false)?.host)
    expect(hosts).toContain('9.9.9.9')
  })

  it('replaces a failed node with a new one when it is full', () => {
    const { dials } = queue()
    for (let i = 0; i < 1_000; i++) {
      const id = new Uint8Array(64)
      id.set([3, i >>> 8, i & 0xff])
      dials.found({ ...node(3), id })
    }
    const failed = dials.next(false)
    dials.tried(nodeName(failed?.id ?? new Uint8Array(0)), false)
    dials.found({ ...node(9), host: '10.9.9.9' })
    dials.found({ ...node(10), host: '10.10.10.10' })
    const hosts = Array.from({ length: 1_000 }, () => dials.next(false)?.host)

    expect(dials.size).toBe(1_000)
    expect(hosts).toContain('10.9.9.9')
    expect(hosts).not.toContain('10.10.10.10')
  })
})
