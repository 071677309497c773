// A node over one of the vector chains, imported and archived, whose RPC serves everything; for the suites about calls
// and traces.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import type { Transport } from '../../src/base/wire/define'
import { chainFiles } from '../../src/host/block-files/export-file'
import { FULL_WINDOW } from '../../src/node/model/window-size'
import { NodeService } from '../../src/node/node-service'
import { serveQuery } from '../../src/node/query/serve-query'
import { serveChain } from '../../src/node/worker/serve-chain'
import { noMetrics } from './practice-node'
import { inThisThread } from './rpc-cases/case-node'

const clock = systemClock()
const deps = { clock, log: silentLogger, searchFrom: import.meta.dirname }
const API = ['eth', 'net', 'debug', 'trace']

/** A query worker in this thread: it cannot wait for its reader. */
export const queriesHere = inThisThread((transport) =>
  serveQuery(transport, { ...deps, maxChunksWaiting: Number.POSITIVE_INFINITY }),
)

const HOUR_MS = 3_600_000

/**
 * A query worker in this thread for which an hour passes whenever a run checks the clock: anything with a time limit
 * ends at its first check, on a fast machine and on a busy one.
 */
export const queriesOutOfTime = inThisThread((transport) => {
  let hours = 0
  const hasty = { ...clock, monotonic: () => HOUR_MS * hours++ }
  serveQuery(transport, { ...deps, clock: hasty, maxChunksWaiting: Number.POSITIVE_INFINITY })
})

/** Ends what hangs, and no call that a busy machine is slow with. */
/** Of a full node: vector chains are short. */
const SMALL_WINDOW = { ...FULL_WINDOW, states: 16n }
/** Blocks below the head of which a full node has the tries at most. */
export const MOST_STATES = 24
const LIMITS = { workers: 2, callTimeoutMs: 120_000, gasCap: 600_000_000n }

export class QueryNode {
  readonly #folder = mkdtempSync(join(tmpdir(), 'headframe-query-'))
  readonly node: NodeService

  constructor(
    private readonly chain: {
      readonly folder: string
      readonly blocks: string
      readonly networkId: number
      /** Seals are checked. */
      readonly isSealed?: boolean
      /** Another node's JSON-RPC, compared with this one. */
      readonly beside?: string
    },
    workers: { readonly queries?: () => Transport; readonly chain?: () => Transport } = {},
    { gcMode = 'archive', ...limits }: Partial<typeof LIMITS> & { readonly gcMode?: 'archive' | 'full' } = {},
  ) {
    const genesis = readFileSync(join(chain.folder, 'genesis.json'), 'utf8')
    this.node = new NodeService(
      {
        network: 'custom',
        custom: { genesis, networkId: chain.networkId, xhashMode: 'full' },
        fakePow: chain.isSealed !== true,
        chainDir: join(this.#folder, 'chain'),
        genesis: () => null,
        coinbase: () => null,
        mining: false,
        clientName: 'headframe/test',
        extraData: null,
        minimumGasPrice: 1n,
        gasLimitGoal: null,
        poolDelayMs: 50,
        recommitMs: 20_000,
        gcMode,
        queries: { ...LIMITS, ...limits },
        beside: chain.beside ?? null,
        rpc: {
          http: { host: '127.0.0.1', port: 0, api: API, vhosts: ['localhost'], corsOrigins: [] },
          ws: { host: '127.0.0.1', port: 0, api: API, origins: [] },
          ipcPath: this.ipc(),
          bodyLimitBytes: 5_242_880,
          batchLimit: 1000,
          getworkHeight: false,
        },
      },
      {
        chain: workers.chain ?? inThisThread((transport) => serveChain(transport, { ...deps, window: SMALL_WINDOW })),
        queries: workers.queries ?? queriesHere,
        accounts: null,
        files: chainFiles(() => this.node),
        localHashrate: () => 0,
        clock,
        log: silentLogger,
        metrics: noMetrics,
      },
    )
  }

  async start(): Promise<void> {
    await this.node.start(new AbortController().signal)
    const report = await this.node.importBlocks(readFileSync(join(this.chain.folder, this.chain.blocks)))
    if (report.refused !== null) throw new Error(report.refused.reason)
  }

  async stop(): Promise<void> {
    await this.node.stop()
    rmSync(this.#folder, { recursive: true })
  }

  url(): string {
    const address = this.node.rpcAddress()
    return `http://${address?.host}:${address?.port}/`
  }

  /** Path of the local socket, which serves every namespace. */
  ipc(): string {
    return join(this.#folder, 'node.ipc')
  }

  wsUrl(): string {
    const address = this.node.rpcWsAddress()
    return `ws://${address?.host}:${address?.port}/`
  }
}

/** For fetch, which takes compressed answers. */
export function request(method: string, params: readonly unknown[]): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }
}
