// Sends whole transactions to one peer in messages of limited size: skips those it has, and doesn't mark as known what
// isn't sent because the peer is slow.
import { decodeTransaction } from '../../model/transaction'
import { CODES, decodeRawTransactions, wrapList } from '../../protocol/messages'
import type { Peer } from '../peer/peer'

/** Soft size of a message, bytes. */
const PACK_BYTES = 100 * 1024

/** A transaction as it is sent. */
interface Pooled {
  /** As it appears in a block. */
  readonly body: Uint8Array
  /** 32 bytes */
  readonly hash: Uint8Array
}

/** Builds messages of up to the soft size for one peer. */
export class TransactionPacks {
  #pack: Pooled[] = []
  #bytes = 0

  constructor(private readonly peer: Peer) {}

  add(entries: readonly Pooled[]): void {
    for (const entry of entries) {
      if (this.peer.knownTransactions.has(entry.hash)) continue
      this.#pack.push(entry)
      this.#bytes += entry.body.length
      if (this.#bytes >= PACK_BYTES) this.flush()
    }
  }

  /** Sends the remainder. */
  flush(): void {
    const pack = this.#pack
    this.#pack = []
    this.#bytes = 0
    if (pack.length === 0 || !this.peer.offer(CODES.transactions, wrapList(pack.map(({ body }) => body)))) return
    for (const { hash } of pack) this.peer.knownTransactions.add(hash)
  }
}

/** Adds its hash. @param body a transaction as it appears in a block */
export function pooledOf(body: Uint8Array): readonly Pooled[] {
  const list = decodeRawTransactions('pool', wrapList([body]))
  const raw = list.ok ? list.value[0] : undefined
  const tx = raw === undefined ? null : decodeTransaction(raw)
  return tx?.ok === true ? [{ body, hash: tx.value.hash }] : []
}
