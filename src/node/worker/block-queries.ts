// Looking up blocks, transactions, receipts and states of an opened chain.

import { equalBytes } from '../../base/bytes'
import { hasCode } from '../../base/errors'
import { toHex } from '../../base/hex'
import { type Block, encodeBlock } from '../chain/block'
import type { BlockHeader } from '../chain/header'
import { lockedSubsidies } from '../chain/locked-subsidies'
import { ChainError } from '../errors'
import { EMPTY_ACCOUNT } from '../execution/account'
import { headState, type StateReader, slotWord, stateAtRoot } from '../execution/state-reader'
import type { ChainSession } from './chain-session'
import type { AccountInfo, BlockDetail, BlockId, BlockSummary, ReceiptInfo, TransactionInfo } from './shapes'
import { detailOf, receiptView, summaryOf, transactionOf, transactionView } from './views'

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

  detail(id: BlockId): BlockDetail | null {
    const { chain, network } = this.session
    const block = this.block(id)
    return block === null ? null : detailOf(chain, network.xhash, block)
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
    return transactionOf(chain, this.#stored(place.blockHash), place.index)
  }

  receipt(hash: Uint8Array): ReceiptInfo | null {
    const { chain } = this.session
    const place = chain.reads.transactionPlace(hash)
    const receipts = place === null ? null : chain.reads.receipts(place.blockHash)
    if (place === null || receipts === null) return null
    return receiptView(chain, this.#stored(place.blockHash), receipts, place.index)
  }

  /** RLP; null when the block is unknown. */
  blockBytes(id: BlockId): Uint8Array | null {
    const block = this.block(id)
    return block === null ? null : encodeBlock(block)
  }

  /** Of every transaction in order; null when the block is unknown or was never executed. */
  receipts(id: BlockId): ReceiptInfo[] | null {
    const { chain } = this.session
    const block = this.block(id)
    const receipts = block === null ? null : block.transactions.length === 0 ? [] : chain.reads.receipts(block.hash)
    if (block === null || receipts === null) return null
    const views = block.transactions.map((_tx, index) => receiptView(chain, block, receipts, index))
    return views.filter((view) => view !== null)
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

  /** @throws ChainError CHAIN_STATE_UNAVAILABLE */
  storage(address: Uint8Array, slot: Uint8Array, at: BlockId): Uint8Array | null {
    return this.#withState(at, (state) => slotWord(state.slot(address, slot)))
  }

  /** The head's state from the flat keys, an older one through the nodes; null when the block is unknown. */
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

  /** @throws RangeError when an index points to a block that is not there */
  #stored(hash: Uint8Array): Block {
    const block = this.session.chain.reads.block(hash)
    if (block === null) throw new RangeError(`stored block ${toHex(hash)} is missing`)
    return block
  }
}
