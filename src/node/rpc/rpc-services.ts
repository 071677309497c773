// What methods need besides the chain: compilers, sending rules, mining settings, block files. Supplied by the node
// service and the host.
import type { BesideState } from '../beside-node'
import type { NodeIdentity } from '../identity/node-record'
import type { CompilerPort } from '../ports/compiler-port'
import type { PeersPort } from '../ports/peers-port'
import type { MiningChange } from '../worker/wire/pool-wire'
import type { SendRules } from './sending/send-rules'

/** Import and export of block files. */
export interface ChainFiles {
  /** Imports a file's blocks (concatenated RLP, also `.gz`). @throws RpcFault RPC_FAILED */
  importChain(path: string, signal: AbortSignal): Promise<void>
  /**
   * Exports blocks `first` to `last` (null: from genesis, to the head). @throws RpcFault RPC_FAILED, also when the file
   * exists
   */
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
