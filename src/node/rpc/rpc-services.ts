// What methods need besides the chain. Supplied by the node service and the host.
import type { BesideState } from '../beside-node'
import type { NodeIdentity } from '../identity/enr'
import type { CompilerPort } from '../ports/compiler-port'
import type { PeersPort } from '../ports/peers-port'
import type { MiningChange } from '../worker/wire/pool-wire'
import type { SendRules } from './sending/send-rules'

/** Import and export of block files (concatenated RLP, also `.gz`). All throw RpcFault RPC_FAILED. */
export interface ChainFiles {
  importChain(path: string, signal: AbortSignal): Promise<void>
  /** Blocks `first` to `last` (null: from genesis, to the head); the file must not exist. */
  exportChain(path: string, range: { readonly first: number | null; readonly last: number | null }): Promise<void>
}

/** The services. */
export interface RpcServices {
  /** Null = no network layer. */
  readonly peers: PeersPort | null
  /** Null = none. */
  readonly compiler: CompilerPort | null
  readonly sending: SendRules
  readonly files: ChainFiles
  /** Our current identity: address and record may change while running. */
  readonly identity: () => NodeIdentity
  /** absolute path */
  readonly dataDir: string
  /** The comparison with another node; null = none. */
  readonly beside: () => BesideState | null
  /** Changes the named settings. */
  configureMining(change: MiningChange): Promise<unknown>
}
