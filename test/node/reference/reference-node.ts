// prlx beside our node, with its own chain folder and all its APIs.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forksAtGenesis } from '../../../src/node/custom-genesis'
import { freePort } from '../../free-port'
import { peerProgram } from '../../peer-programs'

const PROGRAM = peerProgram('prlx') ?? 'prlx'
export const HAS_REFERENCE = peerProgram('prlx') !== null

const APIS = 'eth,net,web3,debug,txpool,admin,miner,personal,xhash'
const ALONE = ['--nodiscover', '--maxpeers', '0', '--port', '0', '--bootnodes', '', '--nousb']

/** Starts and stops it; what it wrote is removed with it. */
export class ReferenceNode {
  readonly #folder = mkdtempSync(join(tmpdir(), 'headframe-reference-'))
  #child: ChildProcess | null = null
  #urls = { http: '', ws: '' }

  /** A chain that it imports first, with every state kept. Ready for requests. */
  async start(chain: { readonly genesis: string; readonly blocks: string; readonly networkId: number }): Promise<void> {
    const kept = ['--fakepow', '--gcmode', 'archive', '--cache.preimages']
    this.#run('init', chain.genesis)
    this.#run(...kept, 'import', chain.blocks)
    await this.#serve([...kept, '--networkid', `${chain.networkId}`])
  }

  /**
   * A separate chain with chain id 1337 and the rules up to Berlin, where each transaction makes a block immediately.
   * @param key private key, 64 hex digits, of the account that owns all coins and seals the blocks @param address of
   * the same
   */
  async startSealing(key: string, address: string): Promise<void> {
    const [keyFile, password, genesis] = ['key', 'password', 'genesis.json'].map((name) => join(this.#folder, name))
    if (keyFile === undefined || password === undefined || genesis === undefined) return
    writeFileSync(keyFile, key)
    writeFileSync(password, 'pw\n')
    writeFileSync(genesis, sealedGenesis(address.slice(2).toLowerCase()))
    this.#run('account', 'import', '--lightkdf', '--password', password, keyFile)
    this.#run('init', genesis)
    const seal = ['--mine', '--miner.coinbase', address, '--unlock', address, '--password', password]
    await this.#serve([...seal, '--allow-insecure-unlock', '--networkid', '1337'])
  }

  #run(...args: readonly string[]): void {
    execFileSync(PROGRAM, ['--datadir', join(this.#folder, 'data'), ...args], { stdio: 'ignore' })
  }

  async #serve(kind: readonly string[]): Promise<void> {
    const data = ['--datadir', join(this.#folder, 'data'), '--xhash.dagdir', join(this.#folder, 'dag')]
    const [http, ws] = [await freePort(), await freePort()]
    this.#urls = { http: `http://127.0.0.1:${http}`, ws: `ws://127.0.0.1:${ws}` }
    const serve = ['--http', '--http.addr', '127.0.0.1', '--http.port', `${http}`, '--http.api', APIS]
    const push = ['--ws', '--ws.addr', '127.0.0.1', '--ws.port', `${ws}`, '--ws.api', APIS]
    const args = [...data, ...kind, ...ALONE, ...serve, ...push, '--ipcpath', this.ipc()]
    const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child = child
    await serving(child)
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child !== null && child.exitCode === null) {
      child.kill()
      await once(child, 'exit')
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get urls(): { readonly http: string; readonly ws: string } {
    return this.#urls
  }

  ipc(): string {
    return join(this.#folder, 'reference.ipc')
  }
}

/** Resolves when its log says that all its listeners are open; later log output is read and dropped. */
function serving(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    const missing = new Set(['IPC endpoint opened', 'HTTP server started', 'WebSocket enabled'])
    let text = ''
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      if (missing.size === 0) return
      text += part
      for (const line of missing) if (text.includes(line)) missing.delete(line)
      if (missing.size === 0) done()
    })
    child.once('exit', (code) => fail(new Error(`prlx ended with ${code}: ${text}`)))
    child.once('error', fail)
  })
}

/** @param address 40 hex digits */
function sealedGenesis(address: string): string {
  const zeros = (bytes: number): string => '00'.repeat(bytes)
  return JSON.stringify({
    config: {
      chainId: 1337,
      ...forksAtGenesis(),
      clique: { period: 0, epoch: 30_000 },
    },
    timestamp: '0x69054d80',
    extraData: `0x${zeros(32)}${address}${zeros(65)}`,
    gasLimit: '0x1c9c380',
    difficulty: '0x1',
    alloc: { [address]: { balance: '0xd3c21bcecceda1000000' } },
  })
}
