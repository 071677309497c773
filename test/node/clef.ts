// clef as a child process whose UI (JSON-RPC lines on its standard streams) approves everything, or nothing.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = resolve(import.meta.dirname, '../..')
const KEYSTORE = join(ROOT, 'test/vectors/signer/keystores/one')

interface UiCall {
  readonly id?: number
  readonly method?: string
  readonly params?: readonly Readonly<Record<string, unknown>>[]
}

export class RunningClef {
  approves = true
  url = ''
  #started: () => void = () => undefined

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly folder: string,
    private readonly password: string,
  ) {
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line))
    child.stderr.resume()
  }

  static async start(
    path: string,
    options: { readonly chainId: number; readonly password: string },
  ): Promise<RunningClef> {
    const folder = mkdtempSync(join(tmpdir(), 'headframe-clef-'))
    chmodSync(folder, 0o700)
    cpSync(KEYSTORE, join(folder, 'keystore'), { recursive: true })
    const child = spawn(path, [
      ...['--stdio-ui', '--suppress-bootwarn', '--lightkdf', '--nousb', '--ipcdisable', '--http', '--http.port', '0'],
      ...['--chainid', String(options.chainId), '--keystore', join(folder, 'keystore'), '--configdir', folder],
      ...['--auditlog', join(folder, 'audit.log')],
    ])
    const running = new RunningClef(child, folder, options.password)
    await new Promise<void>((done, fail) => {
      running.#started = done
      child.once('exit', (code) => fail(new Error(`clef ended with ${code}`)))
    })
    return running
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.child.once('exit', done))
    this.child.kill('SIGTERM')
    await gone
    rmSync(this.folder, { recursive: true })
  }

  #take(line: string): void {
    const { id, method, params } = JSON.parse(line) as UiCall
    const [given = {}] = params ?? []
    if (method === 'ui_onSignerStartup') {
      const { extapi_http: url } = given.info as { readonly extapi_http: string }
      this.url = url
      this.#started()
    }
    const result = this.#answer(method ?? '', given)
    if (id !== undefined) this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  }

  #answer(method: string, given: Readonly<Record<string, unknown>>): unknown {
    if (method === 'ui_onInputRequired') return { text: this.password }
    if (method === 'ui_approveListing') return { accounts: this.approves ? given.accounts : [] }
    if (method === 'ui_approveTx') return { approved: this.approves, transaction: given.transaction }
    return { approved: this.approves }
  }
}
