// The simulated pool as a node: getwork over HTTP/1.1 with keep-alive.
import type { Socket } from 'node:net'
import { type Request, workOf } from './conversations'
import type { SimulatedPool } from './pool'

/** Answers every complete request in `buffer` and returns the rest. */
export function answerHttp(pool: SimulatedPool, socket: Socket, buffer: Buffer, connection: number): Buffer {
  let rest = buffer
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return rest
    const head = rest.subarray(0, end).toString()
    const length = Number(/content-length:\s*(\d+)/i.exec(head)?.[1] ?? 0)
    if (rest.length < end + 4 + length) return rest
    const body = rest.subarray(end + 4, end + 4 + length).toString()
    rest = rest.subarray(end + 4 + length)
    pool.received.push(body)
    answerOne(pool, socket, JSON.parse(body), connection)
  }
}

function answerOne(pool: SimulatedPool, socket: Socket, request: Request, connection: number): void {
  const { faults } = pool
  if (faults.muteAll === true) return
  if (faults.hangUpAfter !== undefined) {
    socket.destroy()
    return
  }
  const text = httpText(pool, request, connection)
  if (faults.muteSubmit === true && request.method === 'eth_submitWork') return
  const write = (): void => {
    if (socket.destroyed) return
    if (faults.cutLine !== undefined) socket.end(text.slice(0, text.length >> 1))
    else if (faults.dropAfter !== undefined) socket.end(text)
    else socket.write(text)
  }
  if (faults.slow === undefined) write()
  else pool.clock.setTimeout(write, faults.slow)
}

function httpText(pool: SimulatedPool, request: Request, connection: number): string {
  const { httpError, garbage, bigLine, chunked } = pool.faults
  if (httpError === true) return response('503 Service Unavailable', '{"error":"unavailable"}', false)
  const body = JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer(pool, request, connection) })
  if (garbage !== undefined) return response('200 OK', body.slice(0, body.length >> 1), false)
  return response('200 OK', bigLine === undefined ? body : body.padEnd(bigLine), chunked === true)
}

function answer(pool: SimulatedPool, { method, params = [] }: Request, connection: number): object {
  const { faults } = pool
  if (method === 'eth_getWork') {
    const none = faults.rpcError === true || faults.noJob === true
    return none ? fault(-32_000, 'no mining work available yet') : { result: workOf({ pool }) }
  }
  if (method === 'eth_submitWork') {
    const [nonce, header, mix] = params.map(String)
    const bare = nonce?.replace(/^0x/, '') ?? ''
    const judged = pool.judge(connection, pool.jobByHeader(header), bare, mix?.replace(/^0x/, '') ?? null)
    return { result: judged.verdict === 'accepted' }
  }
  if (method === 'eth_submitHashrate') {
    const rate = String(params[0])
    if (!/^0x(0|[1-9a-f][0-9a-f]*)$/.test(rate)) return fault(-32_602, 'hex number with leading zero digits')
    pool.reports.push({ rate, id: params[1], worker: undefined })
    return { result: true }
  }
  return fault(-32_601, 'the method does not exist')
}

function response(status: string, body: string, chunked: boolean): string {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nConnection: keep-alive\r\n`
  if (!chunked) return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const half = body.length >> 1
  const parts = [body.slice(0, half), body.slice(half)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
  return `${head}Transfer-Encoding: chunked\r\n\r\n${parts.join('')}0\r\n\r\n`
}

function fault(code: number, message: string): object {
  return { error: { code, message } }
}
