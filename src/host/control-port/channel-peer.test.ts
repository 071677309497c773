import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startPort, type TestPort, TOKEN, token } from '../testing/test-port'
import { peerOf } from './channel-peer'

const LOCAL = { isLocal: true, isEncrypted: true }
const OPEN = { isLocal: false, isEncrypted: false }
const SECURE = { isLocal: false, isEncrypted: true }

describe('the other end of a channel', () => {
  it.each([
    ['127.0.0.1', { host: '127.0.0.1:3333', origin: 'http://127.0.0.1:3333' }, LOCAL],
    ['::1', { host: '[::1]:3333' }, LOCAL],
    ['127.0.0.1', { host: 'localhost:3333' }, LOCAL],
    ['127.0.1.1', { host: 'Tower:3333' }, LOCAL],
    ['192.168.1.7', { host: '127.0.0.1:3333' }, OPEN],
    ['192.168.1.7', { host: 'tower:3333', origin: 'https://tower:3333' }, OPEN],
    ['127.0.0.1', { host: 'rig.example', origin: 'https://rig.example' }, SECURE],
    ['127.0.0.1', { host: 'rig.example', origin: 'https://rig.example', 'x-forwarded-proto': 'https' }, SECURE],
    ['127.0.0.1', { host: 'rig.example', origin: 'https://rig.example', 'x-forwarded-proto': 'http' }, OPEN],
    ['127.0.0.1', { host: 'rig.example', origin: 'http://rig.example' }, OPEN],
    ['127.0.0.1', { host: '127.0.0.1:3333', 'x-forwarded-for': '203.0.113.5' }, OPEN],
    ['127.0.0.1', { host: '127.0.0.1:3333', via: '1.1 proxy' }, OPEN],
    ['127.0.0.1', { host: '127.0.0.1:3333', 'x-forwarded-port': '443' }, OPEN],
    ['127.0.0.1', { host: '127.0.0.1:3333', 'x-client-ip': '203.0.113.5' }, OPEN],
  ])('from %s with %j', (address, headers, expected) => {
    expect(peerOf(address, headers, 'tower')).toEqual(expected)
  })
})

describe('a channel', () => {
  const ports: TestPort[] = []
  const sockets: WebSocket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate()
    await Promise.all(ports.splice(0).map(({ port }) => port.stop()))
  })

  /** The welcome of a page with the right token, or the status with which its connection was refused. */
  async function welcome(
    headers: Record<string, string>,
    {
      shown = TOKEN,
      ...options
    }: NonNullable<Parameters<typeof startPort>[0]> & { readonly shown?: string | null } = {},
  ): Promise<unknown> {
    const port = await startPort({ apiToken: token(), allowControl: true, hosts: ['rig.example'], ...options })
    ports.push(port)
    const socket = new WebSocket(`ws://127.0.0.1:${port.tcpPort}/ui/v1/channel`, { headers })
    sockets.push(socket)
    return new Promise((done) => {
      socket.on('open', () => socket.send(JSON.stringify({ t: 'hello', token: shown })))
      socket.on('message', (data) => done(JSON.parse(String(data))))
      socket.on('unexpected-response', (_request, response) => done(response.statusCode))
      socket.on('error', () => undefined) // it was refused, or the test is over
    })
  }

  it('through a proxy controls, and never approves without the user', async () => {
    const proxied = { host: 'rig.example', origin: 'https://rig.example', 'x-forwarded-for': '203.0.113.5' }

    expect(await welcome(proxied)).toEqual({ t: 'welcome', access: { control: true, approve: false } })
    expect(await welcome({})).toEqual({ t: 'welcome', access: { control: true, approve: true } })
  })

  it('through a proxy controls with the token only, even if pages on this computer need none', async () => {
    const open = { apiToken: null, sessionToken: token(), openControl: true }
    const proxied = { 'x-forwarded-for': '203.0.113.5' }

    expect(await welcome(proxied, { ...open, shown: null })).toMatchObject({ access: { control: false } })
    expect(await welcome(proxied, open)).toMatchObject({ access: { control: true, approve: false } })
    expect(await welcome({}, { ...open, shown: null })).toMatchObject({ access: { control: true } })
  })

  it.each([
    ['of another host', { host: 'rig.example', origin: 'https://evil.example' }],
    ['of this address by HTTPS, which nobody speaks here', { origin: 'https://127.0.0.1' }],
  ])('is refused to a page %s', async (_what, headers) => {
    expect(await welcome(headers)).toBe(403)
  })
})
