// Which transaction used an account's nonce, and which one created a contract.
import { bigintFromBytes, equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { EMPTY_ACCOUNT, EMPTY_CODE_HASH } from '../../execution/account'
import { addressBytes } from '../../execution/word'
import type { Transaction } from '../../model/transaction'
import { stageOf } from '../block-stage'
import { failed } from '../block-state'
import { type FlatCall, isUndone } from '../flat/flat-calls'
import { runFlatTransaction } from '../flat/flat-stage'
import type { AskRequest } from '../query-wire'
import type { QueryLimits, QuerySession } from '../session'
import { firstBlockWith } from './first-block'
import { canonicalBlock, findDownwards, partiesOfTransaction, ScanBudget } from './scan'

type Question<K extends AskRequest['kind']> = Extract<AskRequest, { kind: K }>

/** JSON text: the transaction's hash, or null. @throws RpcFault RPC_FAILED when the search had to stop */
export function transactionOfNonce(
  session: QuerySession,
  { address, nonce }: Question<'senderNonce'>,
  limits: QueryLimits,
): string {
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

/**
 * JSON text: `{hash, creator}`, or null when it isn't a contract, or is one from genesis. @throws RpcFault RPC_FAILED
 */
export function contractCreator(
  session: QuerySession,
  { address }: Question<'contractCreator'>,
  limits: QueryLimits,
): string {
  const first = firstBlockWith(
    session,
    (state) => !equalBytes((state.account(address) ?? EMPTY_ACCOUNT).codeHash, EMPTY_CODE_HASH),
  )
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
  return JSON.stringify({ hash: toHex(tx.hash), creator: toHex(addressBytes(partiesOfTransaction(session, tx).from)) })
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
  for (const tx of block.transactions) {
    const { tracer } = runFlatTransaction(session, stage, tx, () => budget.isOver())
    stage.world.finish()
    const made = tracer.calls.find((call) => isCreationOf(call, contract))
    if (made !== undefined) return { hash: toHex(tx.hash), creator: toHex(addressBytes(made.from)) }
  }
  return null
}

function isCreationOf(call: FlatCall, contract: bigint): boolean {
  return (call.kind === 'CREATE' || call.kind === 'CREATE2') && call.to === contract && !isUndone(call)
}
