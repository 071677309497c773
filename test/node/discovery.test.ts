import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { recordText, signRecord } from '../../src/node/identity/enr'
import { netRestrict } from '../../src/node/identity/ip-address'
import { Discovery, type DiscoveryOptions } from '../../src/node/p2p/discovery/discovery'
import { encodePacket, makePing } from '../../src/node/p2p/discovery/packets'
import { type NodeAddress, nodeName } from '../../src/node/p2p/node-address'
import { FakeDns } from '../../src/node/testing/fake-dns-tree'

const TIMES = { revalidateMs: 40, eagerSearchMs: 60, calmSearchMs: 60, refreshMs: 60_000 }
const FORK = { hash: Uint8Array.of(1, 2, 3, 4), next: 0n }

const DNS = new FakeDns()
const started: Discovery[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()))
})

interface Change extends Partial<DiscoveryOptions> {
  readonly chain?: number
  /** Announced before the start; default: that of UDP, after it. */
  readonly tcpPort?: number
}

async function node({ chain = 1, tcpPort = 0, ...change }: Change = {}): Promise<Discovery> {
  const options = {
    key: new Uint8Array(randomBytes(32)),
    udp: { host: '127.0.0.1', port: 0 },
    bootnodes: [],
    dnsTrees: [],
    nodesFile: null,
    restrict: netRestrict([]),
    times: TIMES,
    ...change,
  }
  const one = new Discovery(options, {
    acceptsForkId: ({ hash }) => hash[0] === chain,
    resolveTxt: DNS.resolveTxt,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    clock: systemClock(),
    log: silentLogger,
  })
  one.record.update({ forkId: { ...FORK, hash: Uint8Array.of(chain, 2, 3, 4) } })
  one.record.update({ tcpPort })
  await one.start(new AbortController().signal)
  one.record.update({ tcpPort: one.record.content.udpPort })
  started.push(one)
  return one
}

const addressOf = (one: Discovery): NodeAddress => one.record.address('127.0.0.1')
const namesOf = (one: Discovery): string[] =>
  one
    .nodes()
    .map(({ id }) => nodeName(id))
    .sort()

describe('discovery', () => {
  it('five nodes find each other through one', async () => {
    const first = await node()
    const others = await Promise.all([1, 2, 3, 4].map(() => node({ bootnodes: [addressOf(first)] })))

    const all = [first, ...others]
    const names = all.map((one) => nodeName(one.record.id))
    await vi.waitFor(
      () => {
        for (const [i, one] of all.entries()) expect(namesOf(one)).toEqual(names.filter((_, j) => j !== i).sort())
      },
      { timeout: 240_000, interval: 50 },
    )
  })

  it('reports a node once, with its dial address', async () => {
    const first = await node()
    const second = await node()
    const found: NodeAddress[] = []
    second.events.on('nodeFound', (address) => found.push(address))
    await second.stop()
    const third = await node({ bootnodes: [addressOf(first)] })
    third.events.on('nodeFound', (address) => found.push(address))

    await vi.waitFor(() => expect(found).toEqual([addressOf(first)]), { timeout: 240_000 })
    await vi.waitFor(() => expect(first.tableSize).toBe(1), 240_000)
    expect(found).toHaveLength(1)
  })

  it("doesn't offer other chains' nodes for dialing", async () => {
    const first = await node()
    const foreign = await node({ chain: 9, bootnodes: [addressOf(first)] })

    await vi.waitFor(() => expect([first.tableSize, foreign.tableSize]).toEqual([1, 1]), { timeout: 240_000 })
    await vi.waitFor(() => expect(namesOf(first)).toEqual([]), 240_000)
    expect(namesOf(foreign)).toEqual([])
  })

  it('drops a node that is gone', async () => {
    const first = await node()
    const second = await node({ bootnodes: [addressOf(first)] })
    await vi.waitFor(() => expect(second.tableSize).toBe(1), { timeout: 240_000 })

    await first.stop()

    await vi.waitFor(() => expect(second.tableSize).toBe(0), { timeout: 240_000 })
  })

  it('finds the network again after a restart without bootnodes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'discovery-'))
    const nodesFile = join(folder, 'nodes.json')
    const first = await node()
    const second = await node({ bootnodes: [addressOf(first)], nodesFile })
    await vi.waitFor(() => expect(second.tableSize).toBe(1), { timeout: 240_000 })
    await second.stop()

    const again = await node({ nodesFile })

    await vi.waitFor(() => expect(namesOf(again)).toEqual([nodeName(first.record.id)]), { timeout: 240_000 })
    await rm(folder, { recursive: true, force: true })
  })

  it('does not communicate outside --netrestrict', async () => {
    const first = await node({ restrict: netRestrict(['10.0.0.0/8']) })
    const second = await node({ bootnodes: [addressOf(first)] })
    await new Promise((resolve) => setTimeout(resolve, 700))

    expect([first.tableSize, second.tableSize]).toEqual([0, 0])
  })

  it('finds nodes of this chain in a DNS list, even without UDP', async () => {
    const key = (number: number): Uint8Array => new Uint8Array(32).fill(number)
    const listed = (number: number, chain: number, first = 8): string => {
      const hash = Uint8Array.of(chain, 2, 3, 4)
      const host = Uint8Array.of(first, 8, 8, number)
      return recordText(signRecord(key(number), 1n, { host, tcpPort: 9, udpPort: 9, forkId: { hash, next: 0n } }))
    }
    const nodes = [listed(1, 1), listed(2, 9), listed(3, 1, 127), listed(4, 1, 224)]
    const tree = DNS.publish('nodes.example.org', key(7), { nodes, links: [], sequence: 1 })

    const one = await node({ udp: null, dnsTrees: [tree], treeTimes: { questionMs: 1, idleMs: 1, recheckMs: 60_000 } })

    await vi.waitFor(() => expect(one.nodes().map(({ host }) => host)).toEqual(['8.8.8.1']), { timeout: 240_000 })
    const isRead = (): boolean => [...DNS.texts.keys()].every((name) => DNS.questions.includes(name))
    await vi.waitFor(() => expect(isRead()).toBe(true), { timeout: 240_000 })
    expect(one.nodes().map(({ host }) => host)).toEqual(['8.8.8.1'])
    expect(one.record.content.udpPort).toBe(0)
  })

  // Only there every address of 127.0.0.0/8 is ours.
  it.skipIf(process.platform !== 'linux')('is found by an honest node while another host floods it', async () => {
    const target = await node()
    const { udpPort } = target.record.content
    const flooder = createSocket('udp4')
    await new Promise<void>((resolve) => flooder.bind(0, '127.0.0.2', resolve))
    const key = new Uint8Array(32).fill(5)
    const place = { host: '127.0.0.2', udpPort: flooder.address().port, tcpPort: 1 }
    const ping = encodePacket(makePing(place, place, Math.floor(Date.now() / 1_000) + 60, 1n), key).bytes
    const flood = setInterval(() => {
      for (let i = 0; i < 50; i++) flooder.send(i % 2 === 0 ? ping : randomBytes(1_280), udpPort, '127.0.0.1')
    }, 5)

    const honest = await node({ bootnodes: [addressOf(target)] })
    await vi.waitFor(() => expect(namesOf(honest)).toEqual([nodeName(target.record.id)]), { timeout: 240_000 })
    await vi.waitFor(() => expect(namesOf(target)).toEqual([nodeName(honest.record.id)]), { timeout: 240_000 })
    clearInterval(flood)
    await new Promise<void>((resolve) => flooder.close(resolve))
  })

  it("uses another UDP port if the TCP port's number is taken, unless it was requested", async () => {
    const taken = (await node()).record.content.udpPort

    const second = await node({ tcpPort: taken })

    expect(second.record.content.udpPort).not.toBe(taken)
    expect(second.record.content.udpPort).toBeGreaterThan(0)
  })

  it('names a port that is in use', async () => {
    const first = await node()

    await expect(node({ udp: { host: '127.0.0.1', port: first.record.content.udpPort } })).rejects.toMatchObject({
      code: 'P2P_UDP_LISTEN_FAILED',
    })
  })
})
