// Bulk import: blocks are cut into batches, headers checked one batch ahead of execution.
import { equalBytes } from '../../base/bytes'
import { headerFault, type SealEngine, sealFault } from '../consensus/header-rules'
import type { ConsensusParams } from '../consensus/params'
import type { Block } from '../model/block'
import type { BlockHeader } from '../model/header'
import type { ChainReads } from './chain-store'

/** What became of a block. `future` asks for a retry later and blames no peer. */
export type ImportOutcome =
  | { readonly kind: 'known' }
  | { readonly kind: 'side' }
  | { readonly kind: 'head' }
  | { readonly kind: 'future'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

export type HeaderReads = Pick<ChainReads, 'header' | 'ancestor'>

interface HeaderLineDeps {
  readonly params: ConsensusParams
  readonly reads: HeaderReads
  /** Null: seals aren't checked. */
  readonly seals: SealEngine | null
  readonly nowSeconds: () => bigint
}

/** A header's check: the rules' result, and the seal's when it is done. */
interface CheckedHeader {
  /** prlx's message, or null: every rule except the seal. */
  readonly fault: string | null
  /** The same for the seal; null immediately when a rule is broken already. */
  readonly seal: Promise<string | null>
}

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

interface Judge {
  /** The outcome when the block is known already or known to be invalid, else null. */
  knownOutcome(block: Block): ImportOutcome | null
  /** The outcome for a block whose header has `fault`. */
  refusal(block: Block, fault: string): ImportOutcome
}

/** One write ends at the first of these limits. So much gas takes half a second for ordinary work, five at worst. */
const BATCH_BLOCKS = 128
const BATCH_GAS = 64_000_000n
const BATCH_BYTES = 8 * 1024 * 1024

export interface BatchOutcome {
  /** Blocks that joined the canonical chain, side blocks stored, and blocks known already. */
  readonly added: number
  readonly side: number
  readonly known: number
  /** of the added blocks */
  readonly transactions: number
  readonly gas: bigint
  /** Index in the list of the first block that wasn't accepted; nothing after it was looked at. */
  readonly refused: {
    readonly index: number
    readonly block: Block
    readonly outcome: Extract<ImportOutcome, { readonly reason: string }>
  } | null
}

interface ImportRunsDeps {
  readonly chain: Judge
  readonly line: HeaderLineDeps
  /** Blocks that are known to come behind the list. */
  readonly following: number
  /** Takes blocks whose headers were checked; stops at the first bad one, whose outcome is the last. @param following as above, of the batch */
  readonly take: (batch: readonly Block[], following: number) => Promise<readonly ImportOutcome[]>
}

interface Batch {
  readonly start: number
  readonly blocks: readonly Block[]
  /** one per block */
  readonly headers: readonly CheckedHeader[]
}

/** @throws what `take` throws */
export async function importRuns(blocks: readonly Block[], deps: ImportRunsDeps): Promise<BatchOutcome> {
  const tally = new Tally(blocks)
  const line = new HeaderLine(deps.line)
  const from = (at: number): Batch | null => {
    const start = tally.skipKnown(at, deps.chain)
    return nextBatch(blocks, start, line)
  }
  let next: Batch | null = from(0)
  while (next !== null) {
    const batch: Batch = next
    const end = batch.start + batch.blocks.length
    const follower = blocks[end]
    const broken = batch.headers.some((header) => header.fault !== null)
    // The next batch's headers can be checked now if this batch ends with their parent; else only once this batch is
    // stored.
    const continues = !broken && follower !== undefined && line.continues(follower)
    const ahead = continues ? nextBatch(blocks, end, line) : null
    if (!(await takeBatch(batch, blocks.length - end, tally, deps))) break
    next = ahead ?? from(end)
  }
  return tally
}

/** The longest batch of consecutive blocks from `start`; null at the end. */
function nextBatch(blocks: readonly Block[], start: number, line: HeaderLine): Batch | null {
  const members: Block[] = []
  const headers: CheckedHeader[] = []
  let gas = 0n
  let bytes = 0
  for (let at = start; at < blocks.length && members.length < BATCH_BLOCKS; at++) {
    const block = blocks[at]
    if (block === undefined || (members.length > 0 && !line.continues(block))) break
    if (members.length > 0 && (gas + block.header.gasUsed > BATCH_GAS || bytes + block.sizeBytes > BATCH_BYTES)) break
    members.push(block)
    const header = line.check(block)
    headers.push(header)
    gas += block.header.gasUsed
    bytes += block.sizeBytes
    if (header.fault !== null) break
  }
  return members.length === 0 ? null : { start, blocks: members, headers }
}

/** False when a block was not taken. @param behind blocks of the list behind the batch */
async function takeBatch(
  batch: Batch,
  behind: number,
  tally: Tally,
  { chain, following, take }: ImportRunsDeps,
): Promise<boolean> {
  const good: Block[] = []
  let refusal: ImportOutcome | null = null
  for (const [index, block] of batch.blocks.entries()) {
    const header = batch.headers[index]
    const known = chain.knownOutcome(block)
    const fault = known === null ? (header?.fault ?? (await header?.seal) ?? null) : null
    if (known?.kind === 'refused' || fault !== null) {
      refusal = known ?? chain.refusal(block, fault ?? '')
      break
    }
    good.push(block)
  }
  const outcomes = good.length === 0 ? [] : await take(good, behind + following)
  for (const [index, outcome] of outcomes.entries()) tally.add(batch.start + index, outcome)
  if (refusal !== null && tally.refused === null) tally.add(batch.start + good.length, refusal)
  return tally.refused === null
}

class Tally implements BatchOutcome {
  added = 0
  side = 0
  known = 0
  transactions = 0
  gas = 0n
  refused: BatchOutcome['refused'] = null

  constructor(private readonly blocks: readonly Block[]) {}

  /** Counts the known blocks from `at` on. @returns the index of the first other one */
  skipKnown(at: number, chain: Judge): number {
    for (let index = at; ; index++) {
      const block = this.blocks[index]
      if (block === undefined || chain.knownOutcome(block)?.kind !== 'known') return index
      this.known++
    }
  }

  add(index: number, outcome: ImportOutcome): void {
    const block = this.blocks[index]
    if (block === undefined) return
    if (outcome.kind === 'refused' || outcome.kind === 'future') this.refused = { index, block, outcome }
    else if (outcome.kind === 'known') this.known++
    else if (outcome.kind === 'side') this.side++
    else {
      this.added++
      this.transactions += block.transactions.length
      this.gas += block.header.gasUsed
    }
  }
}
