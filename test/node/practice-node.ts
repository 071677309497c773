// A practice node over a real database, with its worker in this thread, and a CPU search that seals its work.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { silentLogger } from '../../src/base/logger'
import type { MetricsRegistry } from '../../src/base/metrics'
import { type Clock, systemClock } from '../../src/base/time'
import type { Transport } from '../../src/base/wire/define'
import { chainFiles } from '../../src/host/block-files/export-file'
import { portTransport } from '../../src/host/workers/worker-environment'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { practiceGenesis } from '../../src/node/networks'
import { type ChainWork, NodeService, type NodeServiceDeps, type NodeServiceOptions } from '../../src/node/node-service'
import { serveQuery } from '../../src/node/query/serve-query'
import { serveChain } from '../../src/node/worker/serve-chain'
import { XHASH_PRACTICE } from '../../src/xhash/params'

export const noMetrics: MetricsRegistry = {
  counter: () => ({ inc: () => undefined }),
  collect: () => undefined,
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'headframe-node-'))
}

/** A chain worker in this thread. */
export function chainHere(clock: Clock): Transport {
  const { port1, port2 } = new MessageChannel()
  serveChain(portTransport(port2), { clock, log: silentLogger, searchFrom: import.meta.dirname })
  return portTransport(port1)
}

export function practiceNode(
  chainDir: string,
  changes: Partial<NodeServiceOptions> = {},
  other: Partial<NodeServiceDeps> = {},
): NodeService {
  const options: NodeServiceOptions = {
    network: 'practice',
    chainDir,
    genesis: () => practiceGenesis(new Uint8Array(20).fill(0xaa), 'none'),
    coinbase: () => new Uint8Array(20).fill(0xcb),
    clientName: 'headframe/test',
    extraData: null,
    minimumGasPrice: 1n,
    gasLimitGoal: null,
    poolDelayMs: 50,
    recommitMs: 20_000,
    rpc: null,
    ...changes,
  }
  const queries = () => {
    const { port1, port2 } = new MessageChannel()
    const deps = { clock: systemClock(), log: silentLogger, searchFrom: import.meta.dirname }
    serveQuery(portTransport(port2), { ...deps, maxChunksWaiting: Number.POSITIVE_INFINITY })
    return portTransport(port1)
  }
  const node: NodeService = new NodeService(options, {
    chain: () => chainHere(systemClock()),
    queries,
    accounts: null,
    files: chainFiles(() => node),
    localHashrate: () => 1_234.4,
    clock: systemClock(),
    log: silentLogger,
    metrics: noMetrics,
    ...other,
  })
  return node
}

/** Searches the node's work until `stop`; idle from a solution to the next template, as each template makes one block. */
export class Sealer {
  #engine: XhashEngine | null = null
  #token = 0
  /** Pending answers: stopping the node before they arrive would leave their errors unhandled. */
  readonly #submitted = new Set<Promise<unknown>>()

  /** @param isThrifty searches only while the pool holds transactions */
  constructor(private readonly isThrifty = false) {}

  async start(node: NodeService): Promise<void> {
    this.#engine = createXhashEngine(XHASH_PRACTICE, { searchFrom: import.meta.dirname })
    const dataset = await this.#engine.buildDataset(0, { threads: 2 })
    let work: ChainWork | null = null
    const search = this.#engine.createCpuSearch({
      threads: 1,
      onSolution: ({ token, nonce, mixDigest }) => {
        if (work === null || token !== this.#token) return
        this.#submit(node.submitWork({ nonce, sealHash: work.sealHash, mixDigest }))
        work = null
        search.clearJob()
      },
    })
    search.setDataset(dataset)
    const take = (next: ChainWork) => {
      if (this.isThrifty && node.counts()?.pending === 0) return
      work = next
      const { sealHash, target } = next
      search.setJob({ token: ++this.#token, sealHash, target, startNonce: 0n, segmentBits: 60 })
    }
    node.events.on('workChanged', take)
    const takeCurrent = () => {
      const current = node.currentWork()
      if (work === null && current !== null) take(current)
    }
    if (this.isThrifty) node.events.on('pendingChanged', takeCurrent)
    takeCurrent()
  }

  /** Resolves when no solution is on its way to the node anymore, so that the node may stop. */
  async stop(): Promise<void> {
    await this.#engine?.close()
    await Promise.allSettled(this.#submitted)
  }

  #submit(answer: Promise<unknown>): void {
    this.#submitted.add(answer)
    const done = () => void this.#submitted.delete(answer)
    answer.then(done, done) // a solution that arrives too late is rejected; the tests check the head
  }
}

/** Resolves when the head is at `number` or higher. */
export function reachesHeight(node: NodeService, number: number): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if ((node.head()?.number ?? 0) < number) return
      listener.dispose()
      resolve()
    }
    const listener = node.events.on('headChanged', check)
    check()
  })
}
