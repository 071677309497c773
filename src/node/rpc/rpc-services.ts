// What methods need besides the chain itself: compilers, rules of sending, what the miner makes blocks with, the files of the
// chain. Handed in by the node service and the host.
import type { NodeIdentity } from '../identity/node-record'
import type { CompilerPort } from '../ports/compiler-port'
import type { PeersPort } from '../ports/peers-port'
import type { MiningChange } from '../worker/wire/pool-wire'
import type { SendRules } from './sending/send-rules'

export interface ChainFiles {
  /** Takes the blocks of a file (RLP one after another, `.gz` too). @throws RpcFault RPC_FAILED */
  importChain(path: string, signal: AbortSignal): Promise<void>
  /** Writes blocks `first` to `last` (null: from genesis, to the head). @throws RpcFault RPC_FAILED, also when the file exists */
  exportChain(path: string, range: { readonly first: number | null; readonly last: number | null }): Promise<void>
}

export interface RpcServices {
  /** Null = this node has no peers. */
  readonly peers: PeersPort | null
  /** Null = none. */
  readonly compiler: CompilerPort | null
  readonly sending: SendRules
  readonly files: ChainFiles
  /** How others name us now: address and record change while we run. */
  readonly identity: () => NodeIdentity
  /** absolute path */
  readonly dataDir: string
  /** Changes what is named of it. */
  configureMining(change: MiningChange): Promise<unknown>
}
