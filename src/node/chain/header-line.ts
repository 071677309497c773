// Consecutive headers that are checked ahead of being stored: rules immediately, seals meanwhile on other threads.
import { equalBytes } from '../../base/bytes'
import { headerFault } from '../consensus/header-rules'
import type { ConsensusParams } from '../consensus/params'
import { type SealEngine, sealFault } from '../consensus/seal'
import type { Block } from '../model/block'
import type { BlockHeader } from '../model/header'
import type { ChainReads } from './chain-store'

/** Looks up stored headers. */
export type HeaderReads = Pick<ChainReads, 'header' | 'ancestor'>

/** What the line needs from others. */
export interface HeaderLineDeps {
  readonly params: ConsensusParams
  readonly reads: HeaderReads
  /** Null: seals aren't checked. */
  readonly seals: SealEngine | null
  readonly nowSeconds: () => bigint
}

/** A header's check: the rules' result, and the seal's when it is done. */
export interface CheckedHeader {
  /** The reference's message, or null: every rule except the seal. */
  readonly fault: string | null
  /** The same for the seal; null immediately when a rule is broken already. */
  readonly seal: Promise<string | null>
}

/** What a header's check needs of a block. */
type Headed = Pick<Block, 'header' | 'hash'>

const GOOD: Promise<string | null> = Promise.resolve(null)

/** Checks consecutive headers before their blocks are stored. */
export class HeaderLine {
  readonly #headers: BlockHeader[] = []
  #last: Headed | null = null

  constructor(private readonly deps: HeaderLineDeps) {}

  /** True when `block` may be checked next: its parent is the one checked last. */
  continues(block: Pick<Block, 'header'>): boolean {
    return this.#last !== null && equalBytes(block.header.parentHash, this.#last.hash)
  }

  /** Drops what was checked: the next block's parent is read from the store. */
  restart(): void {
    this.#headers.length = 0
    this.#last = null
  }

  /** Drops the headers whose blocks are stored by now, so that a long line stays short. */
  dropStored(): void {
    const { reads } = this.deps
    let count = 0
    while (count + 1 < this.#headers.length) {
      const next = this.#headers[count + 1]
      if (next === undefined || reads.header(next.parentHash) === null) break
      count++
    }
    this.#headers.splice(0, count)
  }

  /** A block of which only the header is valid must not be passed twice: an invalid one ends the line. */
  check(block: Headed): CheckedHeader {
    const { header } = block
    const { params, reads, seals, nowSeconds } = this.deps
    const parent = this.continues(block) ? (this.#last?.header ?? null) : reads.header(header.parentHash)
    const fault = headerFault(header, {
      params,
      parent,
      ancestor: (from, number) => this.#ancestor(from, number),
      nowSeconds: nowSeconds(),
    })
    if (fault !== null) return { fault, seal: GOOD }
    if (!this.continues(block)) this.restart()
    this.#headers.push(header)
    this.#last = block
    if (seals === null) return { fault: null, seal: GOOD }
    const seal = sealFault(header, seals)
    seal.catch(() => undefined) // whoever awaits it gets the error; nobody does when an earlier block is refused
    return { fault: null, seal }
  }

  /** Numbers on the line are consecutive, as the rules require. */
  #ancestor(from: BlockHeader, number: bigint): BlockHeader | null {
    const first = this.#headers[0]
    const onLine = first !== undefined && this.#headers[Number(from.number - first.number)] === from
    if (!onLine || number > from.number) return this.deps.reads.ancestor(from, number)
    if (number < first.number) return this.deps.reads.ancestor(first, number)
    return this.#headers[Number(number - first.number)] ?? null
  }
}
