// A rig for tests of the stratum server: a raw line client over a real socket.
import { connect, type Socket } from 'node:net'
import { z } from 'zod'

const messageSchema = z.record(z.string(), z.unknown())
/** A line from the server. */
type Message = z.infer<typeof messageSchema>

/** One connection. */
export class RigClient {
  /** everything received */
  readonly messages: Message[] = []
  readonly socket: Socket
  isClosed = false
  #text = ''
  #serial = 0
  #waiting: (() => void)[] = []

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('data', (chunk) => this.#take(chunk.toString()))
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      this.isClosed = true
      this.#wake()
    })
  }

  send(text: string): void {
    this.socket.write(text)
  }

  /** Sends a request and resolves with its answer; null: the connection was closed. */
  async ask(method: string, params?: unknown, more: object = {}): Promise<Message | null> {
    this.#serial += 1
    const id = this.#serial
    this.send(`${JSON.stringify({ id, method, params, ...more })}\n`)
    return this.find((message) => message.id === id && !('method' in message))
  }

  /** The first message that fits, now or later; null: the connection was closed first. */
  async find(fits: (message: Message) => boolean): Promise<Message | null> {
    for (;;) {
      const found = this.messages.find(fits)
      if (found !== undefined) return found
      if (this.isClosed) return null
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** The parameters of the n-th notification of this method. */
  async params(method: string, index = 0): Promise<readonly unknown[]> {
    const found = await this.find((message) => this.pushes(method).indexOf(message) === index)
    return z.array(z.unknown()).parse(found?.params)
  }

  pushes(method: string): readonly Message[] {
    return this.messages.filter((message) => message.method === method)
  }

  async closed(): Promise<void> {
    await this.find(() => false)
  }

  #take(text: string): void {
    this.#text += text
    const lines = this.#text.split('\n')
    this.#text = lines.pop() ?? ''
    for (const line of lines) this.messages.push(messageSchema.parse(JSON.parse(line)))
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
