// Blocks that a chain must contain to be ours, named by the operator by height. They can only reject: a chain that has
// them is still fully verified, and none is preferred for them.
// Source: go-ethereum 1.10 eth/handler.go (the request to each new peer)
import { equalBytes } from '../../../base/bytes'
import { hasCode, messageOf } from '../../../base/errors'
import { toHex } from '../../../base/hex'
import { type BlockHeader, blockHash } from '../../model/header'
import { DISCONNECT } from '../../protocol/base-messages'
import type { NetworkParts } from '../network-parts'
import type { P2pChain } from '../p2p-chain'
import { fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'

/** 32-byte hash by height. */
export type RequiredBlocks = ReadonlyMap<bigint, Uint8Array>

/** A peer on another chain usually stays there; it may reconnect in case it switched. */
const OTHER_CHAIN_BAN_MS = 60 * 60_000
/** prlx's. */
const ANSWER_MS = 15_000

/** Asks each new peer for the required blocks. */
export class RequiredCheck {
  constructor(
    private readonly required: RequiredBlocks,
    private readonly deps: Pick<NetworkParts, 'bans' | 'log'>,
  ) {}

  /** Disconnects when the block is another one, or no answer comes. A peer that hasn't reached that height may stay. */
  ask(peer: Peer): void {
    for (const [number, hash] of this.required)
      this.#askFor(peer, number, hash).catch((error: unknown) => {
        if (hasCode(error, 'P2P_CLOSED')) return
        this.#drop(peer, `no answer about required block ${number}: ${messageOf(error)}`, 0)
      })
  }

  /** Logs when our own chain has another block at such a height. */
  async lookAtOwn(chain: P2pChain): Promise<void> {
    const own = await chain.canonical([...this.required.keys()])
    for (const [index, [number, hash]] of [...this.required].entries()) {
      const found = own[index] ?? null
      if (found === null || equalBytes(found, hash)) continue
      const facts = { number: Number(number), here: toHex(found), required: toHex(hash) }
      const fault = 'this chain has a different block than a required one: go back below it, or change the option'
      this.deps.log.error(fault, facts)
    }
  }

  async #askFor(peer: Peer, number: bigint, hash: Uint8Array): Promise<void> {
    const query = { origin: number, amount: 1n, skip: 0n, reverse: false }
    const [entry] = await fetchHeaders(peer, query, ANSWER_MS)
    if (entry === undefined || (entry.header.number === number && equalBytes(entry.hash, hash))) return
    this.#drop(peer, `block ${number} is ${toHex(entry.hash)}, required is ${toHex(hash)}`, OTHER_CHAIN_BAN_MS)
  }

  #drop(peer: Peer, reason: string, banMs: number): void {
    this.deps.log.info('peer dropped: required block', { peer: peer.name.slice(0, 16), reason })
    if (banMs > 0) this.deps.bans.add(peer.name, reason, banMs)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}

/** The chain with other headers at a required height invalid: who answers the request rightly, then lies, fails too. */
export function withRequired(chain: P2pChain, required: RequiredBlocks): P2pChain {
  if (required.size === 0) return chain
  return {
    ...chain,
    async checkHeaders(headers) {
      for (const [at, header] of headers.entries()) {
        const reason = faultOf(header, required)
        if (reason === null) continue
        const before = at === 0 ? { good: 0, fault: null } : await chain.checkHeaders(headers.slice(0, at))
        return before.fault === null ? { good: at, fault: { kind: 'fault', reason } } : before
      }
      return chain.checkHeaders(headers)
    },
    async judgeHeader(header) {
      const reason = faultOf(header, required)
      return reason === null ? chain.judgeHeader(header) : { kind: 'fault', reason, parentTotal: 0n }
    },
  }
}

/** Null when it isn't at a required height. */
function faultOf(header: BlockHeader, required: RequiredBlocks): string | null {
  const wanted = required.get(header.number)
  if (wanted === undefined || equalBytes(blockHash(header), wanted)) return null
  return `block ${header.number} is not the required ${toHex(wanted)}`
}
