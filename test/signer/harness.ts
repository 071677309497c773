// A running signer for tests: real files in a temporary folder, real HTTP on a free port, keys served in the same
// thread, and a scripted user.
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, type Logger, type LogRecord } from '../../src/base/logger'
import type { MetricsRegistry } from '../../src/base/metrics'
import { type Clock, systemClock } from '../../src/base/time'
import type { Transport } from '../../src/base/wire/define'
import { memoryTransportPair } from '../../src/base/wire/memory'
import { cpuMsOfThread } from '../../src/host/workers/thread-time'
import type { MarketPort } from '../../src/signer/checks/fee-rules'
import { AirgapRequests } from '../../src/signer/hardware/airgap-requests'
import type { DevicePort } from '../../src/signer/hardware/device-port'
import { HardwareKeys } from '../../src/signer/hardware/hardware-keys'
import { LedgerWallet } from '../../src/signer/hardware/ledger-wallet'
import { serveKeys } from '../../src/signer/keystore/serve-keys'
import type { Decision, DecisionOutcome, SignerRequest } from '../../src/signer/model/request'
import type { OpenVault } from '../../src/signer/ports'
import { SignerService, type SignerServiceOptions } from '../../src/signer/signer-service'
import type { LineChannel } from '../../src/signer/ui-api/line-ui'

export const VECTORS = join(__dirname, '../vectors/signer')

export const PASSWORD_A = 'correct horse A1'
export const ACCOUNT_A = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
export const ACCOUNT_B = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
export const KEY_A = '46'.repeat(32)

/** A transfer that breaks no rule. */
export const TRANSFER = {
  from: ACCOUNT_A,
  to: ACCOUNT_B,
  gas: '0x5208',
  gasPrice: '0x3b9aca00',
  value: '0x1',
  nonce: '0x0',
}

export interface HarnessOptions {
  /** Folder under vectors/signer/keystores that is copied; `none` for an empty one. */
  readonly keystore?: string
  readonly service?: Partial<SignerServiceOptions>
  readonly clock?: Clock
  readonly keys?: (log: Logger) => Transport
  /** The thread for long calls; missing = they are checked on this one. */
  readonly checks?: (log: Logger) => Transport
  /** A program that approves on lines, instead of a window. */
  readonly lines?: LineChannel
  readonly openVault?: OpenVault
  /** What the node beside the signer knows; missing = there is none. */
  readonly market?: MarketPort
  /** Where accounts in devices are; missing = USB is off. */
  readonly devices?: DevicePort
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export function countingMetrics(): MetricsRegistry & { readonly counts: Map<string, number> } {
  const counts = new Map<string, number>()
  return {
    counts,
    counter: (spec) => ({
      inc: (by = 1, labels = {}) => {
        const key = [spec.name, ...Object.values(labels)].join(' ')
        counts.set(key, (counts.get(key) ?? 0) + by)
      },
    }),
    collect: () => undefined,
  }
}

export class Harness {
  readonly folder: string
  readonly keystore: string
  readonly auditFile: string
  readonly logs: LogRecord[] = []
  readonly metrics = countingMetrics()
  readonly service: SignerService
  readonly clock: Clock

  private constructor(folder: string, options: HarnessOptions) {
    this.folder = folder
    this.keystore = join(folder, 'keystore')
    this.auditFile = join(folder, 'audit', 'audit.jsonl')
    this.clock = options.clock ?? systemClock()
    const log = createLogger('signer', {
      minLevel: 'trace',
      now: () => 0,
      sink: { write: (record) => void this.logs.push(record) },
    })
    const keys =
      options.keys ??
      (() => {
        const [ours, theirs] = memoryTransportPair()
        serveKeys(theirs, { log, clock: systemClock(), randomBytes })
        return ours
      })
    const { checks } = options
    this.service = new SignerService(
      {
        keystore: this.keystore,
        chainId: 2110,
        london: false,
        lightKdf: true,
        strict: false,
        http: { host: '127.0.0.1', port: 0, vhosts: ['localhost'] },
        approvalTimeoutMs: 0,
        auditLog: this.auditFile,
        ownsAuditLog: true,
        ...options.service,
      },
      {
        keys: () => keys(log),
        checks: checks === undefined ? null : { open: () => checks(log), cpuMs: cpuMsOfThread },
        clock: this.clock,
        log,
        metrics: this.metrics,
        randomBytes,
        lines: options.lines ?? null,
        openVault: options.openVault ?? null,
        market: options.market,
        hardware: options.devices === undefined ? null : this.#hardware(options.devices, log),
      },
    )
  }

  #hardware(devices: DevicePort, log: Logger): HardwareKeys {
    const options = { file: join(this.folder, 'hardware.json'), pollMs: 1_000, usb: true }
    const airgap = new AirgapRequests({ folder: join(this.folder, 'unsigned'), clock: this.clock, log, randomBytes })
    return new HardwareKeys(options, {
      airgap,
      wallet: new LedgerWallet({ devices, clock: this.clock }),
      clock: this.clock,
      log,
    })
  }

  static async prepare(options: HarnessOptions = {}): Promise<Harness> {
    const folder = await mkdtemp(join(tmpdir(), 'signer-'))
    const harness = new Harness(folder, options)
    const source = options.keystore ?? 'main'
    if (source === 'none') await mkdir(harness.keystore)
    else await cp(join(VECTORS, 'keystores', source), harness.keystore, { recursive: true })
    return harness
  }

  static async start(options: HarnessOptions = {}): Promise<Harness> {
    const harness = await Harness.prepare(options)
    await harness.service.start(new AbortController().signal)
    return harness
  }

  async end(): Promise<void> {
    await this.service.stop()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** The audit log so far. */
  auditText(): Promise<string> {
    return readFile(this.auditFile, 'utf8')
  }

  get port(): number {
    return this.service.httpAddress()?.port ?? 0
  }

  /** One JSON-RPC call; the answer's JSON. */
  async call(method: string, params?: unknown, headers?: Record<string, string>): Promise<RpcAnswer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })
    const answer = await this.http({ body, headers: { 'content-type': 'application/json', ...headers } })
    return JSON.parse(answer.text) as RpcAnswer
  }

  http(sent: {
    readonly method?: string
    readonly path?: string
    readonly body?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
  }): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          host: '127.0.0.1',
          port: this.port,
          method: sent.method ?? 'POST',
          path: sent.path ?? '/',
          headers: { ...sent.headers },
          agent: false,
          ...(sent.signal === undefined ? {} : { signal: sent.signal }),
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
          response.on('error', reject)
        },
      )
      request.on('error', reject)
      request.end(sent.body)
    })
  }

  /** The oldest waiting request, as soon as there is one. */
  nextRequest(): Promise<SignerRequest> {
    return this.requestsWhere((waiting) => waiting[0])
  }

  /** Resolves with the first non-undefined choice among the waiting requests. */
  requestsWhere<T>(choose: (waiting: readonly SignerRequest[]) => T | undefined): Promise<T> {
    const look = (): T | undefined => choose(this.service.requests().filter((request) => request.state === 'waiting'))
    return new Promise((resolve) => {
      const first = look()
      if (first !== undefined) return resolve(first)
      const handle = this.service.events.on('requestsChanged', () => {
        const found = look()
        if (found === undefined) return
        handle.dispose()
        resolve(found)
      })
    })
  }

  approve(
    request: SignerRequest,
    answer: { password?: string; accounts?: readonly string[] } = {},
  ): Promise<DecisionOutcome> {
    return this.service.decide(decisionOn(request, 'approve', answer))
  }

  reject(request: SignerRequest): Promise<DecisionOutcome> {
    return this.service.decide(decisionOn(request, 'reject'))
  }
}

export interface RpcAnswer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

export function decisionOn(
  request: Pick<SignerRequest, 'id' | 'nonce' | 'contentHash'>,
  decision: 'approve' | 'reject',
  answer: { password?: string; accounts?: readonly string[] } = {},
): Decision {
  return {
    id: request.id,
    nonce: request.nonce,
    contentHash: request.contentHash,
    decision,
    password: answer.password === undefined ? null : new TextEncoder().encode(answer.password),
    accounts: answer.accounts ?? null,
  }
}
