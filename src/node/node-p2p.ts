// The network layer of the node: made from its options, over the chain worker.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import type { Logger } from '../base/logger'
import type { Clock } from '../base/time'
import type { WireClient } from '../base/wire/client'
import { loadNodeKey } from './identity/node-key'
import type { NodeEndpoint } from './identity/node-record'
import { type CustomSettings, type NetworkSpec, networkOf } from './networks'
import { type DiscoveryConfig, nodeDiscovery } from './p2p/discovery/node-discovery'
import { forkSchedule } from './p2p/fork-id'
import { netRestrict } from './p2p/netrestrict'
import { workerChain } from './p2p/p2p-chain'
import { P2pService } from './p2p/p2p-service'
import type { ChainWire } from './worker/chain-wire'
import type { BlockSummary } from './worker/shapes'

/** How the node meets other nodes. */
export interface P2pSettings {
  /** Port 0 = any free one; UDP takes the same. */
  readonly listen: { readonly host: string; readonly port: number }
  /** 0 = no peers. */
  readonly maxPeers: number
  /** 32 bytes; null = the one in `nodeKeyFile`. */
  readonly nodeKey: Uint8Array | null
  /** absolute path, made when it is not there; null = beside the chain */
  readonly nodeKeyFile: string | null
  readonly discovery: DiscoveryConfig & { readonly netRestrict: readonly string[] }
}

export interface NodeP2pFacts {
  /** 32 bytes: the node key */
  readonly key: Uint8Array
  /** 32 bytes */
  readonly genesisHash: Uint8Array
  readonly client: () => WireClient<ChainWire>
  readonly head: () => BlockSummary | null
  readonly clock: Clock
  readonly log: Logger
}

/** What of the node's options matters here. */
export interface NodeP2pOptions {
  readonly network: NetworkSpec['name']
  readonly custom?: CustomSettings | null
  readonly chainDir: string
  readonly clientName: string
  readonly rpc: unknown
  readonly p2p?: P2pSettings | null
}

/** 32 bytes; null where nobody asks for a name. @throws ChainError CHAIN_NODE_KEY */
export async function nodeKeyOf({ rpc, p2p = null, chainDir }: NodeP2pOptions): Promise<Uint8Array | null> {
  if (rpc === null && p2p === null) return null
  return p2p?.nodeKey ?? loadNodeKey(p2p?.nodeKeyFile ?? join(dirname(chainDir), 'nodekey'), randomBytes)
}

/** Not started yet; null for a node without peers. @throws DiscoveryError P2P_BOOTNODE, P2P_DNS_TREE */
export function createNodeP2p(options: NodeP2pOptions, facts: NodeP2pFacts): P2pService | null {
  const { p2p: settings = null, clientName, network, custom = null, chainDir } = options
  const { key, genesisHash, clock, head, client } = facts
  if (settings === null || settings.maxPeers === 0) return null
  const { listen, maxPeers } = settings
  // No network has a fork above genesis: the activation of ASERT is not counted as one.
  const schedule = forkSchedule(genesisHash, [])
  const log = facts.log.child({ module: 'p2p' })
  const { netRestrict: networks, ...config } = settings.discovery
  const restrict = netRestrict(networks)
  const search = nodeDiscovery(
    { network, config, listen, restrict, folder: dirname(chainDir) },
    { randomBytes, clock, log },
  )
  const { networkId } = networkOf(network, custom)
  const clientId = `${clientName}/${process.platform}-${process.arch}/node${process.versions.node}`
  return new P2pService(
    { staticKey: key, listen, maxPeers, clientId, networkId, schedule, restrict },
    {
      ...{ chain: workerChain(client), clock, head, log, randomBytes },
      discovery: (tcpPort) => search({ key, schedule, tcpPort }),
    },
  )
}

/** Where peers connect, as we name ourselves: of a listener on all addresses nothing better is known here than the loopback one. */
export function endpointOf(p2p: P2pService | null, settings: P2pSettings | null | undefined): NodeEndpoint {
  const { host = '' } = settings?.listen ?? {}
  const ip = isIP(host) === 4 && host !== '0.0.0.0' ? host : '127.0.0.1'
  const port = p2p?.port ?? 0
  return { ip, port, discoveryPort: settings?.discovery.noDiscover === false ? port : 0 }
}
