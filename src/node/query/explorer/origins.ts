// Which transaction used an account's nonce, which one created a contract, and which ones involve an address.
import { bigintFromBytes, bytesName, equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { type AccountState, EMPTY_ACCOUNT, EMPTY_CODE_HASH } from '../../execution/account'
import type { CallStart, Tracer } from '../../execution/tracer'
import type { Block } from '../../model/block'
import type { Transaction } from '../../model/transaction'
import { runOn, stageOf, transactionMessage } from '../block-stage'
import { failed } from '../block-state'
import { addressHex } from '../encoding'
import { type FlatCall, isCreation, isUndone, runFlat } from '../flat/flat-calls'
import type { Answer, QueryLimits, QuerySession } from '../session'
import { canonicalBlock, findDownwards, firstBlockWith, isNotKept, partiesOfTransaction, ScanBudget } from './scan'

/** JSON text: the transaction's hash, or null. @throws RpcFault RPC_FAILED when the search had to stop */
export const transactionOfNonce: Answer<'senderNonce'> = (session, { address, nonce }, limits) => {
  const first = firstBlockWith(session, (state) => (state.account(address) ?? EMPTY_ACCOUNT).nonce > nonce)
  if (first === null) return 'null'
  const sender = bigintFromBytes(address)
  const isIt = (tx: Transaction): boolean => tx.nonce === nonce && partiesOfTransaction(session, tx).from === sender
  if (first.isExact) {
    const { transactions } = canonicalBlock(session, first.height)
    const tx = transactions.find((one) => one.kind === 'supported' && isIt(one))
    return tx === undefined ? 'null' : JSON.stringify(toHex(tx.hash)) // a contract's nonces don't belong to transactions
  }
  const { tx, stoppedAt } = findDownwards(session, first.height, limits, isIt)
  if (stoppedAt !== null) throw stopped(`nonce ${nonce} of ${toHex(address)}`, stoppedAt)
  return tx === null ? 'null' : JSON.stringify(toHex(tx.hash))
}

/** JSON text: `{hash, creator}`, or null when it isn't a contract, or is one from genesis. @throws RpcFault RPC_FAILED */
export const contractCreator: Answer<'contractCreator'> = (session, { address }, limits) => {
  const isContract = ({ codeHash }: AccountState): boolean => !equalBytes(codeHash, EMPTY_CODE_HASH)
  const first = firstBlockWith(session, (state) => isContract(state.account(address) ?? EMPTY_ACCOUNT))
  if (first === null || first.height === 0) return 'null'
  const contract = bigintFromBytes(address)
  if (first.isExact) return JSON.stringify(creationIn(session, first.height, contract, limits))
  const isIt = (tx: Transaction): boolean => tx.to === null && partiesOfTransaction(session, tx).to === contract
  const { tx, stoppedAt } = findDownwards(session, first.height, limits, isIt)
  if (stoppedAt !== null) throw stopped(`the creation of ${toHex(address)}`, stoppedAt)
  if (tx === null)
    throw failed(
      `${toHex(address)} was made by a contract, in a block whose state isn't kept: --history.state 0 keeps all of them from now on`,
    )
  return JSON.stringify({ hash: toHex(tx.hash), creator: addressHex(partiesOfTransaction(session, tx).from) })
}

function stopped(what: string, height: number): Error {
  return failed(
    `${what} was not found down to block ${height}, where the search stopped: --gcmode archive makes it short`,
  )
}

function creationIn(session: QuerySession, height: number, contract: bigint, limits: QueryLimits) {
  const block = canonicalBlock(session, height)
  const stage = stageOf(session, block)
  const budget = new ScanBudget(limits)
  const isIt = (call: FlatCall): boolean => isCreation(call) && call.to === contract && !isUndone(call)
  for (const tx of block.transactions) {
    const { tracer } = runFlat(session, stage, transactionMessage(session, tx), () => budget.isOver())
    stage.world.finish()
    const made = tracer.calls.find(isIt)
    if (made !== undefined) return { hash: toHex(tx.hash), creator: addressHex(made.from) }
  }
  return null
}

/**
 * JSON text, see `foundPageSchema`: transactions that the address signed, that went to it or created it, those with an
 * internal call that involved it, where their block's state is available, or with a log that it emitted. A page never
 * ends within a block. @throws STORE_*, RpcFault RPC_FAILED
 */
export const searchAddress: Answer<'addressSearch'> = (session, { address, from, isBackwards, most }, limits) => {
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
    const indexes = [...block.transactions.keys()].filter((index) => direct.has(index) || inner?.has(index) === true)
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
  if (stored === null) throw new RangeError(`receipts of block ${block.header.number} are missing`)
  const name = bytesName(address)
  const isEmitter = (index: number): boolean => {
    for (const log of stored.logs({ transaction: index, log: 0, at: 0 })) if (log.addressName() === name) return true
    return false
  }
  const party = bigintFromBytes(address)
  const indexes = block.transactions.flatMap((tx, index) => {
    const { from, to } = partiesOfTransaction(session, tx)
    return from === party || to === party || isEmitter(index) ? [index] : []
  })
  return new Set(indexes)
}
