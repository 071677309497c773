// The headless program on Windows, and what its user does with it: makes a key, mines, asks over HTTP and over the pipe, signs, stops.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../lib/project.mjs'
import { rpc } from '../server/supervised-run.mjs'
import { until, windowsPath } from './wine.mjs'

const HOOK = ['--require', windowsPath(join(import.meta.dirname, 'wine-hook.cjs'))]
const PORTS = ['--api-bind', '127.0.0.1:0', '--http.port', '0', '--signer.http.port', '0']

/** One data directory, and the command that runs the program on it. */
export class WindowsRun {
  #program = null
  /** What the ready file says. */
  ready = null
  /** Of the key that `makeKey` made. */
  address = ''

  /**
   * @param {import('./wine.mjs').Wine} wine
   * @param {{ node: string, door: string, name: string }} place `node` and `door`: node.exe and the program's front door, as paths of
   *   Windows; `name`: of the data directory
   */
  constructor(wine, { node, door, name }) {
    this.wine = wine
    this.node = node
    this.door = door
    this.data = join(wine.folder, name)
    this.readyFile = join(wine.folder, `${name}.ready.json`)
    this.breakFile = join(wine.folder, `${name}.break`)
    this.endFile = join(wine.folder, `${name}.end`)
    this.exitFile = join(wine.folder, `${name}.exit`)
    this.passwordFile = join(wine.folder, 'password')
    writeFileSync(this.passwordFile, 'correct horse\n')
  }

  /** One command that ends by itself. @returns as `Wine.call` does */
  async call(...words) {
    rmSync(this.exitFile, { force: true })
    const env = { EXIT_FILE: windowsPath(this.exitFile) }
    const { code, output } = await this.wine.call([this.node, ...HOOK, this.door, ...words], { env })
    return { code: this.#exitCode(this.exitFile, code), output }
  }

  /** As the program gave it; what wine gave where it did not come to that. */
  #exitCode(file, given) {
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : given
  }

  /** The only key of the data directory. */
  async makeKey() {
    const place = ['--datadir', windowsPath(this.data), '--password', windowsPath(this.passwordFile)]
    const { code, output } = await this.call('account', 'new', ...place)
    const [address] = /0x[0-9a-fA-F]{40}/.exec(output) ?? []
    if (code !== 0 || address === undefined) throw new ToolError(`account new ended with ${code}:\n${output}`)
    this.address = address
  }

  /** Starts it, with the key unlocked, until everything listens. */
  async start() {
    rmSync(this.readyFile, { force: true })
    for (const file of [this.breakFile, this.endFile]) rmSync(file, { force: true })
    const unlocked = ['--unlock', this.address, '--password', windowsPath(this.passwordFile)]
    const place = ['--datadir', windowsPath(this.data), '--ready-file', windowsPath(this.readyFile)]
    const pipes = ['--signer.ipcdisable=false']
    this.#program = this.wine.start(
      [this.node, ...HOOK, this.door, 'run', '--headless', '--practice', ...place, ...pipes, ...PORTS, ...unlocked],
      { env: { BREAK_FILE: windowsPath(this.breakFile), EXIT_FILE: windowsPath(this.endFile) } },
    )
    await this.until('ready', () => existsSync(this.readyFile))
    this.ready = JSON.parse(readFileSync(this.readyFile, 'utf8'))
  }

  until(what, ask) {
    return until(what, this.#program, ask)
  }

  said() {
    return this.#program.said()
  }

  async height() {
    return Number(await this.rpc('eth_blockNumber'))
  }

  rpc(method, params) {
    return rpc(this.ready.http, method, params)
  }

  /** Where JSON-RPC listens, from the log. */
  pipe() {
    const [, quoted] = /JSON-RPC is served.* ipc=("[^"]*")/.exec(this.said()) ?? []
    if (quoted === undefined) throw new ToolError(`no pipe is served:\n${this.said()}`)
    return JSON.parse(quoted)
  }

  /** All that it listens on. */
  pipes() {
    const name = createHash('sha256').update(windowsPath(this.data)).digest('hex').slice(0, 16)
    return [this.pipe(), this.ready.signer.ipc, `\\\\.\\pipe\\headframe-${name}.sock`]
  }

  /** By Ctrl-Break. @returns {Promise<number | string>} exit code, or the signal that ended it */
  async stop() {
    writeFileSync(this.breakFile, '')
    return this.#exitCode(this.endFile, await this.#program.ended())
  }

  /** Like a power cut. */
  async kill() {
    this.#program.child.kill('SIGKILL')
    await this.#program.ended()
  }

  keys() {
    return readdirSync(join(this.data, 'keystore')).sort()
  }
}
