import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { type Datagram, UdpPort } from './discv4'

const open: UdpPort[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((port) => port.close()))
})

async function udp(host: string) {
  const port = new UdpPort({ host, port: 0 }, { log: silentLogger })
  open.push(port)
  const heard: Datagram[] = []
  let wake: () => void = () => undefined
  const number = await port.open((datagram) => {
    heard.push(datagram)
    wake()
  })
  const next = async (): Promise<Datagram | undefined> => {
    if (heard.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return heard.shift()
  }
  return { port, number, next }
}

describe('the UDP port of discovery', () => {
  it('carries datagrams both ways, with one spelling of the sender', async () => {
    const [a, b] = [await udp('127.0.0.1'), await udp('127.0.0.1')]
    a.port.send(Uint8Array.of(1, 2), '127.0.0.1', b.number)

    expect(await b.next()).toEqual({ bytes: Uint8Array.of(1, 2), host: '127.0.0.1', port: a.number })
  })

  it('is named when its number is taken', async () => {
    const { number } = await udp('127.0.0.1')
    const second = new UdpPort({ host: '127.0.0.1', port: number }, { log: silentLogger })

    await expect(second.open(() => undefined)).rejects.toMatchObject({
      code: 'P2P_UDP_LISTEN_FAILED',
      data: { port: number },
    })
    await second.close()
  })

  it("silently drops what can't be sent", async () => {
    const { port, number } = await udp('127.0.0.1')
    port.send(new Uint8Array(70_000), '127.0.0.1', number)
    port.send(Uint8Array.of(1), '::1', number)
    await port.close()
    port.send(Uint8Array.of(1), '127.0.0.1', number)
    await port.close()

    expect(number).toBeGreaterThan(0)
  })
})

/** Some machines have no IPv6 at all. */
const hasIpv6 = await udp('::').then(
  () => true,
  () => false,
)

describe.skipIf(!hasIpv6)('a UDP port of both families', () => {
  it('reaches IPv4 hosts and names them as such', async () => {
    const [both, four] = [await udp('::'), await udp('127.0.0.1')]
    both.port.send(Uint8Array.of(7), '127.0.0.1', four.number)
    const there = await four.next()
    four.port.send(Uint8Array.of(8), '127.0.0.1', both.number)

    expect(there).toMatchObject({ host: '127.0.0.1', port: both.number })
    expect(await both.next()).toMatchObject({ host: '127.0.0.1', port: four.number })
  })
})
