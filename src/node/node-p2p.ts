// The node's network layer: created from its options, on top of the chain worker.
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Logger } from '../base/logger'
import type { Clock } from '../base/time'
import type { WireClient } from '../base/wire/client'
import { loadNodeKey } from './identity/node-key'
import { type NodeIdentity, nodeIdentity } from './identity/node-record'
import { type CustomSettings, type NetworkSpec, networkOf } from './networks'
import { bootnodesOf } from './p2p/discovery/bootnodes'
import { type DiscoveryConfig, nodeDiscovery } from './p2p/discovery/node-discovery'
import { forkSchedule } from './p2p/fork-id'
import { netRestrict } from './p2p/netrestrict'
import { ANCHORS_FILE, type NodeLists, readNodeLists } from './p2p/node-lists'
import { workerChain } from './p2p/p2p-chain'
import { P2pService } from './p2p/p2p-service'
import { NOTHING_REQUIRED, type RequiredSettings, requiredBlocks } from './p2p/required/required-settings'
import type { ChainWire } from './worker/wire/chain-wire'
import type { BlockSummary } from './worker/wire/shapes'

/** How the node connects to others. */
export interface P2pSettings {
  /** Port 0 = any free one; UDP uses the same. */
  readonly listen: { readonly host: string; readonly port: number }
  /** 0 = no peers. */
  readonly maxPeers: number
  /** 32 bytes; null = the one in `nodeKeyFile`. */
  readonly nodeKey: Uint8Array | null
  /** absolute path, created when missing; null = beside the chain */
  readonly nodeKeyFile: string | null
  /** Gives out work even while a peer is verifiably ahead. Default: no. */
  readonly minesBehind?: boolean
  /** Blocks that peers must have. Default: none. */
  readonly required?: RequiredSettings
  readonly discovery: DiscoveryConfig & { readonly netRestrict: readonly string[] }
}

/** What the network layer has to know about the chain. */
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

/** The node options relevant here. */
export interface NodeP2pOptions {
  readonly network: NetworkSpec['name']
  readonly custom?: CustomSettings | null
  readonly chainDir: string
  readonly clientName: string
  readonly rpc: unknown
  readonly p2p?: P2pSettings | null
}

/** 32 bytes; null when no identity is needed. @throws ChainError CHAIN_NODE_KEY */
export async function nodeKeyOf({ rpc, p2p = null, chainDir }: NodeP2pOptions): Promise<Uint8Array | null> {
  if (rpc === null && p2p === null) return null
  return p2p?.nodeKey ?? loadNodeKey(p2p?.nodeKeyFile ?? join(dirname(chainDir), 'nodekey'), randomBytes)
}

/** Not started yet; null for a node without peers. @throws DiscoveryError P2P_BOOTNODE, P2P_DNS_TREE */
export async function createNodeP2p(options: NodeP2pOptions, facts: NodeP2pFacts): Promise<P2pService | null> {
  const { p2p: settings = null, clientName, network, custom = null, chainDir } = options
  const { key, genesisHash, clock, head, client } = facts
  if (settings === null || settings.maxPeers === 0) return null
  const { listen, maxPeers } = settings
  // No network has a fork above genesis: the activation of ASERT doesn't count as one.
  const schedule = forkSchedule(genesisHash, [])
  const log = facts.log.child({ module: 'p2p' })
  const { netRestrict: networks, ...config } = settings.discovery
  const restrict = netRestrict(networks)
  const search = nodeDiscovery(
    { network, config, listen, restrict, folder: dirname(chainDir) },
    { randomBytes, clock, log },
  )
  const required = await requiredBlocks(settings.required ?? NOTHING_REQUIRED, genesisHash)
  const { networkId } = networkOf(network, custom)
  const clientId = `${clientName}/${process.platform}-${process.arch}/node${process.versions.node}`
  const lists = await readNodeLists(dirname(chainDir), log)
  const anchorsFile = join(dirname(chainDir), ANCHORS_FILE)
  if (knowsNobody(network, config, lists))
    log.warn(
      'no bootnodes are published for this network: name nodes by --bootnodes, --discovery.dns or static-nodes.json',
      {
        network,
      },
    )
  return new P2pService(
    { staticKey: key, listen, maxPeers, clientId, networkId, schedule, restrict, lists, anchorsFile, required },
    {
      chain: workerChain(client),
      clock,
      head,
      log,
      randomBytes,
      discovery: (tcpPort) => search({ key, schedule, tcpPort }),
    },
  )
}

/** True when discovery has no starting point and that wasn't intended; others may still connect to us. */
function knowsNobody(network: NetworkSpec['name'], config: DiscoveryConfig, { fixed }: NodeLists): boolean {
  if (config.noDiscover || config.bootnodes !== null || config.dnsTrees.length + fixed.length > 0) return false
  const published = bootnodesOf(network, null)
  return published.ok && published.value.length === 0
}

/** Without a network layer: an identity that can't be dialed. */
export function identityOf(p2p: P2pService | null, key: Uint8Array): NodeIdentity {
  return p2p?.identity() ?? nodeIdentity(key, { ip: '127.0.0.1', port: 0, discoveryPort: 0 }, 1n)
}
