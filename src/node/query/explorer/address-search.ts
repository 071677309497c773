// Transactions that an address takes part in, page by page: it signed them, they went to it or made it, a call within them did,
// or it wrote a log. Calls within are found where the state of their block is kept.
import { bigintFromBytes, equalBytes } from '../../../base/bytes'
import type { Block } from '../../model/block'
import { runOn, stageOf, transactionMessage } from '../block-stage'
import type { CallStart, Tracer } from '../evm/tracer'
import type { AskRequest } from '../query-wire'
import type { QueryLimits, QuerySession } from '../session'
import { isNotKept } from './first-block'
import { canonicalBlock, partiesOfTransaction, ScanBudget } from './scan'

type Question = Extract<AskRequest, { kind: 'addressSearch' }>

/**
 * JSON text, see `foundPageSchema`. A page never ends within a block.
 * @throws STORE_*, RpcFault RPC_FAILED
 */
export function searchAddress(
  session: QuerySession,
  { address, from, isBackwards, most }: Question,
  limits: QueryLimits,
): string {
  const budget = new ScanBudget(limits)
  const head = Number(session.view().head.header.number)
  const step = isBackwards ? -1 : 1
  const start = Math.min(Math.max(from, 1), head + 1)
  const blocks: { number: number; indexes: number[] }[] = []
  let count = 0
  let number = isBackwards ? Math.min(from, head) : start
  const first = number
  for (; number >= 1 && number <= head && count < most; number += step) {
    const stopped = (): string => JSON.stringify({ blocks, next: number, isStopped: true })
    if (!budget.takeBlock()) return stopped()
    const block = canonicalBlock(session, number)
    const direct = directIndexes(session, block, address)
    const inner = indexesWithin(session, block, address, budget)
    // A block that takes all the time there is must not end every search that comes to it.
    if (inner === null && number !== first) return stopped()
    const indexes = block.transactions.flatMap((_tx, index) =>
      direct.has(index) || inner?.has(index) === true ? [index] : [],
    )
    count += indexes.length
    if (indexes.length > 0) blocks.push({ number, indexes })
  }
  const isEnd = number < 1 || number > head
  return JSON.stringify({ blocks, next: isEnd ? null : number, isStopped: false })
}

/** By the calls of its transactions; none where its state isn't kept. @returns null when there was no time for all of them */
function indexesWithin(
  session: QuerySession,
  block: Block,
  address: Uint8Array,
  budget: ScanBudget,
): ReadonlySet<number> | null {
  const found = new Set<number>()
  if (block.transactions.length === 0) return found
  const party = bigintFromBytes(address)
  const isOver = (): boolean => budget.isOver()
  try {
    const stage = stageOf(session, block)
    for (const [index, tx] of block.transactions.entries()) {
      const tracer = new PartyTracer(party)
      const { aborted } = runOn(session, stage, transactionMessage(session, tx), { tracer, isOver })
      if (aborted) return null
      stage.world.finish()
      if (tracer.isParty) found.add(index)
    }
    return found
  } catch (error: unknown) {
    if (!isNotKept(error)) throw error
    return new Set()
  }
}

/** Whether somebody is at either end of a call. */
class PartyTracer implements Tracer {
  isParty = false

  constructor(private readonly party: bigint) {}

  begin(call: CallStart): void {
    this.enter(call)
  }

  enter({ from, to }: CallStart): void {
    if (from === this.party || to === this.party) this.isParty = true
  }
}

/** What the block itself tells. */
function directIndexes(session: QuerySession, block: Block, address: Uint8Array): ReadonlySet<number> {
  const receipts = session.view().reads.receipts(block.hash) ?? []
  const party = bigintFromBytes(address)
  const indexes = block.transactions.flatMap((tx, index) => {
    const { from, to } = partiesOfTransaction(session, tx)
    const hasLog = receipts[index]?.logs.some((log) => equalBytes(log.address, address)) === true
    return from === party || to === party || hasLog ? [index] : []
  })
  return new Set(indexes)
}
