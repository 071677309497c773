// Scanning blocks and states for what no index covers, within the limits of one request.
import { bigintFromBytes } from '../../../base/bytes'
import { hasCode } from '../../../base/errors'
import { createdAddress } from '../../execution/message'
import type { StateReader } from '../../execution/state-reader'
import type { Block } from '../../model/block'
import { recoverSender } from '../../model/sender'
import type { AnyTransaction, Transaction } from '../../model/transaction'
import { failed } from '../block-state'
import type { QueryLimits, QuerySession } from '../session'

/** ms of computing per request. */
const SCAN_MS = 5_000
/** Blocks that one request may scan. */
const MAX_BLOCKS = 100_000

/** Counts blocks and time. */
export class ScanBudget {
  readonly #end: number
  #blocks = MAX_BLOCKS

  constructor(private readonly limits: QueryLimits) {
    this.#end = limits.now() + SCAN_MS
  }

  /** Call it before each block. @returns false when the scan must stop */
  takeBlock(): boolean {
    return this.#blocks-- > 0 && !this.isOver()
  }

  isOver(): boolean {
    return this.limits.isStopped() || this.limits.now() > this.#end
  }
}

/** @throws RangeError when the canonical chain has a gap */
export function canonicalBlock(session: QuerySession, number: number): Block {
  const { reads } = session.view()
  const hash = reads.canonicalHash(BigInt(number))
  const block = hash === null ? null : reads.block(hash)
  if (block === null) throw new RangeError(`stored block ${number} is missing`)
  return block
}

/** The sender of a stored transaction, as a word, and the contract that it creates directly. */
export function partiesOfTransaction(session: QuerySession, tx: AnyTransaction) {
  const signed = recoverSender(tx, session.options.chainId)
  if (!signed.ok) throw failed(signed.error)
  const from = bigintFromBytes(signed.value.sender)
  const { to, nonce } = signed.value.tx
  return { from, to: to === null ? createdAddress(session.keccak256, from, nonce) : bigintFromBytes(to) }
}

/** The first transaction that `matches`, downwards from `height`, or where the scan stopped when the budget ran out. */
export function findDownwards(
  session: QuerySession,
  height: number,
  limits: QueryLimits,
  matches: (tx: Transaction) => boolean,
): { readonly tx: Transaction | null; readonly stoppedAt: number | null } {
  const budget = new ScanBudget(limits)
  for (let number = height; number > 0; number--) {
    if (!budget.takeBlock()) return { tx: null, stoppedAt: number }
    const { transactions } = canonicalBlock(session, number)
    const tx = transactions.find((one) => one.kind === 'supported' && matches(one))
    if (tx?.kind === 'supported') return { tx, stoppedAt: null }
  }
  return { tx: null, stoppedAt: null }
}

/**
 * The lowest available height that has a property which never disappears; null when the head's state lacks it. Exact: the state
 * below is available and lacks it; otherwise it may have appeared earlier. @param has evaluated on O(log n) states
 */
export function firstBlockWith(session: QuerySession, has: (state: StateReader) => boolean) {
  const head = Number(session.view().head.header.number)
  if (hasAt(session, head, has) !== true) return null
  let low = 0
  let high = head
  let isExact = true
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = hasAt(session, middle, has)
    if (found === true) high = middle
    else {
      low = middle + 1
      isExact = found !== null
    }
  }
  return { height: high, isExact }
}

/** Null when that state isn't available. */
function hasAt(session: QuerySession, height: number, has: (state: StateReader) => boolean): boolean | null {
  const blocks = session.blocks()
  const block = blocks.header(height)
  if (block === null) return null
  try {
    return has(blocks.at(block).state)
  } catch (error: unknown) {
    if (isNotKept(error)) return null
    throw error
  }
}

/** Whether the error means that this node pruned the state. */
export function isNotKept(error: unknown): boolean {
  return hasCode(error, 'STORE_MISSING_NODE') || hasCode(error, 'STORE_MISSING_CODE')
}
