// A control port with real parts behind it (miner service, pool source, simulated pool); only the hashing is fake.
import { connect, type Socket } from 'node:net'
import { silentLogger } from '../../src/base/logger'
import type { MetricsRegistry } from '../../src/base/metrics'
import { Secret } from '../../src/base/secret'
import { systemClock } from '../../src/base/time'
import { parsePoolUrl } from '../../src/config/values/pool-url'
import { ControlPort, type ControlPortOptions } from '../../src/host/control-port/control-port'
import { TextMetrics } from '../../src/host/system/metrics-text'
import { firstMatch } from '../../src/miner/api/first-match'
import { LineMethods } from '../../src/miner/api/line-methods'
import { CpuBackend } from '../../src/miner/farm/backends/cpu-backend'
import { MinerService } from '../../src/miner/miner-service'
import { FakeEngine } from '../../src/miner/testing/fake-engine'
import { makeRig, until } from '../miner/pool-harness'
import { PoolHasher } from '../miner/pool-sim/independent-xhash'
import { SimulatedPool } from '../miner/pool-sim/pool'

export const TOKEN = 'correct-horse-battery'
export const USER = '0x1111111111111111111111111111111111111111'

export interface ControlFixture {
  readonly port: ControlPort
  readonly tcpPort: number
  readonly miner: MinerService
  readonly pool: SimulatedPool
  readonly engines: readonly FakeEngine[]
  readonly reboots: string[]
  readonly verbosity: number[]
  stop(): Promise<void>
}

export interface FixtureOptions
  extends Partial<Pick<ControlPortOptions, 'allowControl' | 'bind' | 'hosts' | 'monitor'>> {
  readonly token?: string
  readonly devices?: number
  readonly extranonce?: string
}

/** Two devices, one pool with a password in its address, control allowed. */
export async function startControl(options: FixtureOptions = {}): Promise<ControlFixture> {
  const { token, devices = 2, extranonce, allowControl = true } = options
  const flavour = extranonce === undefined ? 'stratum' : 'nicehash'
  const pool = new SimulatedPool(
    { flavour, difficulty: 60, verify: false, ...(extranonce === undefined ? {} : { extranonce }) },
    new PoolHasher(),
  )
  await pool.start()
  const scheme = flavour === 'stratum' ? 'stratum+tcp' : 'stratum2+tcp'
  const { source } = makeRig([`${scheme}://${USER}.rig1:x@127.0.0.1:${pool.port}/me@mail.example?diff=hashes`])
  const engines = Array.from({ length: devices }, () => new FakeEngine())
  const [engine = new FakeEngine()] = engines
  const clock = systemClock()
  const metrics = new TextMetrics()
  const miner = createMiner({ source, engine, engines, clock, metrics })
  const reboots: string[] = []
  const verbosity: number[] = []
  const lines = new LineMethods({
    miner,
    pools: source,
    readUrl: parsePoolUrl,
    firstMatch: (pattern, texts) => firstMatch(clock, pattern, texts),
    reboot: async () => reboots.push('asked') > 1,
    setVerbosity: (bits) => void verbosity.push(bits),
    hostName: 'rig',
    hostMemoryBytes: 2 ** 31,
    log: silentLogger,
  })
  const port = new ControlPort(
    {
      bind: { host: '127.0.0.1', port: 0 },
      preferredPort: null,
      apiToken: token === undefined ? null : new Secret(token),
      sessionToken: null,
      openControl: allowControl && token === undefined,
      hosts: [],
      monitor: false,
      staticDir: null,
      ...options,
      allowControl,
    },
    { miner, lines, rigs: null, links: null, metrics, onChannel: () => undefined, clock, log: silentLogger },
  )
  await miner.start(new AbortController().signal)
  await port.start(new AbortController().signal)
  await until('both devices at work', () =>
    engines.every((each) => each.searches.at(-1)?.job !== undefined && each.searches.at(-1)?.job !== null),
  )
  const stop = async (): Promise<void> => {
    await port.stop()
    await miner.stop()
    await pool.stop()
  }
  return { port, tcpPort: port.address()?.port ?? 0, miner, pool, engines, reboots, verbosity, stop }
}

function createMiner(parts: {
  readonly source: ReturnType<typeof makeRig>['source']
  readonly engine: FakeEngine
  readonly engines: readonly FakeEngine[]
  readonly clock: ReturnType<typeof systemClock>
  readonly metrics: MetricsRegistry
}): MinerService {
  const { source, engine, engines, clock, metrics } = parts
  const backends = engines.map((each, i) => new CpuBackend({ name: `CPU "${i}"`, threads: 1, sensors: null }, each))
  const options = { version: '1.2.3', cpuThreads: null, historyFile: null }
  return new MinerService(options, {
    source,
    engine,
    clock,
    log: silentLogger,
    metrics,
    random: () => 0x1000n,
    backends,
  })
}

/** A plain TCP client that records what it receives. */
export class Wire {
  received = ''
  closed = false
  readonly socket: Socket

  constructor(tcpPort: number) {
    this.socket = connect({ host: '127.0.0.1', port: tcpPort, allowHalfOpen: true })
    this.socket.setNoDelay(true)
    this.socket.on('data', (part: Buffer) => {
      this.received += part.toString('latin1')
    })
    this.socket.on('end', () => this.#close())
    this.socket.on('close', () => this.#close())
    this.socket.on('error', () => this.#close())
  }

  send(data: string | Uint8Array): this {
    this.socket.write(data)
    return this
  }

  /** The lines so far, once there are `count`. */
  async lines(count: number): Promise<unknown[]> {
    await until(`${count} lines, got ${this.received}`, () => this.received.split('\n').length > count)
    return this.received
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
  }

  async untilClosed(limitMs?: number): Promise<string> {
    await until('the end of the connection', () => this.closed, limitMs)
    return this.received
  }

  destroy(): void {
    this.socket.destroy()
  }

  #close(): void {
    this.closed = true
  }
}

/** One line request on a separate connection. */
export async function call(tcpPort: number, method: string, params?: unknown): Promise<unknown> {
  const wire = new Wire(tcpPort).send(`${JSON.stringify({ id: 1, jsonrpc: '2.0', method, params })}\n`)
  try {
    return (await wire.lines(1))[0]
  } finally {
    wire.destroy()
  }
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One HTTP request, verbatim, on a separate connection; `Connection: close` is added. */
export async function http(
  tcpPort: number,
  requestLine: string,
  headers: readonly string[] = [],
  body = '',
): Promise<HttpAnswer> {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${tcpPort}`]
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [`${requestLine} HTTP/1.1`, ...host, ...headers, ...length, 'Connection: close', '', body]
  const wire = new Wire(tcpPort).send(lines.join('\r\n'))
  const text = await wire.untilClosed()
  wire.destroy()
  return readAnswer(text)
}

export function readAnswer(text: string): HttpAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}
