// Pools through a SOCKS5 proxy: every dialect, encrypted or not, with names that only the proxy can resolve.
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { currentJob, makeRig, until } from './pool-harness'
import { selfSigned } from './pool-sim/certificate'
import { type Flavour, type PoolOptions, SimulatedPool } from './pool-sim/pool'

const SCHEMES = {
  stratum: 'stratum+',
  'eth-proxy': 'stratum1+',
  nicehash: 'stratum2+',
  stratum2: 'stratum3+',
  getwork: 'http',
} as const satisfies Record<Flavour, string>
const FLAVOURS: readonly Flavour[] = ['stratum', 'eth-proxy', 'nicehash', 'stratum2', 'getwork']
const NAME = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwx.onion'
const [AUTH_NONE, AUTH_PASSWORD, AUTH_REFUSED] = [0, 2, 255]
const HOST_UNREACHABLE = 4

interface Asked {
  readonly user: string
  readonly password: string
  /** as it was sent: 1 an IPv4 address, 3 a name, 4 an IPv6 address */
  readonly kind: number
  readonly host: string
  readonly port: number
}

/** A SOCKS5 server that knows every name as this computer. */
class SocksServer {
  readonly asked: Asked[] = []
  /** null: lets in everybody */
  login: { readonly user: string; readonly password: string } | null = null
  mode: 'works' | 'unreachable' | 'silent' | 'hangsUp' | 'talksHttp' = 'works'
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#accept(socket))

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    if (this.mode === 'silent') return
    if (this.mode === 'talksHttp') socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    if (this.mode === 'hangsUp') socket.once('data', () => socket.destroy())
    else void this.#serve(socket)
  }

  async #serve(socket: Socket): Promise<void> {
    const bytes = reader(socket)
    const [version = 0, methods = 0] = await bytes(2)
    const offered = await bytes(methods)
    const method = this.login === null ? AUTH_NONE : AUTH_PASSWORD
    if (version !== 5 || !offered.includes(method)) return void socket.end(Buffer.from([5, AUTH_REFUSED]))
    socket.write(Buffer.from([5, method]))
    const given = { user: '', password: '' }
    if (method === AUTH_PASSWORD) {
      const [, length = 0] = await bytes(2)
      given.user = (await bytes(length)).toString()
      given.password = (await bytes((await bytes(1))[0] ?? 0)).toString()
      const isRight = given.user === this.login?.user && given.password === this.login.password
      socket.write(Buffer.from([1, isRight ? 0 : 1]))
      if (!isRight) return void socket.end()
    }
    const [, , , kind = 0] = await bytes(4)
    const host = kind === 3 ? (await bytes((await bytes(1))[0] ?? 0)).toString() : (await bytes(4)).join('.')
    const port = (await bytes(2)).readUInt16BE()
    this.asked.push({ ...given, kind, host, port })
    if (this.mode === 'unreachable') return void socket.end(reply(HOST_UNREACHABLE))
    const target = connect(port, '127.0.0.1')
    this.#sockets.add(target)
    target.on('error', () => socket.destroy())
    target.on('close', () => socket.destroy())
    socket.on('close', () => target.destroy())
    target.once('connect', () => {
      socket.write(reply(0))
      const rest = bytes.rest()
      if (rest.length > 0) target.write(rest)
      socket.pipe(target).pipe(socket)
    })
  }
}

function reply(code: number): Buffer {
  return Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0])
}

/** Reads an exact number of bytes; what came after them is the rest. */
function reader(socket: Socket) {
  let held = Buffer.alloc(0)
  let wake = (): void => undefined
  const onData = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk])
    wake()
  }
  socket.on('data', onData)
  const read = async (count: number): Promise<Buffer> => {
    while (held.length < count) await new Promise<void>((resolve) => (wake = resolve))
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }
  const rest = (): Buffer => {
    socket.off('data', onData)
    return held
  }
  return Object.assign(read, { rest })
}

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

async function aPool(options: Partial<PoolOptions> & { flavour: Flavour }): Promise<SimulatedPool> {
  const pool = new SimulatedPool({ difficulty: 2, verify: false, ...options })
  await pool.start()
  open.push(pool)
  return pool
}

async function aProxy(): Promise<{ readonly proxy: SocksServer; readonly at: string }> {
  const proxy = new SocksServer()
  const at = `127.0.0.1:${await proxy.start()}`
  open.push(proxy)
  return { proxy, at }
}

async function aRig(url: string, options: Parameters<typeof makeRig>[1] = {}) {
  const rig = makeRig([url], options)
  open.push(rig.source)
  await rig.source.start()
  return rig
}

describe.each(FLAVOURS)('%s through a proxy', (flavour) => {
  it.each([false, true])('mines, and only the proxy learns the name; encrypted: %s', async (tls) => {
    const pool = await aPool({ flavour, ...(tls ? { tls: selfSigned('localhost', Date.now()) } : {}) })
    const { proxy, at } = await aProxy()
    proxy.login = { user: 'me@tor', password: 'a:b c' }
    const scheme = flavour === 'getwork' ? (tls ? 'https' : 'http') : `${SCHEMES[flavour]}${tls ? 'tls' : 'tcp'}`
    const given = encodeURIComponent(`socks5://me%40tor:${encodeURIComponent('a:b c')}@${at}`)
    const rig = await aRig(`${scheme}://account.rig1:x@${NAME}:${pool.port}?verify=0&proxy=${given}`)

    const job = await currentJob(rig)
    const nonce = job.extranonce === null ? 1n : job.extranonce.prefix << BigInt(64 - job.extranonce.bits)
    const share = { job, nonce, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }

    expect(await rig.source.submit(share, new AbortController().signal)).toMatchObject({ kind: 'accepted' })
    expect(proxy.asked[0]).toEqual({ user: 'me@tor', password: 'a:b c', kind: 3, host: NAME, port: pool.port })
    expect(proxy.asked.length).toBe(pool.connections)
  })
})

describe.each(['stratum1+tcp', 'stratum1+tls', 'http', 'https'])('%s through a proxy that fails', (scheme) => {
  it.each([
    ['unreachable', /through the proxy 127\.0\.0\.1:\d+: .*HostUnreachable/, 'proxy-target'],
    ['hangsUp', /through the proxy 127\.0\.0\.1:\d+: /, 'proxy-unreached'],
    ['talksHttp', /through the proxy 127\.0\.0\.1:\d+: /, 'proxy-unreached'],
    ['silent', /no connection within|no answer within/, 'proxy-unreached'],
  ] as const)('%s: says so, and never connects directly', async (mode, reason, trouble) => {
    const pool = await aPool({ flavour: scheme.startsWith('http') ? 'getwork' : 'eth-proxy' })
    const { proxy, at } = await aProxy()
    proxy.mode = mode
    const limits = { connectMs: 200, responseMs: 200 }
    const rig = await aRig(`${scheme}://account@127.0.0.1:${pool.port}?proxy=socks5://${at}`, { limits })
    const told = (): string =>
      rig.records.map(({ fields }) => String(fields.reason ?? '')).find((text) => text !== '') ?? ''
    await until('a reason', () => told() !== '')

    expect(told()).toMatch(reason)
    expect(rig.source.state().diagnosis?.trouble).toBe(trouble)
    expect(pool.connections).toBe(0)
  })
})

it('says that the proxy rejects the login, and that nobody listens there', async () => {
  const { proxy, at } = await aProxy()
  proxy.login = { user: 'u', password: 'p' }
  const refused = await aRig(`stratum1+tcp://account@pool.example:1?proxy=socks5://u:hunter2@${at}`)
  const reasonOf = (rig: typeof refused): string => JSON.stringify(rig.records.map(({ fields }) => fields.reason))
  await until('a reason', () => reasonOf(refused).includes('proxy'))
  expect(reasonOf(refused)).toMatch(/through the proxy .*[Aa]uthentication/)
  expect(refused.source.state().diagnosis?.trouble).toBe('proxy-login')
  expect(JSON.stringify(refused.records)).not.toContain('hunter2')

  await proxy.stop()
  open.splice(open.indexOf(proxy), 1)
  const gone = await aRig(`stratum1+tcp://account@pool.example:1?proxy=socks5://${at}`)
  await until('a reason', () => reasonOf(gone).includes('proxy'))
  expect(reasonOf(gone)).toContain('ECONNREFUSED')
  expect(gone.source.state().diagnosis?.trouble).toBe('proxy-unreached')
})
