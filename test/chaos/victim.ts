// The program that a chaos run mistreats: started repeatedly on one data directory, used as its users would.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { createWireClient, type WireClient } from '../../src/base/wire/client'
import type { Transport } from '../../src/base/wire/define'
import { CHANNEL_PATH, type Contract, contract } from '../../src/contract/contract'
import type { Interference } from './interference'

/** Ends what hangs. */
const HANG_MS = 240_000
const CALL_MS = 60_000
const KEPT_OUTPUT = 20_000

const readySchema = z.object({
  pid: z.number(),
  api: z.string(),
  http: z.string(),
  signer: z.object({ http: z.string() }),
})
export type Ready = z.infer<typeof readySchema>

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
})

const summarySchema = z.object({
  shares: z.object({ accepted: z.number(), rejected: z.number(), failed: z.number() }),
})

export interface VictimOptions {
  /** The project's entry program. */
  readonly door: string
  readonly args: readonly string[]
  readonly datadir: string
  readonly token: string
  readonly interference: Interference
}

export interface ShareCounts {
  readonly accepted: number
  readonly rejected: number
  readonly failed: number
  readonly lost: number
}

export interface ProcessLook {
  readonly rssBytes: number
  readonly threads: number
}

/** The connection to the program is lost, or it isn't there. The request may have been executed or not. */
export class GoneError extends Error {}

/** A JSON-RPC error answer. */
export class AnsweredError extends Error {}

export class Victim {
  readonly #options: VictimOptions
  readonly #readyFile: string
  #child: ChildProcess | null = null
  #ended: Promise<number | null> = Promise.resolve(null)
  #output = ''
  ready: Ready | null = null
  /** How often it was started. */
  lives = 0

  constructor(options: VictimOptions) {
    this.#options = options
    this.#readyFile = join(options.datadir, '..', 'ready.json')
  }

  /** The last output of this life. */
  get output(): string {
    return this.#output
  }

  /** @returns null once it is ready; otherwise its output if it ended first */
  async start(): Promise<string | null> {
    const { door, args, interference } = this.#options
    rmSync(this.#readyFile, { force: true })
    this.#output = ''
    const child = spawn(process.execPath, [door, ...args, '--ready-file', this.#readyFile], {
      env: { ...process.env, ...interference.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const hear = (part: Buffer): void => {
      this.#output = (this.#output + part.toString('utf8')).slice(-KEPT_OUTPUT)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    this.#child = child
    this.#ended = new Promise((done) => child.once('close', (code) => done(code)))
    const end = performance.now() + HANG_MS
    while (!existsSync(this.#readyFile)) {
      if (child.exitCode !== null || child.signalCode !== null) {
        await this.#ended
        return this.#output
      }
      if (performance.now() > end) throw new Error(`not ready within ${HANG_MS} ms:\n${this.#output}`)
      await new Promise((next) => setTimeout(next, 50))
    }
    this.ready = readySchema.parse(JSON.parse(readFileSync(this.#readyFile, 'utf8')))
    this.lives += 1
    return null
  }

  get isRunning(): boolean {
    return this.ready !== null && this.#child?.exitCode === null && this.#child.signalCode === null
  }

  async kill(): Promise<void> {
    this.ready = null
    this.#child?.kill('SIGKILL')
    await this.#ended
  }

  /** @returns the exit code @throws Error if it doesn't exit */
  async stop(): Promise<number | null> {
    this.ready = null
    this.#child?.kill('SIGTERM')
    const late = new Promise<'late'>((done) => setTimeout(() => done('late'), HANG_MS).unref())
    const code = await Promise.race([this.#ended, late])
    if (code !== 'late') return code
    await this.kill()
    throw new Error(`SIGTERM did not end it within ${HANG_MS} ms`)
  }

  async suspend(ms: number): Promise<void> {
    this.#child?.kill('SIGSTOP')
    await new Promise((next) => setTimeout(next, ms))
    this.#child?.kill('SIGCONT')
  }

  endWorker(entry: string): void {
    if (this.ready !== null) this.#options.interference.endWorker(entry, this.ready.pid)
  }

  /** @throws GoneError, AnsweredError */
  node(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#rpc(this.ready?.http, method, params)
  }

  /** @throws GoneError, AnsweredError */
  signer(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#rpc(this.ready?.signer.http, method, params)
  }

  /** A connection that may approve. @throws GoneError */
  channel(): Promise<WireClient<Contract>> {
    if (this.ready === null) throw new GoneError('it is not running')
    return openChannel(this.ready.api, this.#options.token)
  }

  /** @throws GoneError */
  async shares(): Promise<ShareCounts> {
    const [summary, metrics] = await Promise.all([this.#get('/api/v1/summary'), this.#get('/metrics')])
    const lost = /^miner_shares_lost_total (\d+)/m.exec(metrics)?.[1]
    return { ...summarySchema.parse(JSON.parse(summary)).shares, lost: Number(lost ?? 0) }
  }

  /** Null if the system doesn't report it. */
  look(): ProcessLook | null {
    const { ready } = this
    if (ready === null) return null
    try {
      const status = readFileSync(`/proc/${ready.pid}/status`, 'utf8')
      const number = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      return { rssBytes: number('VmRSS') * 1024, threads: number('Threads') }
    } catch {
      return null
    }
  }

  async #get(path: string): Promise<string> {
    const { ready } = this
    if (ready === null) throw new GoneError('it is not running')
    const headers = { authorization: `Bearer ${this.#options.token}` }
    try {
      const answer = await fetch(`http://${ready.api}${path}`, { headers, signal: AbortSignal.timeout(CALL_MS) })
      if (!answer.ok) throw new GoneError(`${path}: ${answer.status}`)
      return await answer.text()
    } catch (cause) {
      throw cause instanceof GoneError ? cause : new GoneError(String(cause), { cause })
    }
  }

  async #rpc(address: string | undefined, method: string, params: readonly unknown[]): Promise<unknown> {
    if (address === undefined) throw new GoneError('it is not running')
    const { ready } = this
    const gone = new AbortController()
    // An approval may wait long: only the program's end ends the wait.
    const watch = setInterval(() => {
      if (this.ready !== ready) gone.abort()
    }, 500)
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`http://${address}`, { method: 'POST', headers, body, signal: gone.signal })
      const { result, error } = answerSchema.parse(await answer.json())
      if (error !== undefined) throw new AnsweredError(`${method}: ${error.code} ${error.message}`)
      return result
    } catch (cause) {
      throw cause instanceof AnsweredError ? cause : new GoneError(String(cause), { cause })
    } finally {
      clearInterval(watch)
    }
  }
}

async function openChannel(api: string, token: string): Promise<WireClient<Contract>> {
  const socket = new WebSocket(`ws://${api}${CHANNEL_PATH}`)
  const onClose: ((reason: string) => void)[] = []
  let onMessage: ((message: unknown) => void) | null = null
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (error) => reject(new GoneError(error.message)))
    socket.once('close', () => reject(new GoneError('closed before the welcome')))
    socket.once('open', () => socket.send(JSON.stringify({ t: 'hello', token })))
    socket.once('message', () => resolve())
  })
  socket.on('error', () => undefined)
  socket.on('message', (data) => onMessage?.(JSON.parse(String(data))))
  socket.on('close', () => {
    for (const listener of onClose) listener('closed')
  })
  const transport: Transport = {
    send: (message) => socket.send(JSON.stringify(message), () => undefined),
    onMessage: (listener) => {
      onMessage = listener
    },
    onClose: (listener) => void onClose.push(listener),
    close: () => socket.close(),
  }
  return createWireClient(contract, transport)
}
