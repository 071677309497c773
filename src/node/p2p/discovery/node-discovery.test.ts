import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { systemClock } from '../../../base/time'
import { netRestrict } from '../../identity/ip-address'
import { forkSchedule } from '../../protocol/fork-id'
import type { MappedPort, NatRouter, PortMapping } from '../port-mapping/nat-router'
import { bootnodesOf, type DiscoveryConfig, nodeDiscovery } from './node-discovery'

const CONFIG: DiscoveryConfig = { bootnodes: [], noDiscover: false, dnsTrees: [], nat: { kind: 'any', host: null } }
const signal = new AbortController().signal

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'node-discovery-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

class FakeRouter implements NatRouter {
  readonly name = 'fake'
  readonly mapped: string[] = []

  async map({ protocol, port }: PortMapping): Promise<MappedPort> {
    this.mapped.push(`${protocol} ${port}`)
    return { externalPort: port, lifetimeSeconds: 1_200, externalHost: '8.8.8.8' }
  }

  async unmap(): Promise<void> {
    this.mapped.length = 0
  }
}

function create(change: Partial<DiscoveryConfig>, host: string, router = new FakeRouter()) {
  const settings = { network: 'main', folder, restrict: netRestrict([]), listen: { host, port: 0 } } as const
  const make = nodeDiscovery(
    { ...settings, config: { ...CONFIG, ...change } },
    {
      randomBytes: (length) => new Uint8Array(randomBytes(length)),
      clock: systemClock(),
      log: silentLogger,
      routers: async () => [router],
    },
  )
  const schedule = forkSchedule(new Uint8Array(32), [])
  return make({ key: new Uint8Array(32).fill(1), schedule, tcpPort: 0 })
}

describe('discovery as the options configure it', () => {
  it("opens its ports at the router and announces the router's address", async () => {
    const router = new FakeRouter()
    const discovery = create({}, '0.0.0.0', router)
    await discovery.start(signal)
    await vi.waitFor(() => expect(discovery.record.address('0.0.0.0').host).toBe('8.8.8.8'), 240_000)
    const { udpPort } = discovery.record.content
    const mapped = [...router.mapped]
    await discovery.stop()

    expect(udpPort).toBeGreaterThan(0)
    expect(mapped).toContain(`udp ${udpPort}`)
    expect(router.mapped).toEqual([])
  })

  it('asks no router for a loopback address, and trusts extip', async () => {
    const router = new FakeRouter()
    const inward = create({}, '127.0.0.1', router)
    const known = create({ nat: { kind: 'extip', host: '9.9.9.9' }, noDiscover: true }, '127.0.0.1', router)
    await Promise.all([inward.start(signal), known.start(signal)])
    await Promise.all([inward.stop(), known.stop()])

    expect(router.mapped).toEqual([])
    expect([inward, known].map(({ record }) => record.address('0.0.0.0').host)).toEqual(['127.0.0.1', '9.9.9.9'])
    expect(known.record.content.udpPort).toBe(0)
  })

  it('rejects unusable bootnodes and trees', () => {
    const name = `enode://${'11'.repeat(64)}@example.org:1`

    expect(() => create({ bootnodes: [name] }, '127.0.0.1')).toThrow(/example.org/)
    expect(() => create({ dnsTrees: ['enrtree://x@y'] }, '127.0.0.1')).toThrow(/enrtree/)
  })

  it("begins at the network's bootnodes, unless others or none are given", () => {
    const given = [`enode://${'11'.repeat(64)}@10.0.0.1:1`]
    const nodes = [
      bootnodesOf('main', null),
      bootnodesOf('test', null),
      bootnodesOf('main', []),
      bootnodesOf('test', given),
    ]

    expect(nodes.map((result) => result.ok && result.value.length)).toEqual([3, 0, 0, 1])
  })
})
