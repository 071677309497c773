// Other nodes, as JSON-RPC needs them. The network layer meets it.
import type { Disposable } from '../../base/disposable'

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
