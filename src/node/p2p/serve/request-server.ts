// Answers what peers ask of the chain: one request of a peer at a time, every request answered, nobody may queue without end.
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { type Clock, sleep } from '../../../base/time'
import type { Result } from '../../codec/result'
import { encodeRlp } from '../../codec/rlp'
import type { P2pChain } from '../p2p-chain'
import type { Peer } from '../peer/peer'

import { DISCONNECT } from '../wire/base-messages'
import { CODES, decodePaired, encodeAnswer, hashesOf, headersQueryOf, type Paired, wrapList } from '../wire/messages'

export interface RequestServerDeps {
  readonly chain: P2pChain
  readonly clock: Clock
  readonly log: Logger
}

/** A peer may have so many requests waiting here. */
const MOST_WAITING = 128
/** While more than this is unsent to a peer, it gets no further answer. */
const MOST_UNSENT = 4 * 1024 * 1024
const DRAIN_MS = 50
/** Longer lists of hashes are cut: nobody is answered more. */
const MOST_LOOKUPS = 2048

type Answer = { readonly code: number; readonly items: readonly Uint8Array[] }

export class RequestServer {
  readonly #waiting = new WeakMap<Peer, { count: number; tail: Promise<void> }>()

  constructor(private readonly deps: RequestServerDeps) {}

  /** True when the message was a request. */
  take(peer: Peer, code: number, payload: Uint8Array): boolean {
    if (!REQUESTS.has(code)) return false
    const line = this.#waiting.get(peer) ?? { count: 0, tail: Promise.resolve() }
    this.#waiting.set(peer, line)
    if (++line.count > MOST_WAITING) {
      peer.disconnect(DISCONNECT.uselessPeer)
      return true
    }
    line.tail = line.tail
      .then(() => this.#answer(peer, code, payload))
      .catch((error: unknown) => this.deps.log.debug('request not answered', { code, error: messageOf(error) }))
      .finally(() => {
        line.count--
      })
    return true
  }

  async #answer(peer: Peer, code: number, payload: Uint8Array): Promise<void> {
    while (!peer.isClosed && peer.connection.unsentBytes > MOST_UNSENT) await sleep(this.deps.clock, DRAIN_MS)
    if (peer.isClosed) return
    const paired = decodePaired('request', payload)
    const answer = paired.ok ? await this.#lookUp(code, paired.value) : null
    if (!paired.ok || answer === null) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    peer.send(answer.code, encodeAnswer(paired.value.id, answer.items))
  }

  /** Null for what is malformed. */
  async #lookUp(code: number, { items }: Paired): Promise<Answer | null> {
    const { chain } = this.deps
    if (code === CODES.getBlockHeaders) {
      const query = headersQueryOf(items)
      return query.ok ? { code: CODES.blockHeaders, items: await chain.headers(query.value) } : null
    }
    const hashes: Result<readonly Uint8Array[]> = hashesOf('request', items.slice(0, MOST_LOOKUPS))
    if (!hashes.ok) return null
    const wanted = hashes.value
    switch (code) {
      case CODES.getBlockBodies:
        // A body on the wire is a list of one item, the transactions.
        return { code: CODES.blockBodies, items: (await chain.bodies(wanted)).map((body) => wrapList([body])) }
      case CODES.getReceipts:
        return { code: CODES.receipts, items: await chain.receipts(wanted) }
      case CODES.getPooledTransactions:
        return { code: CODES.pooledTransactions, items: await chain.pooled(wanted) }
      case CODES.getNodeData:
        return { code: CODES.nodeData, items: (await chain.nodeData(wanted)).map((bytes) => encodeRlp(bytes)) }
      default:
        return null
    }
  }
}

const REQUESTS: ReadonlySet<number> = new Set([
  CODES.getBlockHeaders,
  CODES.getBlockBodies,
  CODES.getReceipts,
  CODES.getPooledTransactions,
  CODES.getNodeData,
])
