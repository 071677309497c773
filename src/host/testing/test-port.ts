// For tests of the control port: a running port with a small miner behind it, and raw TCP clients.
import { connect, type Socket } from 'node:net'
import { silentLogger } from '../../base/logger'
import { Secret } from '../../base/secret'
import { FakeClock } from '../../base/testing/fake-clock'
import type { Transport } from '../../base/wire/define'
import { buildSummary, type Summary } from '../../miner/api/summary'
import type { EpochPlan } from '../../miner/farm/device-inventory'
import type { ViewLinkFinder } from '../control-port/access-guard'
import type { ChannelAccess } from '../control-port/channel'
import { ControlPort, type ControlPortOptions } from '../control-port/control-port'
import type { IncidentSource, MoneySource } from '../control-port/money-route'
import type { ControlledMiner } from '../control-port/router'

class FakeMiner implements ControlledMiner {
  readonly calls: string[] = []

  summary(control: boolean): Summary {
    const takenAt = 0
    return buildSummary({
      control,
      version: '1.2.3',
      devices: [],
      miner: {
        state: 'running',
        uptimeSeconds: 5,
        hashrate: { now: 1, s60: 2, m15: 3, effective: null },
        shares: { accepted: 0, rejected: 0, failed: 0 },
        source: {
          kind: 'solo',
          connected: true,
          host: 'local:0',
          url: 'solo://local',
          difficulty: null,
          epoch: null,
          height: null,
          switches: 0,
          warning: '',
          diagnosis: null,
        },
        lastProof: null,
        expectedSinceProof: 0,
        takenAt,
      },
    })
  }

  devices(): readonly unknown[] {
    return ['first', 'second']
  }

  epochPlan(): EpochPlan {
    const card = { index: 0, name: 'Card', lastEpoch: 7, memoryFullAt: 9_000, changeSeconds: 41.6 }
    return { epoch: 3, blockSeconds: 599.7, next: { epoch: 4, blocks: 2, at: 1_500 }, devices: [card] }
  }

  pause(device: number | null): void {
    this.calls.push(`pause ${device}`)
  }

  resume(device: number | null): void {
    this.calls.push(`resume ${device}`)
  }

  async restart(): Promise<void> {
    this.calls.push('restart')
  }
}

export interface TestPort {
  readonly port: ControlPort
  readonly tcpPort: number
  /** the `Host` that a browser would send */
  readonly host: string
  readonly miner: FakeMiner
  readonly clock: FakeClock
  readonly channels: { readonly transport: Transport; readonly access: ChannelAccess }[]
}

export const TOKEN = 'correct-horse-battery'

export async function startPort(
  options: Partial<ControlPortOptions> = {},
  links: ViewLinkFinder | null = null,
  parts: { readonly money?: MoneySource; readonly incidents?: IncidentSource } = {},
): Promise<TestPort> {
  const clock = new FakeClock()
  const miner = new FakeMiner()
  const channels: TestPort['channels'] = []
  const port = new ControlPort(
    {
      bind: { host: '127.0.0.1', port: 0 },
      preferredPort: null,
      apiToken: null,
      sessionToken: null,
      allowControl: false,
      openControl: false,
      hosts: [],
      monitor: false,
      staticDir: null,
      ...options,
    },
    {
      miner,
      ...parts,
      lines: null,
      rigs: null,
      links,
      metrics: { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: async () => 'up 1\n' },
      onChannel: (transport, access) => void channels.push({ transport, access }),
      clock,
      log: silentLogger,
    },
  )
  await port.start(new AbortController().signal)
  const tcpPort = port.address()?.port ?? 0
  return { port, tcpPort, host: `127.0.0.1:${tcpPort}`, miner, clock, channels }
}

export function token(text = TOKEN): Secret {
  return new Secret(text)
}

/** A TCP client that records what it receives. */
export class RawClient {
  received = ''
  closed = false
  readonly #socket: Socket
  readonly #waiting = new Set<() => void>()

  constructor(tcpPort: number) {
    this.#socket = connect({ host: '127.0.0.1', port: tcpPort, allowHalfOpen: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => {
      this.received += text
      this.#wake()
    })
    const close = (): void => {
      this.closed = true
      this.#wake()
    }
    this.#socket.on('end', close)
    this.#socket.on('close', close)
    this.#socket.on('error', close)
  }

  send(text: string): this {
    this.#socket.write(text, 'latin1')
    return this
  }

  /** Stops reading. */
  pause(): this {
    this.#socket.pause()
    return this
  }

  /** Sends FIN; answers can still come. */
  end(): this {
    this.#socket.end()
    return this
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Resolves when `condition` holds; fails after a minute with what was received. */
  async until(condition: (client: RawClient) => boolean): Promise<string> {
    const end = process.hrtime.bigint() + 60_000_000_000n
    while (!condition(this)) {
      if (process.hrtime.bigint() > end) throw new Error(`not seen in time: ${this.received} closed=${this.closed}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50)
        this.#waiting.add(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
    return this.received
  }

  untilClosed(): Promise<string> {
    return this.until((client) => client.closed)
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}

interface SimpleAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One request on its own connection. `headers` are lines; `Host` is added unless one of them is a Host. */
export async function ask(
  { tcpPort, host }: TestPort,
  requestLine: string,
  headers: readonly string[] = [],
  body = '',
): Promise<SimpleAnswer> {
  const hostLine = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${host}`]
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [`${requestLine} HTTP/1.1`, ...hostLine, ...headers, ...length, 'Connection: close']
  const client = new RawClient(tcpPort).send(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const text = await client.untilClosed()
  client.destroy()
  return parseAnswer(text)
}

export function parseAnswer(text: string): SimpleAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}
