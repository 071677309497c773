import { describe, expect, it } from 'vitest'
import type { PeersPort } from '../ports/peers-port'
import { testFront } from '../testing/test-front'
import type { BlockSummary } from '../worker/wire/shapes'
import { readinessOf } from './transport/http-listener'

const HOUR_MS = 3_600_000
const headAt = (timestamp: number) => ({ number: 7, timestamp }) as BlockSummary
const peersOf = (count: number, sync: ReturnType<PeersPort['syncing']> = null) =>
  ({ count: () => count, syncing: () => sync, wrongBlock: () => null }) as unknown as PeersPort

describe('a node', () => {
  it.each([
    ['before the chain is open', null, peersOf(1), 'the chain is not open'],
    ['in sync', headAt(3_600), peersOf(1), null],
    ['without peers', headAt(3_600), peersOf(0), 'no peers'],
    ['in a sync', headAt(3_600), peersOf(2, { from: 0, current: 5, target: 9 }), 'syncing: block 5 of 9'],
    ['that gets no blocks', headAt(0), peersOf(1), 'the head, block 7, is 3 h old'],
    ['that got none for days', headAt(-2 * 86_400), peersOf(1), 'the head, block 7, is 2 d 3 h old'],
    ['of a network without peers', headAt(0), null, null],
  ])('%s says what it lacks', (_, head, peers, reason) => {
    const readiness = readinessOf({ head: () => head, peers, now: () => 3 * HOUR_MS })

    expect(readiness.ready()).toEqual(reason === null ? [] : [reason])
    expect(readiness.health()).toEqual(head === null ? [reason] : [])
  })

  it('answers load balancers on its HTTP port, to allowed hosts', async () => {
    const front = testFront()
    await front.start(new AbortController().signal)
    const { port } = front.address() ?? {}
    const base = `http://127.0.0.1:${port}`
    for (const path of ['/health', '/ready']) {
      const response = await fetch(base + path)
      expect([response.status, await response.json()]).toEqual([503, { ok: false, reasons: ['the chain is not open'] }])
      expect((await fetch(base + path, { method: 'HEAD' })).status).toBe(503)
      expect((await fetch(base + path, { method: 'POST' })).status).toBe(404)
    }
    expect((await fetch(`${base}/healthy`)).status).toBe(404)
    await front.stop()
  })
})
