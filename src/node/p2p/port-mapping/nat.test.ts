import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger, type LogRecord } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { systemClock } from '../../../base/time'
import type { NatMode } from '../../../config/values/p2p-values'
import { gatewaysOfTable, PortForwarding } from './nat'
import { type MappedPort, type NatRouter, PmpRouter, type PortMapping } from './nat-router'
import { locationOf, UpnpRouter } from './nat-upnp'

/** A UDP port that answers each request with the result of `answer`. */
class FakeUdpGateway {
  readonly questions: Uint8Array[] = []
  readonly #socket: Socket = createSocket('udp4')

  constructor(private readonly answer: (question: Uint8Array) => Uint8Array | null) {}

  async open(): Promise<number> {
    this.#socket.on('message', (question, from) => {
      this.questions.push(new Uint8Array(question))
      const answer = this.answer(new Uint8Array(question))
      if (answer !== null) this.#socket.send(answer, from.port, from.address)
    })
    await new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve))
    return this.#socket.address().port
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()))
  }
}

const PUBLIC_HOST = Uint8Array.of(8, 1, 2, 3)

/** NAT-PMP, with a result code for mappings. */
function pmpAnswer(result = 0): (question: Uint8Array) => Uint8Array | null {
  return (question) => {
    if (question[0] !== 0) return null
    const head = Uint8Array.of(0, 0x80 | (question[1] ?? 0), 0, question[1] === 0 ? 0 : result, 0, 0, 0, 9)
    if (question[1] === 0) return Uint8Array.of(...head, ...PUBLIC_HOST)
    return Uint8Array.of(...head, ...question.subarray(4, 8), ...question.subarray(8, 12))
  }
}

/** PCP only: NAT-PMP gets "unsupported version". */
function pcpAnswer(question: Uint8Array): Uint8Array {
  if (question[0] !== 2) return Uint8Array.of(0, 0x80 | (question[1] ?? 0), 0, 1, 0, 0, 0, 9)
  const answer = question.slice()
  answer[1] = 0x81
  answer.set([0, 0, 0, 0], 8)
  answer.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...PUBLIC_HOST], 44)
  return answer
}

/** Faults of the fake UPnP router. */
interface FakeUpnpFaults {
  readonly description?: string
  /** Replaces the description's address. */
  readonly location?: string
  /** Error code of the first mapping. */
  readonly firstError?: string
  /** Doesn't answer over HTTP. */
  readonly isMute?: boolean
}

/** UPnP: a UDP port for discovery, an HTTP port for description and control. */
class FakeUpnpGateway {
  readonly actions: { readonly name: string; readonly body: string }[] = []
  readonly #http: Server
  readonly #udp: FakeUdpGateway

  constructor(private readonly faults: FakeUpnpFaults = {}) {
    this.#http = createServer((request, response) => {
      if (faults.isMute === true) return
      if (request.method === 'GET') return void response.end(faults.description ?? DESCRIPTION)
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        const name = String(request.headers.soapaction).replaceAll('"', '').split('#')[1] ?? ''
        this.actions.push({ name, body })
        const isRefused = this.faults.firstError !== undefined && this.actions.length === 1
        response.statusCode = isRefused ? 500 : 200
        response.end(isRefused ? errorBody(this.faults.firstError ?? '') : answerBody(name))
      })
    })
    this.#udp = new FakeUdpGateway(() => new TextEncoder().encode(this.#announcement()))
  }

  /** @returns the UDP discovery port */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    return this.#udp.open()
  }

  async close(): Promise<void> {
    await this.#udp.close()
    this.#http.closeAllConnections()
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
  }

  #announcement(): string {
    const { port } = this.#http.address() as AddressInfo
    const location = this.faults.location ?? `http://127.0.0.1:${port}/root.xml`
    return `HTTP/1.1 200 OK\r\nST: upnp:rootdevice\r\nLOCATION: ${location}\r\n\r\n`
  }
}

const DESCRIPTION = `<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType>
<deviceList><device><serviceList>
<service><serviceType>urn:schemas-upnp-org:service:Layer3Forwarding:1</serviceType><controlURL>/no</controlURL></service>
<service><serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><controlURL>/control</controlURL></service>
</serviceList></device></deviceList></device></root>`

function answerBody(action: string): string {
  const inner = action === 'GetExternalIPAddress' ? '<NewExternalIPAddress>8.1.2.3</NewExternalIPAddress>' : ''
  return `<s:Envelope xmlns:s="x"><s:Body><u:${action}Response xmlns:u="y">${inner}</u:${action}Response></s:Body></s:Envelope>`
}

function errorBody(code: string): string {
  return `<s:Envelope xmlns:s="x"><s:Body><s:Fault><detail><UPnPError><errorCode>${code}</errorCode></UPnPError></detail></s:Fault></s:Body></s:Envelope>`
}

const MAPPING: PortMapping = { protocol: 'tcp', port: 32_110, lifetimeSeconds: 1_200, description: 'peers <&>' }
const never = new AbortController().signal

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()))
})

async function pmpRouter(answer: (question: Uint8Array) => Uint8Array | null) {
  const gateway = new FakeUdpGateway(answer)
  opened.push(gateway)
  const port = await gateway.open()
  const deps = { clock: systemClock(), randomBytes: (length: number) => new Uint8Array(length).fill(7) }
  return { gateway, router: new PmpRouter({ host: '127.0.0.1', port }, deps) }
}

async function upnpRouter(faults: FakeUpnpFaults = {}) {
  const gateway = new FakeUpnpGateway(faults)
  opened.push(gateway)
  const port = await gateway.open()
  return { gateway, router: new UpnpRouter({ host: '127.0.0.1', port }, { clock: systemClock() }) }
}

describe('a router that speaks NAT-PMP', () => {
  it('maps a port, says its address, and removes the mapping', async () => {
    const { gateway, router } = await pmpRouter(pmpAnswer())
    const mapped = await router.map(MAPPING, never)
    await router.unmap(MAPPING, never)

    expect(mapped).toEqual({ externalPort: 32_110, externalHost: '8.1.2.3', lifetimeSeconds: 1_200 })
    expect(gateway.questions.map((question) => [...question])).toEqual([
      [0, 2, 0, 0, 125, 110, 125, 110, 0, 0, 4, 176],
      [0, 0],
      [0, 2, 0, 0, 125, 110, 0, 0, 0, 0, 0, 0],
    ])
  })

  it('speaks PCP if that is all there is', async () => {
    const { gateway, router } = await pmpRouter(pcpAnswer)

    expect(await router.map(MAPPING, never)).toEqual({
      externalPort: 32_110,
      externalHost: '8.1.2.3',
      lifetimeSeconds: 1_200,
    })
    expect(gateway.questions.map((question) => question.length)).toEqual([12, 60])
    expect([...(gateway.questions[1]?.subarray(8, 24) ?? [])]).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1,
    ])
  })

  it.each([
    ['PMP', pmpAnswer(), 8, 12],
    ['PCP', pcpAnswer, 42, 4],
  ] as const)('by %s is believed about how long it maps a port, not that it maps port 0', async (...given) => {
    const [, answer, portAt, lifetimeAt] = given
    const changed = (port: number) => (question: Uint8Array) => {
      const told = answer(question)
      const view = told === null || told.length < 16 ? null : new DataView(told.buffer, told.byteOffset)
      view?.setUint16(portAt === 8 ? 10 : portAt, port)
      view?.setUint32(lifetimeAt, 120)
      return told
    }
    const { router } = await pmpRouter(changed(40_000))
    expect(await router.map(MAPPING, never)).toMatchObject({ externalPort: 40_000, lifetimeSeconds: 120 })
    const { router: liar } = await pmpRouter(changed(0))
    await expect(liar.map(MAPPING, never)).rejects.toMatchObject({ data: { reason: 'it maps port 0' } })
  })

  it('that refuses is reported with its result', async () => {
    const { router } = await pmpRouter(pmpAnswer(2))

    await expect(router.map(MAPPING, never)).rejects.toMatchObject({
      code: 'P2P_NAT_FAILED',
      data: { reason: 'result 2' },
    })
  })

  it.each([
    ['nothing', () => null],
    ['an empty datagram', () => new Uint8Array(0)],
    [
      'an answer for another port',
      (q: Uint8Array) => Uint8Array.of(0, 0x80 | (q[1] ?? 0), 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1),
    ],
  ])('that answers %s is waited for only a while', async (_, answer) => {
    const { router } = await pmpRouter(answer)

    await expect(router.map(MAPPING, AbortSignal.timeout(300))).rejects.toMatchObject({ code: 'P2P_NAT_FAILED' })
  })
})

describe('a router that speaks UPnP', () => {
  it('maps a port to us, says its address, and removes the mapping', async () => {
    const { gateway, router } = await upnpRouter()
    const mapped = await router.map(MAPPING, never)
    await router.unmap(MAPPING, never)

    expect(mapped).toEqual({ externalPort: 32_110, externalHost: '8.1.2.3', lifetimeSeconds: 1_200 })
    expect(gateway.actions.map(({ name }) => name)).toEqual([
      'AddPortMapping',
      'GetExternalIPAddress',
      'DeletePortMapping',
    ])
    expect(gateway.actions[0]?.body).toContain('<NewInternalClient>127.0.0.1</NewInternalClient>')
    expect(gateway.actions[0]?.body).toContain('peers &lt;&amp;&gt;')
  })

  it('that knows only permanent mappings gets one', async () => {
    const { gateway, router } = await upnpRouter({ firstError: '725' })
    await router.map(MAPPING, never)

    expect(gateway.actions.map(({ body }) => /NewLeaseDuration>(\d+)/.exec(body)?.[1])).toEqual([
      '1200',
      '0',
      undefined,
    ])
  })

  it('that refuses is reported with its error', async () => {
    const { router } = await upnpRouter({ firstError: '718' })

    await expect(router.map(MAPPING, never)).rejects.toMatchObject({
      data: { reason: 'AddPortMapping was refused with 718' },
    })
  })

  it.each<[string, string]>([
    ['too long', `<a>${'x'.repeat(200_000)}</a>`],
    ['without a connection', '<root/>'],
    ['no XML', 'hello'],
    ['with a document type', `<!DOCTYPE root [<!ENTITY a "b">]>${DESCRIPTION.slice(22)}`],
    ['that leads to another host', DESCRIPTION.replace('/control', 'http://127.0.0.2:80/control')],
  ])("whose description is %s isn't used", async (_, description) => {
    const { gateway, router } = await upnpRouter({ description })

    await expect(router.map(MAPPING, never)).rejects.toMatchObject({ code: 'P2P_NAT_FAILED' })
    expect(gateway.actions).toEqual([])
  })

  it('that never answers over HTTP ends with the signal', async () => {
    const { router } = await upnpRouter({ isMute: true })

    await expect(router.map(MAPPING, AbortSignal.timeout(200))).rejects.toMatchObject({ code: 'P2P_NAT_FAILED' })
  })

  it('is believed only about itself, inside the local network', () => {
    const answer = (location: string): string => `HTTP/1.1 200 OK\r\nlocation: ${location}\r\n\r\n`

    expect(locationOf(answer('http://192.168.0.1:5000/x'), '192.168.0.1')?.port).toBe('5000')
    expect(locationOf(answer('http://192.168.0.2/x'), '192.168.0.1')).toBeNull()
    expect(locationOf(answer('http://8.8.8.8/x'), '8.8.8.8')).toBeNull()
    expect(locationOf(answer('https://192.168.0.1/x'), '192.168.0.1')).toBeNull()
    expect(locationOf(answer(`http://192.168.0.1/${'x'.repeat(600)}`), '192.168.0.1')).toBeNull()
    expect(locationOf('NOTIFY * HTTP/1.1\r\nlocation: http://192.168.0.1/\r\n', '192.168.0.1')).toBeNull()
  })
})

it("reads the default routes from the kernel's table", () => {
  const table = [
    'Iface\tDestination\tGateway\tFlags\tRefCnt',
    'eth0\t00000000\t0101A8C0\t0003\t0',
    'eth0\t0001A8C0\t00000000\t0001\t0',
    'bad\t00000000\tzz\t0003',
  ]

  expect(gatewaysOfTable(table.join('\n'))).toEqual(['192.168.1.1'])
  expect(gatewaysOfTable('')).toEqual([])
})

class FakeRouter implements NatRouter {
  readonly name = 'fake'
  readonly log: string[] = []
  isBroken = false

  constructor(
    private readonly externalHost = '8.1.2.3',
    private readonly lifetimeSeconds = 1_200,
  ) {}

  async map({ protocol, port }: PortMapping): Promise<MappedPort> {
    this.log.push(`map ${protocol}`)
    if (this.isBroken) throw new Error('broken')
    return { externalPort: port, externalHost: this.externalHost, lifetimeSeconds: this.lifetimeSeconds }
  }

  async unmap({ protocol }: PortMapping): Promise<void> {
    this.log.push(`unmap ${protocol}`)
  }
}

function forwarding(mode: NatMode, routers: readonly NatRouter[]) {
  const clock = new FakeClock()
  const ports = (['tcp', 'udp'] as const).map((protocol) => ({ protocol, port: 32_110, description: 'peers' }))
  const said: string[] = []
  const sink = { write: ({ message }: LogRecord) => void said.push(message) }
  const log = createLogger('test', { minLevel: 'info', now: () => 0, sink })
  const deps = { routers: async () => routers, clock, log }
  const service = new PortForwarding({ mode, ports: () => ports }, deps)
  const hosts: string[] = []
  service.events.on('addressFound', ({ host }) => hosts.push(host))
  return { clock, service, hosts, said }
}

describe('port forwarding', () => {
  it('maps at startup, renews, and unmaps at the end', async () => {
    const router = new FakeRouter()
    const { clock, service, hosts } = forwarding({ kind: 'any', host: null }, [router])
    await service.start(never)
    await vi.waitFor(() => expect(router.log).toEqual(['map tcp', 'map tcp', 'map udp']), 240_000)
    clock.advance(600_000)
    await vi.waitFor(() => expect(router.log).toHaveLength(5), 240_000)
    await service.stop()
    await service.stop()

    expect(router.log.slice(5)).toEqual(['unmap tcp', 'unmap udp'])
    expect(hosts[0]).toBe('8.1.2.3')
    expect(clock.pending).toBe(0)
  })

  it('renews in time what a router maps for two minutes only', async () => {
    const router = new FakeRouter('8.1.2.3', 120)
    const { clock, service } = forwarding({ kind: 'any', host: null }, [router])
    await service.start(never)
    await vi.waitFor(() => expect(clock.pending).toBe(1), 240_000)
    clock.advance(60_000)
    await vi.waitFor(() => expect(router.log).toHaveLength(5), 240_000)
    await service.stop()
  })

  it('says once that no router opens a port', async () => {
    const router = new FakeRouter()
    router.isBroken = true
    const { clock, service, said } = forwarding({ kind: 'upnp', host: null }, [router])
    await service.start(never)
    const none = 'no router opens our ports: others can connect only if they are forwarded by hand'
    await vi.waitFor(() => expect(said).toEqual([none]), 240_000)
    await vi.waitFor(() => expect(clock.pending).toBe(1), 240_000)
    clock.advance(300_000)
    await vi.waitFor(() => expect(router.log).toHaveLength(2), 240_000)
    await service.stop()
    expect(said).toEqual([none])
  })

  it("doesn't mistake the address of a router behind a router for ours", async () => {
    for (const host of ['192.168.3.4', '100.64.0.9', '0.0.0.0', '127.0.0.1']) {
      const router = new FakeRouter(host)
      const { service, hosts } = forwarding({ kind: 'any', host: null }, [router])
      await service.start(never)
      await vi.waitFor(() => expect(router.log).toHaveLength(3), 240_000)
      await service.stop()
      expect(hosts).toEqual([])
    }
  })

  it('uses one of several routers, and another if that one breaks', async () => {
    const [first, second] = [new FakeRouter(), new FakeRouter()]
    first.isBroken = true
    const { clock, service } = forwarding({ kind: 'any', host: null }, [first, second])
    await service.start(never)
    await vi.waitFor(() => expect(second.log).toHaveLength(3), 240_000)
    first.isBroken = false
    second.isBroken = true
    clock.advance(600_000)
    await vi.waitFor(() => expect(second.log).toHaveLength(5), 240_000)
    await vi.waitFor(() => {
      clock.advance(300_000)
      expect(first.log).toContain('map udp')
    }, 240_000)
    await service.stop()

    expect(first.log.at(-1)).toBe('unmap udp')
  })

  it('asks no router for a known address or for none', async () => {
    const router = new FakeRouter()
    const known = forwarding({ kind: 'extip', host: '9.9.9.9' }, [router])
    const none = forwarding({ kind: 'none', host: null }, [router])
    await known.service.start(never)
    await none.service.start(never)
    await Promise.all([known.service.stop(), none.service.stop()])

    expect([known.hosts, none.hosts, router.log]).toEqual([['9.9.9.9'], [], []])
  })
})
