// Where the commands of one page run: in an empty home folder, with the program in PATH, and free ports.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { z } from 'zod'

export interface Done {
  readonly code: number | null
  readonly output: string
}

/** Ends what hangs. */
const HANG_MS = 240_000
/** Of the commands that open the control port unasked; of the others the page has to. */
const FREE_API = { HEADFRAME_API_BIND: '127.0.0.1:0' }
const ASKS_FOR_API = /\bheadframe (?:miner|node)\b/
const FREE_PORTS = {
  HEADFRAME_HTTP_PORT: '0',
  HEADFRAME_WS_PORT: '0',
  HEADFRAME_SIGNER_HTTP_PORT: '0',
  HEADFRAME_PORT: '0',
  HEADFRAME_HEADLESS: 'true',
}
const readySchema = z.object({
  api: z.string().nullable(),
  http: z.string().nullable(),
  ws: z.string().nullable(),
  signer: z.object({ http: z.string().nullable() }).nullable(),
})

export class Sandbox {
  readonly #home: string
  readonly #project: string
  readonly #running: { readonly child: ChildProcess; readonly ended: Promise<Done> }[] = []
  /** Words of the page, and their replacements here. */
  readonly #meanings = new Map<string, string>()
  #count = 0

  /** @param project the repository's folder */
  constructor(project: string) {
    this.#project = project
    this.#home = mkdtempSync(join(tmpdir(), 'headframe-docs-'))
    mkdirSync(join(this.#home, 'bin'))
    const program = join(this.#home, 'bin', 'headframe')
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${project}/bin/headframe.mjs" "$@"\n`)
    chmodSync(program, 0o755)
  }

  /** Runs a line of shell to its end. */
  async run(command: string): Promise<Done> {
    const done = await this.#spawn(command, {}).ended
    this.#readMeanings()
    return done
  }

  /** Starts a program and ends it by SIGTERM once it is ready. */
  async serve(command: string): Promise<Done> {
    const { child, ended, problem } = await this.#ready(command)
    if (problem !== null) return problem
    child.kill('SIGTERM')
    return ended
  }

  /**
   * Starts a program that runs until `close`; later lines that use the default ports get its own. @returns null once it
   * is ready
   */
  async keep(command: string): Promise<Done | null> {
    const { child, ended, problem, readyFile } = await this.#ready(command)
    if (problem !== null) return problem
    this.#running.push({ child, ended })
    const { api, http, ws, signer } = readySchema.parse(JSON.parse(readFileSync(readyFile, 'utf8')))
    const usual = {
      '127.0.0.1:3333': api,
      '127.0.0.1:8545': http,
      '127.0.0.1:8546': ws,
      '127.0.0.1:8550': signer?.http,
    }
    for (const [address, own] of Object.entries(usual)) if (typeof own === 'string') this.#meanings.set(address, own)
    return null
  }

  async close(): Promise<void> {
    for (const { child, ended } of this.#running) {
      child.kill('SIGTERM')
      await ended
    }
    rmSync(this.#home, { recursive: true, force: true })
  }

  async #ready(command: string) {
    const readyFile = join(this.#home, `ready-${this.#count++}.json`)
    const started = this.#spawn(`exec ${command}`, { HEADFRAME_READY_FILE: readyFile })
    let over: Done | null = null
    void started.ended.then((done) => {
      over = done
    })
    while (over === null && !existsSync(readyFile)) await new Promise((next) => setTimeout(next, 50))
    return { ...started, problem: over as Done | null, readyFile }
  }

  #spawn(command: string, more: Readonly<Record<string, string>>) {
    const free = command.replace('--api-bind 127.0.0.1:3333', '--api-bind 127.0.0.1:0')
    const text = [...this.#meanings].reduce((rest, [word, meaning]) => rest.split(word).join(meaning), free)
    const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: this.#home,
      env: {
        HOME: this.#home,
        PATH: [join(this.#home, 'bin'), process.env.PATH ?? ''].join(delimiter),
        PROJECT: this.#project,
        ...FREE_PORTS,
        ...(ASKS_FOR_API.test(command) ? {} : FREE_API),
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: HANG_MS,
      killSignal: 'SIGKILL',
    })
    let output = ''
    const hear = (part: Buffer): void => {
      output += part.toString('utf8')
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    const ended = new Promise<Done>((done) => child.once('close', (code) => done({ code, output })))
    return { child, ended }
  }

  /** A hidden block prints `WORD=MEANING` lines for words that a reader fills in. */
  #readMeanings(): void {
    const file = join(this.#home, 'meanings')
    if (!existsSync(file)) return
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [word = '', ...meaning] = line.split('=')
      if (word !== '') this.#meanings.set(word, meaning.join('='))
    }
    rmSync(file)
  }
}
