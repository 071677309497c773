// What methods need besides the chain itself: compilers, rules of sending, what the miner makes blocks with, the files of the
// chain. Handed in by the node service and the host.
import type { Disposable } from '../../base/disposable'
import type { NodeIdentity } from '../identity/node-record'
import type { MiningChange } from '../worker/pool-wire'
import type { CompilerPort } from './compiler-port'
import type { SendRules } from './send-rules'

export interface ChainFiles {
  /** Takes the blocks of a file (RLP one after another, `.gz` too). @throws RpcFault RPC_FAILED */
  importChain(path: string, signal: AbortSignal): Promise<void>
  /** Writes blocks `first` to `last` (null: from genesis, to the head). @throws RpcFault RPC_FAILED, also when the file exists */
  exportChain(path: string, range: { readonly first: number | null; readonly last: number | null }): Promise<void>
}

/** Where a sync began, how far it is and where it goes, heights. */
export interface SyncHeights {
  readonly from: number
  readonly current: number
  readonly target: number
}

/** Other nodes, as JSON-RPC shows them. */
export interface PeersPort {
  count(): number
  list(): readonly PeerFacts[]
  /** To be connected from now on. @throws RpcFault RPC_FAILED for what names no node */
  add(url: string): void
  /** @throws RpcFault RPC_FAILED for what names no node */
  remove(url: string): void
  /** Whether the limits hold for it. @throws RpcFault RPC_FAILED for what names no node */
  trust(url: string, isTrusted: boolean): void
  /** Null when no sync runs. */
  syncing(): SyncHeights | null
  /** Calls back when a sync starts, and with null when it ends. */
  watchSync(listener: (sync: SyncHeights | null) => void): Disposable
}

export interface PeerFacts {
  readonly enode: string
  /** keccak-256 of the public key, 64 hex digits */
  readonly id: string
  readonly clientName: string
  /** `name/version`, all that it offered. */
  readonly capabilities: readonly string[]
  readonly isInbound: boolean
  readonly isTrusted: boolean
  readonly isStatic: boolean
  readonly localAddress: string
  readonly remoteAddress: string
  readonly totalDifficulty: bigint
  /** 32 bytes */
  readonly head: Uint8Array
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
