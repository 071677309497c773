// Lookups of blocks, transactions, receipts and states of an opened chain.
import { bigintFromBytes, equalBytes } from '../../base/bytes'
import { hasCode } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Handlers } from '../../base/wire/define'
import { undoFrom } from '../chain/state-window'
import { nextDifficulty } from '../consensus/difficulty'
import type { ConsensusParams } from '../consensus/params'
import { LOCKBOX_ADDRESS, payoutSlots } from '../consensus/rewards'
import { ChainError } from '../errors'
import { EMPTY_ACCOUNT } from '../execution/account'
import { headState, type StateReader, slotWord, stateAtRoot } from '../execution/state-reader'
import { type Block, encodeBlock, encodeTransactions } from '../model/block'
import type { BlockHeader } from '../model/header'
import type { SignedTransaction } from '../model/sender'
import type { StoredReceipts } from '../model/stored-receipts'
import type { ChainSession } from './chain-session'
import { headerDetailOf, receiptView, summaryOf, transactionsOf, transactionView } from './views'
import type { ChainWire } from './wire/chain-wire'
import type { BadBlockInfo, Reach } from './wire/import-shapes'
import type { AccountBytesInfo, AccountContentInfo } from './wire/pool-wire'
import type { readCalls } from './wire/read-wire'
import type { AccountInfo, BlockDetail, BlockId, BlockSummary, ReceiptInfo, TransactionInfo } from './wire/shapes'

/** What an address will be paid. */
interface LockedSubsidies {
  /** wei, all heights together */
  readonly total: bigint
  /** The earliest one. */
  readonly next: { readonly height: bigint; readonly amount: bigint } | null
}

/** What `address` (20 bytes) is paid at the heights after `headNumber`. */
export function lockedSubsidies(
  state: StateReader,
  params: Pick<ConsensusParams, 'coinbaseMaturityBlocks'>,
  headNumber: bigint,
  address: Uint8Array,
): LockedSubsidies {
  let total = 0n
  let next: LockedSubsidies['next'] = null
  const maturity = BigInt(params.coinbaseMaturityBlocks)
  // There is no block below 1, so nothing is due up to the maturity height, which a custom network may set very high.
  const first = (headNumber > maturity ? headNumber : maturity) + 1n
  for (let height = first; height <= headNumber + maturity; height++) {
    const slots = payoutSlots(height)
    const amount = bigintFromBytes(state.slot(LOCKBOX_ADDRESS, slots.amount))
    if (amount === 0n) continue
    const receiver = slotWord(state.slot(LOCKBOX_ADDRESS, slots.address)).subarray(12)
    if (!equalBytes(receiver, address)) continue
    total += amount
    next ??= { height, amount }
  }
  return { total, next }
}

/** Of a call's data: which function it means. */
const SELECTOR_BYTES = 4

/** An answer for each read of the wire. @param session throws CHAIN_NOT_OPEN while there is none */
export function readHandlers(session: () => ChainSession): Pick<Handlers<ChainWire>, keyof typeof readCalls> {
  // Holds only the session, so creating one per request costs nothing.
  const read = () => new BlockQueries(session())
  return {
    'chain.head': () => read().head(),
    'chain.blocksDown': ({ from, count }) => read().blocksDown(from, count),
    'chain.header': ({ id }) => read().header(id),
    'chain.summary': ({ id }) => read().summary(id),
    'chain.transactions': ({ id, from, count }) => read().transactions(id, from, count),
    'chain.fees': ({ id }) => read().fees(id),
    'chain.transaction': ({ hash }) => read().transaction(hash),
    'chain.receipt': ({ hash }) => read().receipt(hash),
    'chain.totalDifficulty': ({ hash }) => session().chain.reads.totalDifficulty(hash),
    'chain.blockBytes': ({ id }) => read().blockBytes(id),
    'chain.waiting': ({ address, nonce }) => waitingOf(session(), address, nonce),
    'chain.counts': () => session().pool.counts(),
    'chain.account': ({ address, at }) => read().account(address, at),
    'chain.code': ({ address, at }) => read().code(address, at),
    'chain.poolNonce': ({ address }) => session().pool.nextNonce(address),
    'chain.poolContent': ({ address }) => contentOf(session(), address),
    'chain.poolBytes': ({ addresses }) => contentBytesOf(session(), addresses),
    'chain.nextDifficulty': () => nextDifficultyOf(session()),
    'chain.gasPrice': () => session().fees.estimates().gasPrice,
    'chain.feeEstimates': () => feeEstimatesOf(session()),
    'chain.badBlocks': ({ hash }) => badBlocksOf(session(), hash),
    'chain.reach': () => reachOf(session()),
  }
}

export class BlockQueries {
  constructor(private readonly session: ChainSession) {}

  head(): BlockSummary {
    const { chain } = this.session
    return summaryOf(chain, this.#stored(chain.head.hash))
  }

  block(id: BlockId): Block | null {
    const hash = this.#hashOf(id)
    return hash === null ? null : this.session.chain.reads.block(hash)
  }

  summary(id: BlockId): BlockSummary | null {
    const block = this.block(id)
    return block === null ? null : summaryOf(this.session.chain, block)
  }

  header(id: BlockId): BlockDetail | null {
    const { chain, network } = this.session
    const block = this.block(id)
    return block === null ? null : headerDetailOf(chain, network.xhash, block)
  }

  blocksDown(from: number | null, count: number): BlockSummary[] {
    const { chain } = this.session
    const headNumber = Number(chain.head.header.number)
    const start = from === null || from > headNumber ? headNumber : from
    const rows: BlockSummary[] = []
    for (let number = start; number >= 0 && rows.length < count; number--) {
      const summary = this.summary(number)
      if (summary !== null) rows.push(summary)
    }
    return rows
  }

  transaction(hash: Uint8Array): TransactionInfo | null {
    const { chain, pool } = this.session
    const place = chain.reads.transactionPlace(hash)
    if (place === null) {
      const waiting = pool.get(hash)
      return waiting === null ? null : transactionView(waiting, null)
    }
    return transactionsOf(chain, this.#stored(place.blockHash), place.index, 1)[0] ?? null
  }

  transactions(id: BlockId, from: number, count: number): TransactionInfo[] {
    const block = this.block(id)
    return block === null ? [] : transactionsOf(this.session.chain, block, from, count)
  }

  fees(id: BlockId): bigint | null {
    const block = this.block(id)
    const outcomes = block === null ? null : this.#outcomes(block)
    if (block === null || outcomes === null) return null
    const paid = block.transactions.map((tx, index) =>
      tx.kind === 'supported' ? tx.gasPrice * (outcomes[index]?.gasUsed ?? 0n) : 0n,
    )
    return paid.reduce((sum, fee) => sum + fee, 0n)
  }

  receipt(hash: Uint8Array): ReceiptInfo | null {
    const { chain } = this.session
    const place = chain.reads.transactionPlace(hash)
    const receipts = place === null ? null : chain.reads.storedReceipts(place.blockHash)
    if (place === null || receipts === null) return null
    return receiptView(chain, this.#stored(place.blockHash), receipts, place.index)
  }

  /** RLP; null when the block is unknown. */
  blockBytes(id: BlockId): Uint8Array | null {
    const block = this.block(id)
    return block === null ? null : encodeBlock(block)
  }

  /** Null when it was never executed. */
  #outcomes({ hash, transactions }: Block): StoredReceipts['outcomes'] | null {
    return transactions.length === 0 ? [] : (this.session.chain.reads.storedReceipts(hash)?.outcomes ?? null)
  }

  /** @throws ChainError CHAIN_STATE_UNAVAILABLE */
  account(address: Uint8Array, at: BlockId): AccountInfo | null {
    const { chain } = this.session
    return this.#withState(at, (state, header) => {
      const account = state.account(address) ?? EMPTY_ACCOUNT
      const locked = lockedSubsidies(state, chain.params, header.number, address)
      const nextUnlock =
        locked.next === null ? null : { height: Number(locked.next.height), amount: locked.next.amount }
      return { balance: account.balance, nonce: account.nonce, locked: locked.total, nextUnlock }
    })
  }

  /** @throws ChainError CHAIN_STATE_UNAVAILABLE */
  code(address: Uint8Array, at: BlockId): Uint8Array | null {
    return this.#withState(at, (state) => state.code((state.account(address) ?? EMPTY_ACCOUNT).codeHash))
  }

  /** The head's state from the flat keys, an older one through trie nodes; null when the block is unknown. */
  #withState<T>(at: BlockId, read: (state: StateReader, header: BlockHeader) => T): T | null {
    const { chain, store, xhash } = this.session
    const hash = this.#hashOf(at)
    const header = hash === null ? null : chain.reads.header(hash)
    if (hash === null || header === null) return null
    const isHead = equalBytes(hash, chain.head.hash)
    const keccak256 = (data: Uint8Array) => xhash.keccak256(data)
    const state = isHead ? headState(store) : stateAtRoot(store, header.stateRoot, keccak256)
    try {
      return read(state, header)
    } catch (error: unknown) {
      if (isHead || !hasCode(error, 'STORE_MISSING_NODE')) throw error
      throw new ChainError('CHAIN_STATE_UNAVAILABLE', { block: String(header.number) }, { cause: error })
    }
  }

  #hashOf(id: BlockId): Uint8Array | null {
    const { chain } = this.session
    if (id === 'head') return chain.head.hash
    return typeof id === 'number' ? chain.reads.canonicalHash(BigInt(id)) : id
  }

  /** @throws RangeError when an index refers to a missing block */
  #stored(hash: Uint8Array): Block {
    const block = this.session.chain.reads.block(hash)
    if (block === null) throw new RangeError(`stored block ${toHex(hash)} is missing`)
    return block
  }
}

function waitingOf({ pool }: ChainSession, address: Uint8Array, nonce: bigint): TransactionInfo | null {
  const found = pool.content(address)[0]?.pending.find(({ tx }) => tx.nonce === nonce)
  return found === undefined ? null : transactionView(found, null)
}

function contentOf({ pool }: ChainSession, address: Uint8Array | null): AccountContentInfo[] {
  return pool.content(address).map(({ sender, pending, queued }) => ({
    address: sender,
    pending: pending.map(briefView),
    queued: queued.map(briefView),
  }))
}

function briefView({ tx, sender }: SignedTransaction): TransactionInfo {
  return transactionView({ tx: { ...tx, data: tx.data.slice(0, SELECTOR_BYTES), accessList: [] }, sender }, null)
}

function contentBytesOf({ pool }: ChainSession, addresses: readonly Uint8Array[] | null): AccountBytesInfo[] {
  const bytesOf = (entries: readonly SignedTransaction[]): Uint8Array => encodeTransactions(entries.map(({ tx }) => tx))
  return (addresses ?? [null])
    .flatMap((address) => pool.content(address))
    .map(({ sender, pending, queued }) => ({ address: sender, pending: bytesOf(pending), queued: bytesOf(queued) }))
}

function nextDifficultyOf({ chain }: ChainSession): bigint {
  const next = nextDifficulty(chain.params, chain.head.header, (from, number) => chain.reads.ancestor(from, number))
  if (next === null) throw new RangeError('an ancestor of the head is missing')
  return next
}

function feeEstimatesOf({ fees }: ChainSession) {
  const found = fees.estimates()
  return { ...found, estimates: [...found.estimates] }
}

function badBlocksOf({ chain }: ChainSession, hash: Uint8Array | null): BadBlockInfo[] {
  return chain.bad
    .list()
    .filter(({ block }) => hash === null || equalBytes(block.hash, hash))
    .map(({ block, reason }) => ({ hash: block.hash, reason, rlp: encodeBlock(block) }))
}

function reachOf({ chain }: ChainSession): Reach {
  const { store, statesFrom, head } = chain
  return { statesFrom: Number(statesFrom), undoFrom: Number(undoFrom(store, head.header.number)) }
}
