// Blocks that a chain must contain to be ours, named by the operator by height. They can only reject: a chain that has
// them is still fully verified, and none is preferred for them.
// Source: go-ethereum 1.10 eth/handler.go (the request to each new peer)
import { equalBytes } from '../../../base/bytes'
import { hasCode, messageOf } from '../../../base/errors'
import { toHex } from '../../../base/hex'
import { type BlockHeader, blockHash } from '../../model/header'
import { DISCONNECT } from '../../protocol/base-messages'
import type { HeadChange } from '../../worker/wire/shapes'
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

/** What our own chain has at the height of a required block; hashes as text. */
export interface WrongBlock {
  readonly height: number
  readonly here: string
  readonly required: string
}

/** In words, for answers and lines. */
export function wrongBlockText({ height, here, required }: WrongBlock): string {
  return `block ${height} is ${here}, required is ${required}`
}

/** Asks each new peer for the required blocks, and compares our own chain with them. */
export class RequiredCheck {
  readonly #wrong = new Map<number, WrongBlock>()

  constructor(
    private readonly required: RequiredBlocks,
    private readonly deps: Pick<NetworkParts, 'bans' | 'log'>,
  ) {}

  /** The lowest one at which our own chain has another block; null = none. */
  wrongBlock(): WrongBlock | null {
    return [...this.#wrong.values()].sort((a, b) => a.height - b.height)[0] ?? null
  }

  /** Disconnects when the block is another one, or no answer comes. A peer that hasn't reached that height may stay. */
  ask(peer: Peer): void {
    for (const [number, hash] of this.required)
      this.#askFor(peer, number, hash).catch((error: unknown) => {
        if (hasCode(error, 'P2P_CLOSED')) return
        this.#drop(peer, `no answer about required block ${number}: ${messageOf(error)}`, 0)
      })
  }

  /** Call it at startup. */
  async lookAtOwn(chain: P2pChain): Promise<void> {
    const heights = [...this.required.keys()]
    const own = await chain.canonical(heights)
    for (const [index, height] of heights.entries()) this.#compare(Number(height), own[index] ?? null)
  }

  /** Call it for each change of our head. */
  headChanged({ removed, added }: Pick<HeadChange, 'removed' | 'added'>): void {
    if (this.required.size === 0) return
    for (const { number } of removed) this.#wrong.delete(number)
    for (const { number, hash } of added) this.#compare(number, hash)
  }

  #compare(height: number, found: Uint8Array | null): void {
    const wanted = this.required.get(BigInt(height))
    if (wanted === undefined || found === null || equalBytes(found, wanted)) return
    const wrong = { height, here: toHex(found), required: toHex(wanted) }
    this.#wrong.set(height, wrong)
    const fault = 'this chain has a different block than a required one: go back below it, or change the option'
    this.deps.log.error(fault, { ...wrong })
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
