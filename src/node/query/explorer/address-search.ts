// Transactions that involve an address, page by page: it signed them, they went to it or created it, an internal call
// involved it, or it emitted a log. Internal calls are found where their block's state is available.
import { bigintFromBytes, bytesName } from '../../../base/bytes'
import type { CallStart, Tracer } from '../../execution/tracer'
import type { Block } from '../../model/block'
import { runOn, stageOf, transactionMessage } from '../block-stage'
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
    // A block that takes all the available time must not end every search that reaches it.
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

/** By its transactions' internal calls; none when the state isn't available. @returns null when time ran out */
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

/** Whether the address is on either side of a call. */
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

/** Matches found in the block itself. */
function directIndexes(session: QuerySession, block: Block, address: Uint8Array): ReadonlySet<number> {
  const stored = session.view().reads.storedReceipts(block.hash)
  const name = bytesName(address)
  const isEmitter = (index: number): boolean => {
    for (const log of stored?.logs({ transaction: index, log: 0, at: 0 }) ?? [])
      if (log.addressName() === name) return true
    return false
  }
  const party = bigintFromBytes(address)
  const indexes = block.transactions.flatMap((tx, index) => {
    const { from, to } = partiesOfTransaction(session, tx)
    return from === party || to === party || isEmitter(index) ? [index] : []
  })
  return new Set(indexes)
}
