// The built program as a signer: a child with a separate empty working folder, whose standard streams are the test's UI
// channel, with callers on HTTP and on its local socket.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../free-port'
import { QUICK_START } from '../../quick-start'
import { type Bindings, fill, isRecord } from './compare'

const ROOT = resolve(__dirname, '..', '..', '..')
const VECTORS = join(ROOT, 'test', 'vectors', 'signer')

/** Ends what hangs: where 60 programs compete for two cores, a start takes half a minute. */
const START_MS = 240_000
/** The mode in which the recordings were made, and a keystore that unlocks quickly. */
const FIXED = ['--stdio-ui', '--suppress-bootwarn', '--lightkdf', '--nousb', '--strict', '--4bytedb-builtin', 'minimal']

export interface Launch {
  readonly keystore?: string
  readonly config?: string
  readonly chainid?: number
  readonly flags?: readonly string[]
  readonly files?: Readonly<Record<string, unknown>>
  readonly ready?: string
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Undefined if the text isn't JSON. */
  readonly json: unknown
  /** The connection ended without an answer. */
  readonly closed: boolean
}

export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly transport?: string
  /** Undefined: no body. */
  readonly body: string | undefined
}

const CLOSED: Reply = { status: 0, headers: {}, text: '', json: undefined, closed: true }

/** Items in order of arrival, awaited one by one. */
export class Inbox<T> {
  readonly #items: T[] = []
  readonly #waiting: ((item: T | null) => void)[] = []

  put(item: T): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#items.push(item)
    else next(item)
  }

  /** Null after `ms`. */
  take(ms: number): Promise<T | null> {
    const first = this.#items.shift()
    if (first !== undefined) return Promise.resolve(first)
    return new Promise((done) => {
      const hand = (item: T | null): void => {
        clearTimeout(timer)
        done(item)
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(hand), 1)
        done(null)
      }, ms)
      this.#waiting.push(hand)
    })
  }

  drain(): readonly T[] {
    return this.#items.splice(0)
  }

  waiting(): readonly T[] {
    return this.#items
  }
}

export type UiMessage = Record<string, unknown>

export class SignerProcess {
  readonly ui = new Inbox<UiMessage>()
  /** Answers to UI calls, by the JSON text of their id. */
  readonly uiAnswers = new Map<string, Inbox<UiMessage>>()
  readonly child: ChildProcessWithoutNullStreams
  readonly exited: Promise<{ readonly code: number | null }>
  readonly folder: string
  readonly bound: Bindings
  readonly #port: number
  #filesAtStart = ''
  stderr = ''

  private constructor(folder: string, port: number, child: ChildProcessWithoutNullStreams) {
    this.folder = folder
    this.#port = port
    this.child = child
    this.bound = bindingsOf(folder, port)
    this.exited = new Promise((done) => child.once('exit', (code) => done({ code })))
    child.stdin.on('error', () => undefined)
    child.stderr.on('data', (part: Buffer) => {
      this.stderr = `${this.stderr}${part.toString('utf8')}`.slice(-4_000)
    })
    let rest = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (part: string) => {
      const lines = `${rest}${part}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#receive(line)
    })
  }

  static async start(launch: Launch): Promise<SignerProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'signer-case-'))
    await copyFolder(
      launch.keystore === undefined ? null : join(VECTORS, 'keystores', launch.keystore),
      join(folder, 'keystore'),
    )
    await copyFolder(
      launch.config === undefined ? null : join(VECTORS, 'configs', launch.config),
      join(folder, 'config'),
    )
    for (const [name, content] of Object.entries(launch.files ?? {})) {
      await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    }
    const port = await freePort()
    const flags = (launch.flags ?? []).map((flag) => String(fill(flag, bindingsOf(folder, port))))
    const places = ['--keystore', join(folder, 'keystore'), '--configdir', join(folder, 'config')]
    const http = ['--http', '--http.addr', '127.0.0.1', '--http.port', String(port)]
    const args = ['signer', ...FIXED, ...places, '--chainid', String(launch.chainid ?? 2110), ...http, ...flags]
    const { XDG_DATA_HOME: _own, ...environment } = process.env
    const child = spawn(process.execPath, [...QUICK_START, join(ROOT, 'bin', 'headframe.mjs'), ...args], {
      cwd: folder,
      env: { ...environment, HOME: folder },
    })
    const signer = new SignerProcess(folder, port, child)
    if (launch.ready !== 'manual') {
      // It listens before it says so: polling from the start took dozens of requests.
      const first = await Promise.race([signer.ui.take(START_MS), signer.exited.then(() => null)])
      if (first !== null && first.method !== 'ui_onSignerStartup') signer.ui.put(first)
      await signer.ready()
    }
    signer.#filesAtStart = await signer.#files()
    return signer
  }

  /** Whether cases have left keys, settings or signatures; every case writes to the audit log and what lies beside it. */
  async hasChangedFiles(): Promise<boolean> {
    return (await this.#files()) !== this.#filesAtStart
  }

  async #files(): Promise<string> {
    const folders = ['.', 'keystore', 'config'].map(async (name) => {
      const files = (await readdir(join(this.folder, name), { withFileTypes: true })).filter((each) => each.isFile())
      const seen = files.map((each) => join(name, each.name)).filter((path) => !path.includes('.log'))
      return Promise.all(seen.map(async (path) => `${path} ${(await stat(join(this.folder, path))).size}`))
    })
    return (await Promise.all(folders)).flat().sort().join('\n')
  }

  hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Resolves when the API answers. */
  async ready(): Promise<void> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'account_version' })
    for (;;) {
      if (this.hasExited()) throw new Error(`signer ended with ${this.child.exitCode}: ${this.stderr}`)
      const reply = await this.http({ body })
      if (isRecord(reply.json) && reply.json.result !== undefined) return
      await pause(25)
    }
  }

  async stop(): Promise<void> {
    if (!this.hasExited()) {
      this.child.kill('SIGINT')
      await Promise.race([this.exited, pause(3_000)])
    }
    if (!this.hasExited()) this.child.kill('SIGKILL')
    await this.exited
    await rm(this.folder, { recursive: true, force: true })
  }

  say(line: string): void {
    this.child.stdin.write(`${line}\n`)
  }

  send(sent: Sent): Promise<Reply> {
    return sent.transport === 'ipc' ? this.#ipc(sent.body ?? '') : this.http(sent)
  }

  http({ method = 'POST', path = '/', body, headers: given }: Sent): Promise<Reply> {
    return new Promise((done) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const all = { ...length, ...(given ?? { 'Content-Type': 'application/json', 'User-Agent': 'signer-cases' }) }
      const headers = Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
      )
      const options = {
        host: '127.0.0.1',
        port: this.#port,
        method,
        path,
        headers,
        agent: false,
        setHost: !('Host' in headers),
      }
      const request = httpRequest(options, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('error', () => done(CLOSED))
        response.on('end', () => done(replyOf(response.statusCode ?? 0, response.headers, text)))
      })
      request.on('error', () => done(CLOSED))
      request.end(body)
    })
  }

  #ipc(body: string): Promise<Reply> {
    return new Promise((done) => {
      const socket = connect(join(this.folder, 'config', 'clef.ipc'))
      let text = ''
      socket.setEncoding('utf8')
      socket.on('error', () => done(CLOSED))
      socket.on('close', () => done(CLOSED))
      socket.on('data', (part: string) => {
        text += part
        const end = text.indexOf('\n')
        if (end < 0) return
        done(replyOf(200, {}, text.slice(0, end)))
        socket.end()
      })
      socket.on('connect', () => socket.write(`${body}\n`))
    })
  }

  #receive(line: string): void {
    if (line.trim() === '') return
    const message = parseLine(line)
    const { id } = message
    const isAnswer = message.method === undefined && id !== undefined && id !== null
    const answers = isAnswer ? this.uiAnswers.get(JSON.stringify(id)) : undefined
    if (answers === undefined) this.ui.put(message)
    else answers.put(message)
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}

function parseLine(line: string): UiMessage {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : { notAnObject: line }
  } catch {
    return { notJson: line }
  }
}

function replyOf(status: number, headers: IncomingHttpHeaders, text: string): Reply {
  try {
    return { status, headers, text, json: JSON.parse(text) as unknown, closed: false }
  } catch {
    return { status, headers, text, json: undefined, closed: false }
  }
}

function bindingsOf(folder: string, port: number): Bindings {
  const places = { keystore: join(folder, 'keystore'), configdir: join(folder, 'config'), workdir: folder }
  return { http_port: String(port), ...places }
}

async function copyFolder(from: string | null, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  if (from === null) return
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.gitkeep') }).catch((error: unknown) => {
    // An empty folder isn't in the repository.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  })
  for (const entry of await readdir(to, { withFileTypes: true })) {
    if (entry.isFile()) await chmod(join(to, entry.name), entry.name === 'masterseed.json' ? 0o400 : 0o600)
  }
}
