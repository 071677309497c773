import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { remoteSigner, SignerProbe } from './remote-signer'

const caller = { transport: 'http', remote: 'NA', local: 'NA', userAgent: '', origin: '' } as const
const patient = { caller, signal: new AbortController().signal }

/** The fake's answer; null = never. */
type Answer = (body: string) => string | null

class FakeSigner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'headframe-remote-'))
  readonly #http: HttpServer
  readonly #ipc: Server
  readonly gone: Promise<void>
  readonly asked: string[] = []
  readonly socketPath = join(this.#folder, 's.ipc')

  constructor(answer: Answer) {
    let leave = (): void => undefined
    this.gone = new Promise((resolve) => {
      leave = resolve
    })
    this.#http = createHttpServer((request, response) => {
      request.socket.once('close', leave)
      request.setEncoding('utf8').on('data', (body: string) => {
        this.asked.push(body)
        const text = answer(body)
        if (text !== null) response.end(text)
      })
    })
    this.#ipc = createServer((socket: Socket) => {
      socket.once('close', leave).on('error', () => undefined) // a short answer was whole in its first piece
      socket.setEncoding('utf8').on('data', (body: string) => {
        this.asked.push(body)
        const text = answer(body)
        if (text === null) return
        socket.write(text.slice(0, 5)) // arrives in pieces
        setTimeout(() => socket.write(text.slice(5)), 5)
      })
    })
  }

  async start(): Promise<{ readonly http: string; readonly ipc: string }> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    await new Promise<void>((resolve) => this.#ipc.listen(this.socketPath, resolve))
    const { port } = this.#http.address() as AddressInfo
    return { http: `http://127.0.0.1:${port}`, ipc: this.socketPath }
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#http.close(resolve))
    await new Promise((resolve) => this.#ipc.close(resolve))
    rmSync(this.#folder, { recursive: true })
  }
}

describe.each(['http', 'ipc'] as const)('a signer over %s', (kind) => {
  let fake: FakeSigner | null = null
  const against = async (answer: Answer) => {
    fake = new FakeSigner(answer)
    const addresses = await fake.start()
    return { fake, ask: remoteSigner(addresses[kind]), address: addresses[kind] }
  }
  afterEach(async () => {
    await fake?.stop()
    fake = null
  })

  it('is called by JSON-RPC, and its result is returned', async () => {
    const { fake: signer, ask } = await against(() => '{"jsonrpc":"2.0","id":1,"result":["0x11"]}\n')

    expect(await ask('account_list', [1], patient)).toEqual(['0x11'])
    expect(JSON.parse(signer.asked[0] ?? '')).toEqual({ jsonrpc: '2.0', id: 1, method: 'account_list', params: [1] })
  })

  it('refuses with its own words', async () => {
    const { ask } = await against(() => '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"request denied"}}\n')

    await expect(ask('account_list', [], patient)).rejects.toThrow('request denied')
  })

  it('learns from a closed connection that the caller has left', async () => {
    const { fake: signer, ask } = await against(() => null)
    const leaving = new AbortController()

    const waiting = ask('account_list', [], { caller, signal: leaving.signal })
    await expect.poll(() => signer.asked.length).toBe(1)
    leaving.abort(new Error('the client went away'))

    await expect(waiting).rejects.toThrow('the client went away')
    await signer.gone
  })

  it.each([
    '"what?"',
    '{}',
    '{"status":"ok"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":7,"result":["0x11"]}',
    '{"jsonrpc":"2.0","id":1,"error":"no"}',
  ])('reports a signer that speaks another protocol: %s', async (text) => {
    const { ask, address } = await against(() => `${text}\n`)

    await expect(ask('account_list', [], patient)).rejects.toThrow(
      `the signer at ${address} did not answer with JSON-RPC`,
    )
  })
})

it('says what a server answers that lets nobody in', async () => {
  const server = createHttpServer((_, response) => void response.writeHead(403).end('invalid host specified\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await expect(remoteSigner(`http://127.0.0.1:${port}`)('account_list', [], patient)).rejects.toThrow(
    `signer http://127.0.0.1:${port} cannot be reached: HTTP 403: invalid host specified`,
  )
  server.close()
})

it("names the signer that isn't there", async () => {
  await expect(remoteSigner('/nonexistent/s.ipc')('account_list', [], patient)).rejects.toThrow(
    'signer /nonexistent/s.ipc cannot be reached',
  )
  await expect(remoteSigner('http://127.0.0.1:1')('account_list', [], patient)).rejects.toThrow(
    'signer http://127.0.0.1:1 cannot be reached',
  )
})

describe('the question whether a signer is there', () => {
  const never = new AbortController().signal
  const probe = (target: string, clock = new FakeClock()) => new SignerProbe(target, clock).start(never)

  it('is content with any answer of a signer', async () => {
    const fake = new FakeSigner(() => '{"jsonrpc":"2.0","id":1,"result":"6.1.0"}')
    const { http, ipc } = await fake.start()

    await probe(http)
    await probe(ipc)

    expect(fake.asked.map((body) => JSON.parse(body).method)).toEqual(['account_version', 'account_version'])
    await fake.stop()
  })

  it.each([
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}', 'no such method'],
    ['something else', '<html>', 'did not answer with JSON-RPC'],
  ])('ends the start at %s', async (_what, answer, reason) => {
    const fake = new FakeSigner(() => answer)
    const { http } = await fake.start()

    await expect(probe(http)).rejects.toMatchObject({
      code: 'HOST_SIGNER_UNREACHABLE',
      message: expect.stringContaining(reason),
    })
    await fake.stop()
  })

  it('ends the start if nobody listens, and if nobody answers in ten seconds', async () => {
    const gone = new FakeSigner(() => null)
    const { http, ipc } = await gone.start()
    const clock = new FakeClock()
    const asked = new SignerProbe(http, clock).start(never)
    const refused = expect(asked).rejects.toMatchObject({ message: expect.stringContaining('no answer within 10 s') })
    await expect.poll(() => gone.asked.length).toBe(1)
    clock.advance(10_000)
    await refused
    await gone.stop()

    for (const target of [http, ipc])
      await expect(probe(target)).rejects.toMatchObject({ code: 'HOST_SIGNER_UNREACHABLE' })
  })
})
