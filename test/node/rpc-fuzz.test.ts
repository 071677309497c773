// 20,000 malformed requests, in bytes, JSON and arguments: the server keeps answering, reports the error by the rules,
// never has an internal error, and retains nothing of them. Then many idle clients.
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NodeService } from '../../src/node/node-service'
import { createMethodTable } from '../../src/node/rpc/methods/all-methods'
import { newFolder, practiceNode } from './practice-node'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const API = ['eth', 'net', 'web3', 'debug', 'trace', 'txpool']
const names = [...createMethodTable().keys()].filter((name) => API.includes(name.split('_')[0] ?? ''))
const AT_ONCE = 32

/** The same sequence in every run. */
class Dice {
  #state = 20_251_121

  below(count: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % count
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }
}

const dice = new Dice()
const hex = (digits: number): string => {
  let text = ''
  while (text.length < digits) text += dice.below(16).toString(16)
  return text
}
const STRINGS = [
  '',
  '0x',
  '0X1',
  'latest',
  'pending',
  'safe',
  'LATEST',
  '\u0000',
  '中文',
  '-0x1',
  '0x00',
  'true',
  '\ud800',
]
const KEYS = ['from', 'to', 'data', 'gas', 'gasPrice', 'value', 'nonce', 'fromBlock', 'toBlock', 'address', 'topics']
const MORE_KEYS = [
  'blockHash',
  'blockNumber',
  'accessList',
  'tracer',
  'limit',
  'timeout',
  '__proto__',
  'constructor',
  '',
]

function value(depth = 0): unknown {
  const kind = dice.below(depth > 3 ? 7 : 10)
  if (kind === 0) return null
  if (kind === 1) return dice.below(2) === 0
  if (kind === 2) return dice.pick([0, -1, 1.5, 1e300, 2 ** 53, 42])
  if (kind === 3) return dice.pick(STRINGS)
  if (kind === 4) return `0x${hex(dice.pick([0, 1, 2, 16, 17, 63, 65, 128, 2_000]))}`
  if (kind === 5) return `0x${hex(40)}`
  if (kind === 6) return `0x${hex(64)}`
  if (kind === 7) return Array.from({ length: dice.below(4) }, () => value(depth + 1))
  return Object.fromEntries(
    Array.from({ length: dice.below(5) }, () => [dice.pick([...KEYS, ...MORE_KEYS]), value(depth + 1)]),
  )
}

const wrongArguments = (): string =>
  JSON.stringify({ id: 1, method: dice.pick(names), params: Array.from({ length: dice.below(5) }, () => value()) })

function wrongJson(depth = 0): string {
  const good = JSON.stringify({ jsonrpc: '2.0', id: value(), method: dice.pick(names), params: value() })
  const at = dice.below(good.length)
  const shape = dice.below(depth > 2 ? 3 : 6)
  if (shape === 0) return good.slice(0, at)
  if (shape === 1)
    return good.slice(0, at) + dice.pick(['"', '{', ']', ',', '\\', '\u0000', '\ufeff', '0']) + good.slice(at)
  if (shape === 2) return JSON.stringify(value())
  if (shape === 3) return `[${Array.from({ length: dice.below(12) }, () => wrongJson(depth + 1)).join(',')}]`
  if (shape === 4) return '['.repeat(dice.below(5_000)) + good
  return Array.from({ length: dice.below(200) }, () => String.fromCharCode(dice.below(0x3000))).join('')
}

function wrongBytes(): Buffer {
  const garbage = () => Buffer.from(Array.from({ length: dice.below(300) }, () => dice.below(256)))
  const length = dice.pick([
    '',
    `Content-Length: ${dice.below(1e9)}\r\n`,
    'Content-Length: -1\r\n',
    'Transfer-Encoding: chunked\r\n',
  ])
  const line = dice.pick([
    'POST / HTTP/1.1',
    'GET / HTTP/1.0',
    'PRI * HTTP/2.0',
    'POST  /',
    'BREW / HTTP/1.1',
    'POST / HTTP/9.9',
  ])
  const head = Buffer.from(
    `${line}\r\nHost: ${dice.pick(['127.0.0.1', 'evil', '', '[', '\u00ff'])}\r\n${length}\r\n`,
    'latin1',
  )
  return dice.pick([garbage(), head, Buffer.concat([head, garbage()])])
}

describe('JSON-RPC under wrong requests', () => {
  const folder = newFolder()
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  let node: NodeService
  let port = 0
  beforeAll(async () => {
    const http = { host: '127.0.0.1', port: 0, api: API, vhosts: [], corsOrigins: [] }
    const rpc = { http, ws: null, ipcPath: null, bodyLimitBytes: 100_000, batchLimit: 10, getworkHeight: false }
    node = practiceNode(folder, { rpc })
    await node.start(new AbortController().signal)
    port = node.rpcAddress()?.port ?? 0
  })
  afterAll(async () => {
    agent.destroy()
    await node.stop()
    rmSync(folder, { recursive: true })
  })

  const send = (body: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const call = request({ host: '127.0.0.1', port, agent, method: 'POST', headers }, (response) => {
        let text = ''
        response.on('data', (part) => (text += part))
        response.on('end', () => resolve(text))
      })
      call.on('error', reject)
      call.end(body)
    })
  const isAnswer = (answer: { jsonrpc?: unknown; result?: unknown; error?: { code?: unknown; message?: unknown } }) =>
    answer.jsonrpc === '2.0' &&
    (answer.error === undefined
      ? answer.result !== undefined
      : typeof answer.error.code === 'number' && answer.error.message !== 'internal error')
  /** Sends `count` requests, some at once; each must get an answer. */
  const many = async (count: number, make: () => string) => {
    let left = count
    const odd: string[] = []
    const worker = async () => {
      while (left-- > 0) {
        const body = make()
        const text = await send(body)
        const answer = text === '' ? [] : JSON.parse(text)
        if (![answer].flat().every(isAnswer)) odd.push(`${body} -> ${text}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    expect(odd.slice(0, 5)).toEqual([])
  }
  const isAlive = async () => expect(JSON.parse(await send('{"id":1,"method":"eth_chainId"}')).result).toBe('0x539')
  const heapMegabytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed / 1e6
  }

  it('answers 18,000 with wrong JSON or arguments by the rules, and keeps nothing of them', async () => {
    await many(2_000, () => wrongJson())
    await many(2_000, wrongArguments)
    const before = heapMegabytes()
    await many(7_000, () => wrongJson())
    await many(7_000, wrongArguments)

    expect(heapMegabytes() - before).toBeLessThan(20)
    await isAlive()
  })

  it('survives 2,000 connections with wrong bytes', async () => {
    const one = () =>
      new Promise<void>((resolve) => {
        const bytes = wrongBytes()
        const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
        socket.on('error', () => undefined)
        socket.on('close', () => resolve())
        socket.resume()
      })
    for (let round = 0; round < 2_000 / AT_ONCE; round++) await Promise.all(Array.from({ length: AT_ONCE }, one))

    await isAlive()
  })

  it('answers while 900 connections of one program are idle and 100 drip', async () => {
    const sockets: Socket[] = []
    const open = (): Promise<Socket> =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket))
        socket.on('error', reject)
        sockets.push(socket)
      })
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 100 }, open))
    for (const socket of sockets.slice(900)) socket.write('POST / HTTP/1.1\r\nContent-Le')

    await isAlive()
    expect(sockets.filter((socket) => socket.readyState === 'open')).toHaveLength(1_000)
    for (const socket of sockets) socket.destroy()
    await isAlive()
  })

  it('answers oversized bodies and batches with their limit', async () => {
    expect(await send(' '.repeat(100_001))).toBe('content length too large (100001>100000)\n')
    expect(JSON.parse(await send(`[${'1,'.repeat(10)}1]`)).error).toEqual({ code: -32600, message: 'batch too large' })
    await isAlive()
  })
})
