// The program as scripts use it: a child of plain Node with arguments, two streams and an exit code.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { systemClock } from '../../src/base/time'
import { createWireClient, type WireClient } from '../../src/base/wire/client'
import { type Contract, contract } from '../../src/contract/contract'
import type { RequestView } from '../../src/contract/signer'
import { openOwnerChannel } from '../../src/host/dashboard/owner-socket'
import { QUICK_START } from '../quick-start'

const ROOT = resolve(import.meta.dirname, '..', '..')
export const DOOR = join(ROOT, 'bin', 'headframe.mjs')

/** False before `npm run build`: there is nothing to run yet. */
export const IS_BUILT = existsSync(join(ROOT, 'out', 'main', 'cli.cjs'))

/** Free ports for all listeners. */
export const FREE_PORTS = ['--api-bind', '127.0.0.1:0', '--http.port', '0', '--signer.http.port', '0']

/** And no mining: on the practice network that is most of what a program costs. */
export const NO_MINING = [...FREE_PORTS, '--mine=false']

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CallOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** It leads a process group, as a terminal's program does. */
  readonly isGroup?: boolean
  /** Typed at once, and nothing after it. Null: nothing is typed, by someone who is there. */
  readonly input?: string | null
}

const readySchema = z.object({
  pid: z.number(),
  api: z.string(),
  http: z.string(),
  signer: z.object({ http: z.string() }),
  dashboard: z.string(),
})

/** One running program. */
export class Program {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>
  stdout = ''
  stderr = ''

  constructor(args: readonly string[], { environment = {}, isGroup = false, input }: CallOptions = {}) {
    const { HEADFRAME_DATADIR: _own, ...inherited } = process.env
    const env = { ...inherited, ...environment }
    const typed = input === undefined ? 'ignore' : 'pipe'
    const options = { env, stdio: [typed, 'pipe', 'pipe'] as ('ignore' | 'pipe')[], detached: isGroup }
    this.child = spawn(process.execPath, [...QUICK_START, DOOR, ...args], options)
    if (input !== null) this.child.stdin?.end(input)
    this.child.stdout?.on('data', (part: Buffer) => {
      this.stdout += part.toString('utf8')
    })
    this.child.stderr?.on('data', (part: Buffer) => {
      this.stderr += part.toString('utf8')
    })
    this.ended = new Promise((done, fail) => {
      this.child.once('error', fail)
      this.child.once('close', (code) => done({ code, stdout: this.stdout, stderr: this.stderr }))
    })
  }

  /** The content of the ready file, once it is there. */
  async ready(file: string): Promise<z.infer<typeof readySchema>> {
    while (!existsSync(file)) {
      if (this.child.exitCode !== null) throw new Error(`ended with ${this.child.exitCode}: ${this.stderr}`)
      await new Promise((done) => setTimeout(done, 50))
    }
    return readySchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  }

  /** Resolves when standard error contains it; the program logs there. */
  says(text: string): Promise<void> {
    return this.#has(() => this.stderr.includes(text), this.child.stderr)
  }

  /** Resolves when standard output contains it. */
  prints(text: string): Promise<void> {
    return this.#has(() => this.stdout.includes(text), this.child.stdout)
  }

  async #has(is: () => boolean, stream: Readable | null): Promise<void> {
    while (!is()) {
      if (this.child.exitCode !== null) throw new Error(`ended with ${this.child.exitCode}: ${this.stderr}`)
      await Promise.race([this.ended, new Promise((done) => stream?.once('data', done))])
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
    if (this.child.exitCode === null) this.child.kill(signal)
    return this.ended
  }
}

/** A command that ends by itself. */
export function call(args: readonly string[], options: CallOptions = {}): Promise<Outcome> {
  return new Program(args, options).ended
}

/** A separate folder, and the function that removes it. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'headframe-cli-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Calls over the socket of a data directory's owner, as the commands make them. */
export async function asOwner<T>(dataDir: string, work: (client: WireClient<Contract>) => Promise<T>): Promise<T> {
  const client = createWireClient(contract, await openOwnerChannel(dataDir, systemClock()))
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** The requests that wait for a program's owner, once there are as many as `is` says. */
export function waitingRequests(dataDir: string, is: (count: number) => boolean): Promise<readonly RequestView[]> {
  const seen = (client: WireClient<Contract>): Promise<readonly RequestView[]> =>
    new Promise((done) => {
      client.on('signer.requests', ({ waiting }) => {
        if (is(waiting.length)) done(waiting)
      })
    })
  return asOwner(dataDir, seen)
}
