// A pool that speaks plain stratum on this computer and accepts every share: for how a page shows a working pool.
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { z } from 'zod'

const lineSchema = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
const HEADER = 'ab'.repeat(32)
const SEED_OF_FIRST_EPOCH = '00'.repeat(32)
const TLS_HANDSHAKE = 0x16
const MAX_TARGET = 2n ** 256n - 1n

export class TrustingPool {
  /** `user.worker` and password of each login. */
  readonly logins: (readonly [string, string])[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  /** @param difficulty expected hashes per share */
  constructor(private readonly difficulty: bigint) {
    this.#server = createServer((socket) => this.#serve(socket))
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the pool does not listen')
    return address.port
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  stop(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #serve(socket: Socket): void {
    let rest = ''
    this.#sockets.add(socket)
    socket.on('error', () => undefined) // the other side left
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (part) => {
      // Where an answer takes long, the miner asks whether the port wants TLS.
      if (part[0] === TLS_HANDSHAKE) return void socket.destroy()
      const lines = `${rest}${part.toString('utf8')}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.filter((text) => text !== '')) this.#answer(socket, line)
    })
  }

  #answer(socket: Socket, line: string): void {
    const { id, method, params } = lineSchema.parse(JSON.parse(line))
    socket.write(`${JSON.stringify({ id, jsonrpc: '2.0', result: true, error: null })}\n`)
    if (method !== 'mining.authorize') return
    this.logins.push([String(params[0]), String(params[1])])
    const target = (MAX_TARGET / this.difficulty).toString(16).padStart(64, '0')
    const job = ['1', `0x${HEADER}`, `0x${SEED_OF_FIRST_EPOCH}`, `0x${target}`, true]
    socket.write(`${JSON.stringify({ id: null, jsonrpc: '2.0', method: 'mining.notify', params: job })}\n`)
  }
}
