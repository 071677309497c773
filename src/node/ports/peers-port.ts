// Peers, as JSON-RPC needs them. The network layer implements it.
import type { Disposable } from '../../base/disposable'

export interface SyncHeights {
  readonly from: number
  readonly current: number
  readonly target: number
}

export interface PeersPort {
  count(): number
  list(): readonly PeerFacts[]
  /** Adds a static node. @throws RpcFault RPC_FAILED when it isn't a valid enode */
  add(url: string): void
  /** @throws RpcFault RPC_FAILED when it isn't a valid enode */
  remove(url: string): void
  /** Whether it is exempt from the limits. @throws RpcFault RPC_FAILED when it isn't a valid enode */
  trust(url: string, isTrusted: boolean): void
  /** Null when no sync runs. */
  syncing(): SyncHeights | null
  /** What our chain has instead of a required block; null = nothing. */
  wrongBlock(): string | null
  /** Called when a sync starts, and with null when it ends. */
  watchSync(listener: (sync: SyncHeights | null) => void): Disposable
}

export interface PeerFacts {
  readonly enode: string
  /** keccak-256 of the public key, 64 hex digits */
  readonly id: string
  readonly clientName: string
  /** `name/version`, everything it offered. */
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
