import { request as ask } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { Dispatcher } from '../dispatch/dispatch'
import { CallScope, method, type RpcContext } from '../dispatch/method'
import { HttpListener } from './http-listener'
import { TRANSPORT_LIMITS } from './limits'

const BODY = '{"jsonrpc":"2.0","id":1,"method":"t_one"}'
const rules = { vhosts: ['localhost'], corsOrigins: [], bodyLimitBytes: 1_000 }

let listener: HttpListener | null = null
afterEach(() => listener?.stop())

/** @param one the answer of `t_one` @returns its port, and the scopes of the calls that have arrived */
async function listening(one: () => unknown) {
  const scopes: CallScope[] = []
  const methods = new Map([
    [
      't_one',
      method({
        params: [],
        handler: (_args, _context, scope) => {
          if (scope instanceof CallScope) scopes.push(scope)
          return one()
        },
      }),
    ],
  ])
  const context = { clock: new FakeClock() } as unknown as RpcContext // t_one uses nothing of it
  const limits = { batchLimit: 10, batchAnswerLimit: 1_000 }
  const dispatcher = new Dispatcher({ methods, otherMethod: () => null, context, log: silentLogger, ...limits })
  const options = { host: '127.0.0.1', port: 0, portOption: '--http.port', limits: TRANSPORT_LIMITS }
  const deps = { log: silentLogger, onUpgrade: null, nameLocals: async () => [] }
  listener = new HttpListener({ ...options, http: { rules, dispatcher } }, deps)
  await listener.start()
  const { port } = listener.address() ?? {}
  if (port === undefined) throw new Error('not listening')
  return { port, scopes }
}

it.each([
  ['as it is', {}, undefined],
  ['compressed', { 'accept-encoding': 'gzip' }, 'gzip'],
])(
  "answers with the length of what follows, %s, and doesn't mistake a read answer for a client that left",
  async (_, accepted, encoding) => {
    const { port, scopes } = await listening(() => 'ä')
    const headers = { 'content-type': 'application/json', 'content-length': BODY.length, ...accepted }

    const [answer, bytes] = await new Promise<[Record<string, unknown>, number]>((resolve, reject) => {
      const sent = ask({ host: '127.0.0.1', port, method: 'POST', headers }, async (response) => {
        let length = 0
        for await (const piece of response) length += Buffer.from(piece).length
        resolve([response.headers, length])
      })
      sent.on('error', reject)
      sent.end(BODY)
    })
    await listener?.stop()

    expect(answer).toMatchObject({ 'content-length': String(bytes) })
    expect(answer['content-encoding']).toBe(encoding)
    expect(scopes.map(({ ending }) => ending.ended)).toEqual([null])
  },
)

it('ends the call of a client that leaves before its answer', async () => {
  const ended: Promise<Error>[] = []
  const { port, scopes } = await listening(() => {
    const [scope] = scopes
    ended.push(new Promise((resolve) => scope?.ending.onEnd(resolve)))
    client.destroy()
    return new Promise(() => undefined)
  })
  const client = connect(port, '127.0.0.1', () => {
    client.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    )
  })
  await new Promise<void>((resolve) => client.once('close', () => resolve()))

  expect(await ended[0]).toMatchObject({ code: 'RPC_CLIENT_GONE' })
})

it("answers a proxy's requests, and health checks", async () => {
  const { port } = await listening(() => 'one')
  const send = (method: string, path: string, body?: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const sent = ask({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
        let text = ''
        for await (const piece of response) text += piece
        resolve([response.statusCode, text.trim()])
      })
      sent.on('error', reject)
      sent.end(body)
    })

  expect(await send('POST', `http://127.0.0.1:${port}/`, BODY)).toEqual([
    200,
    '{"jsonrpc":"2.0","id":1,"result":"one"}',
  ])
  expect(await send('POST', `http://127.0.0.1:${port}/other`, BODY)).toEqual([404, ''])
  expect(await send('POST', 'http://evil.example/', BODY)).toEqual([403, 'invalid host specified'])
  expect(await send('HEAD', '/')).toEqual([200, ''])
  expect(await send('GET', `http://127.0.0.1:${port}`)).toEqual([200, ''])
})
