// The server under test of test/vectors/rpc: a custom network with the chain imported, archive, not mining, every
// namespace served, three accounts of which two are unlocked. Everything is real; only the worker shares this thread.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { bytesOfHex } from '../../../src/base/hex'
import { silentLogger } from '../../../src/base/logger'
import { systemClock } from '../../../src/base/time'
import type { Transport } from '../../../src/base/wire/define'
import { LocalKeystore } from '../../../src/host/adapters/local-keystore'
import { NodeAccounts } from '../../../src/host/adapters/node-accounts'
import { SOLC_TIMES, SolcCompiler } from '../../../src/host/adapters/solc-compiler'
import { chainFiles } from '../../../src/host/block-files/export-file'
import { portTransport } from '../../../src/host/workers/worker-environment'
import { serveCompiler } from '../../../src/node/compile/serve-compiler'
import { NodeService } from '../../../src/node/node-service'
import { serveQuery } from '../../../src/node/query/serve-query'
import { serveChain } from '../../../src/node/worker/serve-chain'
import { KeyClient } from '../../../src/signer/keystore/key-client'
import { serveKeys } from '../../../src/signer/keystore/serve-keys'
import { noMetrics } from '../practice-node'

export const VECTORS = resolve(import.meta.dirname, '../../vectors/rpc')
const ROOT = resolve(import.meta.dirname, '../../..')
const PASSWORD = 'test'
const API = ['eth', 'net', 'web3', 'debug', 'txpool', 'admin', 'miner', 'xhash']

interface ChainNotes {
  readonly accounts: readonly { readonly index: string; readonly address: string; readonly privateKey: string }[]
}

const clock = systemClock()
const here = { clock, log: silentLogger, searchFrom: ROOT }

export function inThisThread(serve: (transport: Transport) => void): () => Transport {
  return () => {
    const { port1, port2 } = new MessageChannel()
    serve(portTransport(port2))
    return portTransport(port1)
  }
}

const keys = inThisThread((transport) => serveKeys(transport, { log: silentLogger, clock, randomBytes }))

export class CaseNode {
  readonly #folder = mkdtempSync(join(tmpdir(), 'headframe-rpc-cases-'))
  readonly #keystore: LocalKeystore
  readonly node: NodeService

  /** @param more additional namespaces that it serves */
  constructor(private readonly more: readonly string[] = []) {
    const [open, , other] = caseAccounts()
    this.#keystore = new LocalKeystore(
      {
        folder: join(this.#folder, 'keystore'),
        auditLog: join(this.#folder, 'audit.log'),
        unlock: [open, other].map((account) => (account?.address ?? '').toLowerCase()),
        passwordFile: join(this.#folder, 'password'),
      },
      { keys, clock, log: silentLogger, randomBytes },
    )
    this.node = this.#createNode()
  }

  async start(): Promise<void> {
    const signal = new AbortController().signal
    await writeKeys(join(this.#folder, 'keystore'))
    writeFileSync(join(this.#folder, 'password'), `${PASSWORD}\n`)
    await this.#keystore.start(signal)
    await this.node.start(signal)
    const report = await this.node.importBlocks(readFileSync(join(VECTORS, 'chain.rlp')))
    if (report.refused !== null) throw new Error(report.refused.reason)
  }

  async stop(): Promise<void> {
    await this.node.stop()
    await this.#keystore.stop()
    rmSync(this.#folder, { recursive: true })
  }

  #createNode(): NodeService {
    const origins = ['http://allowed.example']
    const api = [...API, ...this.more]
    return new NodeService(
      {
        network: 'custom',
        custom: {
          genesis: readFileSync(join(VECTORS, 'genesis.json'), 'utf8'),
          networkId: 3110,
          xhashMode: 'full',
        },
        chainDir: join(this.#folder, 'chain'),
        genesis: () => null,
        coinbase: () => bytesOfHex('0x1000000000000000000000000000000000000001'),
        mining: false,
        clientName: 'headframe/0.0.0',
        extraData: null,
        minimumGasPrice: 1_000_000_000n,
        gasLimitGoal: 600_000_000n,
        poolDelayMs: 50,
        recommitMs: 20_000,
        gcMode: 'archive',
        rpc: {
          http: {
            host: '127.0.0.1',
            port: 0,
            api,
            vhosts: ['localhost', 'node.example'],
            corsOrigins: origins,
          },
          ws: { host: '127.0.0.1', port: 0, api, origins },
          ipcPath: null,
          bodyLimitBytes: 5_242_880,
          batchLimit: 1000,
          getworkHeight: false,
        },
      },
      {
        chain: inThisThread((transport) => serveChain(transport, here)),
        // In one thread, nobody could report that chunks were read while a trace runs.
        queries: inThisThread((transport) =>
          serveQuery(transport, { ...here, maxChunksWaiting: Number.MAX_SAFE_INTEGER }),
        ),
        files: chainFiles(() => this.node),
        accounts: new NodeAccounts({
          keystore: () => this.#keystore.addresses(),
          ask: null,
          unlocked: this.#keystore.unlocked,
          log: silentLogger,
        }),
        compiler: new SolcCompiler(
          { searchFrom: ROOT, ...SOLC_TIMES },
          { open: inThisThread((transport) => serveCompiler(transport, here)), clock },
        ),
        localHashrate: () => 0,
        clock,
        log: silentLogger,
        metrics: noMetrics,
      },
    )
  }
}

/** Accounts 30, 31 and 32 of chain.json. */
function caseAccounts(): ChainNotes['accounts'] {
  const notes = JSON.parse(readFileSync(join(VECTORS, 'chain.json'), 'utf8')) as ChainNotes
  return notes.accounts.filter((account) => ['30', '31', '32'].includes(account.index))
}

async function writeKeys(path: string): Promise<void> {
  const client = new KeyClient(keys)
  mkdirSync(path)
  for (const { privateKey } of caseAccounts()) {
    const made = await client.import(bytesOfHex(privateKey, 32), new TextEncoder().encode(PASSWORD), 'light')
    writeFileSync(join(path, `key-${made.address}`), made.keyFile, { mode: 0o600 })
  }
  client.close()
}
