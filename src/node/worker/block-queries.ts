// Lookups of blocks, transactions, receipts and states of an opened chain.
import { bigintFromBytes, equalBytes } from '../../base/bytes'
import { hasCode } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Handlers } from '../../base/wire/define'
import { epochOfHeight, type XhashParams } from '../../xhash/params'
import type { Chain } from '../chain/chain'
import { undoFrom } from '../chain/state-window'
import { nextDifficulty } from '../consensus/difficulty'
import type { ConsensusParams } from '../consensus/params'
import { LOCKBOX_ADDRESS, payoutSlots, subsidyAt, unlockHeight } from '../consensus/rewards'
import { ChainError } from '../errors'
import { EMPTY_ACCOUNT } from '../execution/account'
import { headState, type StateReader, slotWord, stateAtRoot } from '../execution/state-reader'
import { type Block, encodeBlock, encodeTransactions } from '../model/block'
import { type BlockHeader, sealHash } from '../model/header'
import type { Receipt } from '../model/receipt'
import { recoverSender, type SignedTransaction } from '../model/sender'
import type { StoredReceipts } from '../model/stored-receipts'
import type { AnyTransaction } from '../model/transaction'
import { RpcFault } from '../rpc-fault'
import type { ChainSession } from './chain-session'
import type { ChainWire } from './wire/chain-wire'
import type { BadBlockInfo, Reach } from './wire/import-shapes'
import type { AccountBytesInfo, AccountContentInfo } from './wire/pool-wire'
import type { readCalls } from './wire/read-wire'
import type { AccountInfo, BlockDetail, BlockId, BlockSummary, ReceiptInfo, TransactionInfo } from './wire/shapes'

export function summaryOf(chain: Chain, block: Block): BlockSummary {
  const { header } = block
  return {
    number: Number(header.number),
    hash: block.hash,
    parentHash: header.parentHash,
    timestamp: Number(header.timestamp),
    miner: header.coinbase,
    difficulty: header.difficulty,
    totalDifficulty: chain.reads.totalDifficulty(block.hash) ?? 0n,
    gasUsed: header.gasUsed,
    gasLimit: header.gasLimit,
    transactionCount: block.transactions.length,
    sizeBytes: block.sizeBytes,
    subsidy: subsidyAt(chain.params, header.number),
  }
}

/** A block with an empty list of transactions. */
function headerDetailOf(chain: Chain, xhash: XhashParams, block: Block): BlockDetail {
  const { header } = block
  return {
    ...summaryOf(chain, block),
    canonical: chain.reads.isCanonical(header.number, block.hash),
    stateRoot: header.stateRoot,
    txRoot: header.txRoot,
    receiptRoot: header.receiptRoot,
    logsBloom: header.logsBloom,
    epochStartTime: Number(header.epochStartTime),
    extraData: header.extraData,
    mixHash: header.mixHash,
    nonce: header.nonce,
    sealHash: sealHash(header),
    epoch: epochOfHeight(xhash, Number(header.number)),
    unlockHeight: Number(unlockHeight(chain.params, header.number)),
    transactions: [],
  }
}

function transactionsOf(chain: Chain, block: Block, from: number, count: number): TransactionInfo[] {
  const outcomes = chain.reads.storedReceipts(block.hash)?.outcomes
  return block.transactions.slice(from, from + count).map((tx, at) => {
    const index = from + at
    return transactionView(signedOf(tx, chain), { block, index, receipt: outcomes?.[index] ?? null })
  })
}

interface Placement {
  readonly block: Block
  readonly index: number
  readonly receipt: Pick<Receipt, 'succeeded' | 'gasUsed'> | null
}

/** A copy: of a view, the wire would send all the bytes that it is a part of, which are the block's. */
function alone(view: Uint8Array): Uint8Array {
  return new Uint8Array(view)
}

/** @param placement null for a pool transaction */
export function transactionView({ tx, sender }: SignedTransaction, placement: Placement | null): TransactionInfo {
  const { hash, type, chainId, to, nonce, value, gasLimit, gasPrice, data, v, r, s } = tx
  const receipt = placement?.receipt ?? null
  return {
    hash,
    type,
    chainId,
    from: sender,
    to: to === null ? null : alone(to),
    nonce,
    value,
    gasLimit,
    gasPrice,
    input: alone(data),
    v,
    r,
    s,
    accessList: tx.accessList.map((entry) => ({
      address: alone(entry.address),
      storageKeys: entry.storageKeys.map(alone),
    })),
    place: placement === null ? null : placeOf(placement),
    outcome: receipt === null ? null : { succeeded: receipt.succeeded, gasUsed: receipt.gasUsed },
  }
}

/** Bytes of stored logs that one receipt of this wire may have. */
const MAX_RECEIPT_LOGS = 1024 * 1024

/** Receipt `index` of an executed block. @throws RpcFault RPC_ANSWER_TOO_LARGE */
function receiptView(chain: Chain, block: Block, stored: StoredReceipts, index: number): ReceiptInfo | null {
  const tx = block.transactions[index]
  const outcome = stored.outcomes[index]
  if (tx === undefined || outcome === undefined) return null
  if (stored.logBytes(index) > MAX_RECEIPT_LOGS) throw new RpcFault('RPC_ANSWER_TOO_LARGE', undefined)
  const first = stored.logsBefore(index)
  const logs: ReceiptInfo['logs'] = []
  for (const log of stored.logs({ transaction: index, log: first, at: 0 })) {
    const { address, topics, data } = log.copy()
    logs.push({ address, topics: [...topics], data, logIndex: log.index })
  }
  const signed = signedOf(tx, chain)
  return {
    transactionHash: tx.hash,
    place: placeOf({ block, index }),
    type: outcome.type,
    from: signed.sender,
    to: signed.tx.to === null ? null : alone(signed.tx.to),
    contractAddress: outcome.contractAddress,
    succeeded: outcome.succeeded,
    gasUsed: outcome.gasUsed,
    cumulativeGasUsed: outcome.cumulativeGasUsed,
    gasPrice: signed.tx.gasPrice,
    logs,
    logsBloom: stored.bloom(index),
  }
}

function placeOf({ block, index }: { readonly block: Block; readonly index: number }) {
  return { blockHash: block.hash, blockNumber: Number(block.header.number), index }
}

/** @throws RangeError for a stored transaction without a valid signature: the database is corrupt */
function signedOf(tx: AnyTransaction, chain: Chain): SignedTransaction {
  const signed = recoverSender(tx, chain.params.chainId)
  if (!signed.ok) throw new RangeError(`stored transaction ${toHex(tx.hash)}: ${signed.error}`)
  return signed.value
}

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
