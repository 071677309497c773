// One connection of the simulated pool: framing, transport faults, and the dialect it speaks.
import type { Socket } from 'node:net'
import { type Conversation, flavourOf, type Request, startConversation } from './conversations'
import { answerHttp } from './getwork'
import type { Flavour, SimulatedPool } from './pool'

const LINE_FEED = 10

export class PoolClient {
  extranonce: string
  #buffer: Buffer = Buffer.alloc(0)
  #conversation: Conversation | null = null
  #flavour: Flavour | null
  #sent = 0
  #heard = 0
  #held = ''
  #bigSent = false

  constructor(
    readonly pool: SimulatedPool,
    private readonly socket: Socket,
    readonly number: number,
  ) {
    this.extranonce = pool.extranonce
    this.#flavour = pool.flavour
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
  }

  destroy(): void {
    this.socket.destroy()
  }

  /** Sends the pool's current job once logged in. */
  offer(clean: boolean): void {
    if (this.#conversation?.ready !== true || this.pool.faults.noJob === true) return
    const { bigLine, dupJob } = this.pool.faults
    if (bigLine !== undefined && !this.#bigSent) {
      this.#bigSent = true
      this.send({ id: null, method: 'mining.notify', params: ['x'.repeat(bigLine)] })
    }
    for (const message of this.#conversation.jobMessages(clean)) this.send(message)
    if (dupJob === true) for (const message of this.#conversation.jobMessages(clean)) this.send(message)
  }

  /** What a pool may send unasked, once a client is logged in. */
  talk(): void {
    const { versionRequest, flood = 0, reconnect, bye } = this.pool.faults
    if (versionRequest === true) this.send({ id: 77, jsonrpc: '2.0', method: 'client.get_version', params: [] })
    for (let i = 0; i < flood; i++) this.send({ id: null, method: 'mining.nothing', params: [i] })
    if (reconnect !== undefined) this.send({ id: null, method: 'client.reconnect', params: reconnect })
    if (bye === true && this.#flavour === 'stratum2') this.send({ method: 'mining.bye' })
  }

  settingsChanged(): void {
    for (const message of this.#conversation?.settingsMessages() ?? []) this.send(message)
  }

  extranonceChanged(extranonce: string): void {
    this.extranonce = extranonce
    for (const message of this.#conversation?.extranonceMessages() ?? []) this.send(message)
  }

  push(message: object): void {
    if (this.#conversation?.ready === true) this.send(message)
  }

  send(message: object): void {
    const { faults } = this.pool
    if (faults.muteAll === true || faults.halfOpen === true || this.socket.destroyed) return
    const write = (): void => this.#write(message)
    if (faults.slow === undefined) write()
    else this.pool.clock.setTimeout(write, faults.slow)
  }

  #write(message: object): void {
    const { faults } = this.pool
    if (this.socket.destroyed) return
    this.#sent += 1
    const every = (count: number | undefined): boolean => count !== undefined && this.#sent % count === 0
    if (every(faults.garbage)) this.socket.write('{"id":1,"result":[tru\n')
    if (every(faults.binary)) this.socket.write(Buffer.concat([Buffer.alloc(64, 0xfe), Buffer.from('\n')]))
    const renamed = faults.stringId === true && 'id' in message && message.id !== null
    const text = JSON.stringify(renamed ? { ...message, id: String(message.id) } : message)
    const line = text + (faults.blank === true ? '\r\n\r\n\n' : '\n')
    const half = line.length >> 1
    if (faults.cutLine !== undefined && this.#sent >= faults.cutLine) {
      this.socket.end(line.slice(0, half))
    } else if (faults.halfLine !== undefined) {
      this.#held += line
      this.#writeHalves(faults.halfLine)
    } else if (faults.merge !== undefined) {
      if (this.#held === '') this.pool.clock.setTimeout(() => this.#flush(), faults.merge)
      this.#held += line
    } else this.socket.write(line)
    if (faults.dropAfter !== undefined && this.#sent >= faults.dropAfter) this.socket.end()
  }

  /** Held data is sent in two parts; lines that arrive in between follow in order. */
  #writeHalves(gapMs: number): void {
    const text = this.#held
    if (text === '' || this.#halving) return
    this.#halving = true
    this.#held = ''
    this.socket.write(text.slice(0, text.length >> 1))
    this.pool.clock.setTimeout(() => {
      this.#halving = false
      if (!this.socket.destroyed) this.socket.write(text.slice(text.length >> 1))
      this.#writeHalves(gapMs)
    }, gapMs)
  }
  #halving = false

  #flush(): void {
    const text = this.#held
    this.#held = ''
    if (!this.socket.destroyed) this.socket.write(text)
  }

  #take(chunk: Buffer): void {
    if (this.pool.faults.halfOpen === true) return
    this.#buffer = Buffer.concat([this.#buffer, chunk])
    if (this.#flavour === null && this.#buffer.subarray(0, 5).toString() === 'POST ') this.#flavour = 'getwork'
    if (this.#flavour === 'getwork') {
      this.#buffer = answerHttp(this.pool, this.socket, this.#buffer, this.number)
      return
    }
    for (let end = this.#buffer.indexOf(LINE_FEED); end >= 0; end = this.#buffer.indexOf(LINE_FEED)) {
      const line = this.#buffer.subarray(0, end).toString()
      this.#buffer = this.#buffer.subarray(end + 1)
      this.pool.received.push(line)
      const request: Request = JSON.parse(line)
      this.#heard += 1
      if (this.#heard >= (this.pool.faults.hangUpAfter ?? Infinity)) {
        this.destroy()
        return
      }
      if (this.#heard === 1 && this.pool.faults.muteLogin === true) return
      this.#conversation ??= startConversation(this.#flavour ?? flavourOf(request), this)
      this.#conversation.take(request)
    }
  }
}
