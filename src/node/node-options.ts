// What a node is built from: its options, and what the program supplies.
import type { Logger } from '../base/logger'
import type { MetricsRegistry } from '../base/metrics'
import type { Clock } from '../base/time'
import type { Transport } from '../base/wire/define'
import type { CustomSettings, NetworkSpec } from './networks'
import type { DiscoveryConfig } from './p2p/discovery/node-discovery'
import type { RequiredSettings } from './p2p/required/required-blocks'
import type { AccountsPort } from './ports/accounts-port'
import type { CompilerPort } from './ports/compiler-port'
import type { QuerySettings } from './query/query-wire'
import type { ChainFiles } from './rpc/dispatch/method'
import type { RpcFrontOptions } from './rpc/rpc-front'
import type { SendRules } from './rpc/sending/send-rules'
import type { PoolParams } from './worker/wire/pool-wire'

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

/** The node's options. */
export interface NodeServiceOptions {
  readonly network: NetworkSpec['name']
  /** Defines the network `custom`. */
  readonly custom?: CustomSettings | null
  /** absolute; the chain database's own folder */
  readonly chainDir: string
  /** Genesis file (JSON text) for an empty database; an existing one keeps its own. Called at each start. */
  readonly genesis: () => string | null
  /** 20 bytes; null = no work until `setCoinbase`. Called at each start. */
  readonly coinbase: () => Uint8Array | null
  /** `headframe/<version>`: prefix of the client version, and the default of `extraData` */
  readonly clientName: string
  /** In the header of mined blocks, at most 32 bytes; null = `clientName`. */
  readonly extraData: Uint8Array | null
  /** Limits of the pool; null or absent = prlx's, and own transactions aren't persisted. */
  readonly pool?: PoolParams | null
  /** Whether to give out work once a coinbase is known; absent = yes. */
  readonly mining?: boolean
  /** minimum wei per gas for peers' transactions while we mine; our own are exempt */
  readonly minimumGasPrice: bigint
  /** Null = the network's default. */
  readonly gasLimitGoal: bigint | null
  /** Delay of templates after a pool change, ms. */
  readonly poolDelayMs: number
  /** Renewal interval of templates, ms. */
  readonly recommitMs: number
  /** Default `full`: states of the last 128 heads; `archive` keeps every state from now on. */
  readonly gcMode?: 'full' | 'archive'
  /** For mode `full`, see `WindowSize.history`. Default 0. */
  readonly historyBlocks?: number
  /** True: seals aren't verified. Never for a node with peers. */
  readonly fakePow?: boolean
  /** Default: prlx's, see `DEFAULT_SEND_RULES`. */
  readonly sending?: SendRules
  /** Calls and traces; default: prlx's limits, two threads. */
  readonly queries?: QuerySettings
  /** Null = no JSON-RPC. */
  readonly rpc: RpcFrontOptions | null
  /** JSON-RPC of another node that is compared with this one: http address or path of a socket. Null or absent = none. */
  readonly beside?: string | null
  /** Null or absent = no peers. */
  readonly p2p?: P2pSettings | null
}

/** What the program supplies. */
export interface NodeServiceDeps {
  /** Starts the chain worker and connects to it. */
  readonly chain: () => Transport
  /** Starts a query worker and connects to it. Null or absent: no calls, proofs and traces. */
  readonly queries?: (() => Transport) | null
  /** Folder from which the engine's module is searched for small calls. Absent: workers run them. */
  readonly searchFrom?: string
  /** Null = no accounts. */
  readonly accounts: AccountsPort | null
  /** Default: none. */
  readonly compiler?: CompilerPort | null
  readonly files: ChainFiles
  /** H/s of this program's own miner; 0 without one */
  readonly localHashrate: () => number
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: MetricsRegistry
}
