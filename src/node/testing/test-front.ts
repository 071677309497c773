// A front for transport tests: its chain isn't open, its events come from the test.
import { Emitter } from '../../base/events'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { createChainReader } from '../chain-reader'
import { ChainError } from '../errors'
import type { LogText } from '../logs/block-logs'
import type { LiveLine } from '../logs/live-logs'
import { matcherOf } from '../logs/log-filter'
import { closedQueries } from '../query/query-wire'
import type { RpcNode, RpcServices } from '../rpc/dispatch/method'
import type { NewBlock } from '../rpc/filters/live-logs'
import { RpcFront, type RpcFrontDeps, type RpcFrontOptions } from '../rpc/rpc-front'
import { RpcFault } from '../rpc-fault'
import type { HeadChange } from '../worker/wire/shapes'

/** Emits what a test tells it to. */
export class FakeNews {
  readonly events = new Emitter<{ head: HeadChange; pending: readonly Uint8Array[] }>()
  readonly logs = new Map<string, readonly LogText[]>()

  /** As a query worker answers. A block without logs of its own can't be read. */
  async *linesOf({ hash, isRemoved, filters }: NewBlock): AsyncGenerator<readonly LiveLine[]> {
    const logs = this.logs.get(Buffer.from(hash).toString('hex'))
    if (logs === undefined) throw new RpcFault('RPC_FAILED', { reason: 'not there' })
    for (const log of logs) {
      const matching = filters.flatMap((filter, place) => (matcherOf(filter)(log) ? [place] : []))
      const text = log.text.replace('"removed":false', `"removed":${isRemoved}`)
      if (matching.length > 0) yield [{ kind: 'log', filters: matching, text }]
    }
  }
}

const refusing = (): never => {
  throw new RangeError('not there in this test')
}

/** Services that transport tests don't use. */
const noServices: RpcServices = {
  compiler: null,
  beside: () => null,
  peers: null,
  sending: { feeCapWei: 10n ** 18n, allowUnprotected: false },
  files: { importChain: refusing, exportChain: refusing },
  identity: refusing,
  dataDir: '/',
  configureMining: refusing,
}

/** A node whose chain isn't open. */
export function closedNode(news = new FakeNews()): RpcNode {
  return {
    reader: createChainReader(() => {
      throw new ChainError('CHAIN_NOT_OPEN', undefined)
    }),
    logs: {
      ofNewBlock: (block) => news.linesOf(block),
      search: async () => ({ text: '', next: null }),
    },
    watch: {
      headChanged: (listener) => news.events.on('head', listener),
      newPending: (listener) => news.events.on('pending', listener),
    },
    queries: closedQueries,
    head: () => null,
    currentWork: () => null,
    coinbase: () => null,
    submitWork: async () => 'stale',
    goBackTo: async () => null,
    addTransaction: async () => new Uint8Array(32),
  }
}

export const testOptions: RpcFrontOptions = {
  http: { host: '127.0.0.1', port: 0, api: ['eth', 'net', 'web3'], vhosts: ['localhost'], corsOrigins: [] },
  ws: null,
  ipcPath: null,
  bodyLimitBytes: 2000,
  batchLimit: 3,
  getworkHeight: false,
}

/** Dependencies for a front under test. */
function testDeps(changes: Partial<RpcFrontDeps> = {}): RpcFrontDeps {
  let seed = 0
  return {
    node: closedNode(),
    network: {
      chainId: 1337,
      networkId: 1337,
      clientName: 'headframe/test',
      rules: {
        initialSubsidy: 0n,
        subsidyHalvingBlocks: 1,
        coinbaseMaturityBlocks: 0,
        retargetIntervalBlocks: 0,
        asertActivationHeight: null,
      },
    },
    accounts: null,
    services: noServices,
    localHashrate: () => 0,
    clock: new FakeClock(),
    log: silentLogger,
    randomBytes: (length) => new Uint8Array(length).fill(++seed),
    ...changes,
  }
}

/** A front on a free port, serving `eth`, `net` and `web3` unless told otherwise. */
export function testFront(options: Partial<RpcFrontOptions> = {}, deps: Partial<RpcFrontDeps> = {}): RpcFront {
  return new RpcFront({ ...testOptions, ...options }, testDeps(deps))
}
