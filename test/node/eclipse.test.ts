// How much an attacker with many keys and few networks gets of our table, of the nodes that we dial, and of the inbound
// slots. The figures are those of docs/guide/peers.md.
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../src/base/events'
import { silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { NodeTable } from '../../src/node/p2p/discovery/table/node-table'
import type { NodeAddress } from '../../src/node/p2p/node-address'
import { NodeDb } from '../../src/node/p2p/node-db'
import { Peer } from '../../src/node/p2p/peer/peer'
import { DialQueue } from '../../src/node/p2p/peer/peer-server'
import { PeerSet } from '../../src/node/p2p/peer/peer-set'
import type { Connection } from '../../src/node/p2p/rlpx/connection'
import { byDepth } from '../depth'
import { dice } from './p2p-network'

const HONEST = 5_000
const HOSTILE = 10_000
const MAX_PEERS = 50

/** The number of the attacker's networks doesn't change which rule stops him: `npm test` runs one. */
function attacks<T extends { readonly regions: number }>(all: readonly T[]): readonly T[] {
  return byDepth(
    all.filter(({ regions }) => regions === 4),
    all,
  )
}

type Roll = (limit: number) => number

function idOf(roll: Roll): Uint8Array {
  return Uint8Array.from({ length: 64 }, () => roll(256))
}

/** Anywhere outside of private networks. */
function anyHost(roll: Roll): string {
  return [20 + roll(80), roll(256), roll(256), 1 + roll(254)].join('.')
}

/** In one of the attacker's /16s, which have no honest nodes. */
function hostileHost(roll: Roll, regions: number): string {
  return [200, roll(regions), roll(256), 1 + roll(254)].join('.')
}

interface World {
  readonly hostile: readonly NodeAddress[]
  readonly honest: readonly NodeAddress[]
}

/** The hostile nodes always come first. */
function world(regions: number): World {
  const roll = dice(regions)
  const node = (host: string): NodeAddress => ({ id: idOf(roll), host, tcpPort: 32110, udpPort: 32110 })
  return {
    hostile: Array.from({ length: HOSTILE }, () => node(hostileHost(roll, regions))),
    honest: Array.from({ length: HONEST }, () => node(anyHost(roll))),
  }
}

const isHostile = (host: string): boolean => host.startsWith('200.')

function tableShare({ hostile, honest }: World) {
  const table = new NodeTable(idOf(dice(1)))
  for (const node of [...hostile, ...honest]) table.add(node)
  const all = table.all()
  return { hostile: all.filter(({ address }) => isHostile(address.host)).length, all: all.length }
}

/** The first 16 dialed nodes, each connected. */
function dialled({ hostile, honest }: World): number {
  const clock = new FakeClock()
  const regions = new Set<string>()
  const busy = new Set<string>()
  const queue = new DialQueue({ clock, isBusy: (name) => busy.has(name), regions: () => regions, chance: dice(7) })
  for (const node of [...hostile, ...honest]) queue.found(node)
  let count = 0
  for (let place = 0; place < 16; place++) {
    const next = queue.next(false)
    if (next === null) break
    if (isHostile(next.host)) count++
    regions.add(next.host.split('.').slice(0, 2).join('.'))
  }
  return count
}

function fakeConnection(id: Uint8Array): Connection {
  const events: Connection['events'] = new Emitter()
  let isClosed = false
  const disconnect = (): void => {
    isClosed = true
    events.emit('closed', { reason: 'evicted' })
  }
  const parts = { events, remoteId: id, disconnect }
  return Object.defineProperty(parts, 'isClosed', { get: () => isClosed }) as unknown as Connection
}

/**
 * Which nodes we know after a restart under attack: seeds of the search, and the first 16 dials with two earlier
 * anchors.
 */
function restarted({ hostile, honest }: World) {
  const clock = new FakeClock()
  const table = new NodeTable(idOf(dice(1)))
  const database = new NodeDb(null, { clock, log: silentLogger })
  for (const node of [...honest, ...hostile, ...hostile]) {
    clock.advance(10) // the attacker is seen last, and twice
    const outcome = table.add(node)
    if (outcome === 'added' || outcome === 'known') database.note(node)
  }
  const anchors = honest.slice(0, 2)
  const regions = new Set<string>()
  const queue = new DialQueue({ clock, isBusy: () => false, regions: () => regions, chance: dice(7) })
  for (const node of anchors) queue.anchor(node)
  const seeds = database.seeds(30)
  for (const node of [...hostile, ...seeds]) queue.found(node)
  const first = [queue.next(false), queue.next(false)].map((node) => node?.host)
  expect(new Set(first)).toEqual(new Set(anchors.map(({ host }) => host)))
  return { hostile: seeds.filter(({ host }) => isHostile(host)).length, all: seeds.length }
}

/**
 * How many of the 34 inbound slots the attacker gets if 1,000 hostile nodes try first and 1,000 after 200 honest ones.
 */
function inboundShare({ hostile, honest }: World) {
  const clock = new FakeClock()
  const peers = new PeerSet(MAX_PEERS)
  for (const { id, host } of [...hostile.slice(0, 1_000), ...honest.slice(0, 200), ...hostile.slice(1_000, 2_000)]) {
    const info = { direction: 'inbound', host, port: 1, trusted: false, isStatic: false } as const
    const peer = new Peer(fakeConnection(id), info, { totalDifficulty: 1n, head: id }, clock)
    if (peers.refusal(peer.name, info) === null) peers.add(peer)
    clock.advance(1_000)
  }
  const all = peers.list()
  return { hostile: all.filter(({ info }) => isHostile(info.host)).length, all: all.length }
}

describe('10,000 hostile identities against 5,000 honest nodes', () => {
  it.each(
    attacks([
      { regions: 1, seeds: 1 },
      { regions: 4, seeds: 4 },
      { regions: 16, seeds: 16 },
    ]),
  )(
    'in $regions /16s are a part of the seeds after a restart, and the anchors are dialed before them',
    ({ regions, seeds }) => {
      const found = restarted(world(regions))
      if (process.env.FIGURES !== undefined) process.stdout.write(`${JSON.stringify({ regions, seeds: found })}\n`)

      expect(found.all).toBe(30)
      expect(found.hostile).toBeLessThanOrEqual(seeds)
    },
  )

  it.each(
    attacks([
      { regions: 1, table: 10, dials: 0, inbound: 1 },
      { regions: 4, table: 40, dials: 0, inbound: 4 },
      { regions: 16, table: 153, dials: 1, inbound: 16 },
    ]),
  )('in $regions /16s are limited to a part of every list', ({ regions, table, dials, inbound }) => {
    const met = world(regions)
    const found = { table: tableShare(met), dials: dialled(met), inbound: inboundShare(met) }
    if (process.env.FIGURES !== undefined) process.stdout.write(`${JSON.stringify({ regions, ...found })}\n`)

    expect(found.table.hostile).toBeLessThanOrEqual(table)
    expect(found.dials).toBeLessThanOrEqual(dials)
    expect(found.inbound.hostile).toBeLessThanOrEqual(inbound)
    expect(found.inbound.all).toBe(34)
  })

  it('never displace those who gave verified blocks for longest', () => {
    const clock = new FakeClock()
    const peers = new PeerSet(MAX_PEERS)
    const join = (host: string, id: Uint8Array): Peer | null => {
      const info = { direction: 'inbound', host, port: 1, trusted: false, isStatic: false } as const
      const peer = new Peer(fakeConnection(id), info, { totalDifficulty: 1n, head: id }, clock)
      if (peers.refusal(peer.name, info) !== null) return null
      peers.add(peer)
      clock.advance(1_000)
      return peer
    }
    const roll = dice(3)
    const useful = Array.from({ length: 8 }, (_, at) => join(`50.60.${at}.1`, idOf(roll)))
    for (const peer of useful) peer?.proved({ number: 1n, hash: idOf(roll), total: 2n })
    for (let at = 0; at < 2_000; at++) join(hostileHost(roll, 256), idOf(roll))

    expect(peers.list().filter(({ info }) => !isHostile(info.host))).toEqual(useful)
    expect(peers.size).toBe(34)
  })
})
