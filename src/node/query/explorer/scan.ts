// Scanning blocks for what no index covers, within the limits of one request.

import { bigintFromBytes } from '../../../base/bytes'
import { createdAddress } from '../../execution/message'
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
  readonly #limits: QueryLimits
  readonly #end: number
  #blocks = MAX_BLOCKS

  constructor(limits: QueryLimits) {
    this.#limits = limits
    this.#end = limits.now() + SCAN_MS
  }

  /** Call it before each block. @returns false when the scan must stop */
  takeBlock(): boolean {
    return this.#blocks-- > 0 && !this.isOver()
  }

  isOver(): boolean {
    return this.#limits.isStopped() || this.#limits.now() > this.#end
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
  const { sender } = signed.value
  const from = bigintFromBytes(sender)
  const { to, nonce } = signed.value.tx
  return {
    from,
    to: to === null ? createdAddress(session.keccak256, from, nonce) : bigintFromBytes(to),
    isCreation: to === null,
  }
}

/**
 * The first transaction that `matches`, scanning downwards from `height`. @returns where it stopped when the budget ran
 * out
 */
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
