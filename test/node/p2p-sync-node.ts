// One of our nodes that only syncs: a chain worker and the network layer over it, and a record of everything imported.
import { randomBytes } from 'node:crypto'
import { MessageChannel } from 'node:worker_threads'
import { Emitter } from '../../src/base/events'
import { toHex } from '../../src/base/hex'
import { createLogger, type LogRecord, silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { createWireClient } from '../../src/base/wire/client'
import { portTransport } from '../../src/host/workers/worker-environment'
import { netRestrict } from '../../src/node/identity/ip-address'
import type { DiscoverySource } from '../../src/node/p2p/discovery/discovery'
import { LocalRecord } from '../../src/node/p2p/discovery/local-record'
import { type P2pChain, workerChain } from '../../src/node/p2p/network-parts'
import { P2pService } from '../../src/node/p2p/p2p-service'
import type { RequiredBlocks } from '../../src/node/p2p/required/required-blocks'
import { publicKeyOf } from '../../src/node/p2p/rlpx/handshake'
import type { SyncLimits, SyncProgress } from '../../src/node/p2p/sync/sync-parts'
import { forkSchedule } from '../../src/node/protocol/fork-id'
import { serveChain } from '../../src/node/worker/serve-chain'
import { chainWire } from '../../src/node/worker/wire/chain-wire'
import type { ImportReport } from '../../src/node/worker/wire/import-shapes'
import type { BlockSummary } from '../../src/node/worker/wire/shapes'
import { madeGenesis } from './made-blocks'
import { PASSIVE_CHAIN } from './vector-session'

export const SYNC_NETWORK = 4713

export interface SyncNodeOptions {
  readonly folder: string
  readonly limits?: Partial<SyncLimits>
  readonly maxPeers?: number
  /** Blocks that peers must have; default none. */
  readonly required?: RequiredBlocks
  /** A layer between the network layer and the chain worker. */
  readonly between?: (chain: P2pChain) => P2pChain
}

export interface SyncNode {
  readonly p2p: P2pService
  readonly chain: P2pChain
  /** Where others connect. */
  readonly address: { readonly id: Uint8Array; readonly port: number }
  /** 32 bytes */
  readonly genesisHash: Uint8Array
  /** All imports that a sync requested. */
  readonly reports: readonly ImportReport[]
  /** All notifications, in order. */
  readonly told: readonly SyncProgress[]
  readonly log: readonly LogRecord[]
  head(): BlockSummary
  stop(): Promise<void>
}

/** Started, on a separate port; the chain has what `folder` contains, otherwise genesis only. */
export async function syncNode(options: SyncNodeOptions): Promise<SyncNode> {
  const { folder, limits = {}, maxPeers = 25, required = new Map(), between = (chain) => chain } = options
  const { port1, port2 } = new MessageChannel()
  const clock = systemClock()
  serveChain(portTransport(port2), { clock, log: silentLogger, searchFrom: import.meta.dirname })
  const client = createWireClient(chainWire, portTransport(port1))
  const opened = await client.call('chain.open', {
    network: 'custom',
    custom: { genesis: madeGenesis(), networkId: SYNC_NETWORK, xhashMode: 'test' },
    folder,
    genesis: null,
    held: false,
    pool: null,
    mining: false,
    ...PASSIVE_CHAIN,
    gcMode: 'full',
    historyBlocks: 0,
    fakePow: false,
    stop: null,
  })
  let { head } = opened
  const service: { current: P2pService | null } = { current: null }
  client.on('chain.headChanged', (change) => {
    head = change.head
    service.current?.headChanged(change)
  })
  const reports: ImportReport[] = []
  const worker = between(workerChain(() => client))
  const chain: P2pChain = {
    ...worker,
    async importBlocks(blocks) {
      const report = await worker.importBlocks(blocks)
      reports.push(report)
      return report
    },
  }
  const log: LogRecord[] = []
  const staticKey = new Uint8Array(randomBytes(32))
  const p2p = new P2pService(
    {
      staticKey,
      listen: { host: '127.0.0.1', port: 0 },
      maxPeers,
      clientId: 'syncing',
      networkId: SYNC_NETWORK,
      schedule: forkSchedule(opened.genesisHash, []),
      restrict: netRestrict([]),
      lists: { fixed: [], trusted: [], anchors: [] },
      anchorsFile: null,
      required,
    },
    {
      chain,
      clock,
      randomBytes,
      head: () => head,
      discovery: noDiscovery(staticKey),
      syncLimits: limits,
      log: createLogger('sync', {
        now: () => clock.now(),
        minLevel: 'debug',
        sink: { write: (record) => void log.push(record) },
      }),
    },
  )
  service.current = p2p
  const told: SyncProgress[] = []
  p2p.events.on('syncChanged', (progress) => told.push(progress))
  await p2p.start(new AbortController().signal)
  return {
    p2p,
    chain,
    reports,
    told,
    log,
    genesisHash: opened.genesisHash,
    address: { id: publicKeyOf(staticKey), port: p2p.port },
    head: () => head,
    async stop() {
      await p2p.stop()
      await client.call('chain.close', {})
      void client.close()
    },
  }
}

/** Blocks that joined the chain, and blocks that it already had when they were imported. */
export function tally(...nodes: readonly SyncNode[]): { readonly added: number; readonly known: number } {
  const all = nodes.flatMap(({ reports }) => reports)
  return {
    added: all.reduce((sum, { added, side }) => sum + added + side, 0),
    known: all.reduce((sum, { known }) => sum + known, 0),
  }
}

export function headOf(node: SyncNode): string {
  return toHex(node.head().hash)
}

function noDiscovery(key: Uint8Array): () => DiscoverySource {
  return () => ({
    name: 'discovery',
    events: new Emitter(),
    record: new LocalRecord(key, 1n),
    nodes: () => [],
    start: async () => undefined,
    stop: async () => undefined,
  })
}
