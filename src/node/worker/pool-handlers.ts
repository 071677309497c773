// The chain worker's answers about the pool and block templates.

import type { StateChanges } from '../execution/state-changes'
import type { PendingBlock } from '../miner-work/pending-block'
import { encodeTransactions } from '../model/block'
import { encodeStoredReceipts } from '../model/receipt'
import { stateKeys } from '../store/keys'
import { nodesOf } from '../store/node-list'
import type { PoolTransaction } from '../txpool/pool-transaction'
import { transactionView } from './block-queries'
import type { ChainSession } from './chain-session'
import { type PendingAnswer, type PendingBlockInfo, packEntries, type StateEntry } from './wire/pending-shapes'
import type { MiningChange, MiningState, NewPending } from './wire/pool-wire'

/** The pending block with its effects on the state. */
function pendingView({ parent, block, built }: PendingBlock): PendingBlockInfo {
  const { header } = block
  return {
    parentHash: parent.hash,
    number: Number(header.number),
    timestamp: Number(header.timestamp),
    miner: header.coinbase,
    difficulty: header.difficulty,
    totalDifficulty: parent.totalDifficulty + header.difficulty,
    gasLimit: header.gasLimit,
    gasUsed: header.gasUsed,
    epochStartTime: Number(header.epochStartTime),
    extraData: header.extraData,
    logsBloom: header.logsBloom,
    stateRoot: header.stateRoot,
    txRoot: header.txRoot,
    receiptRoot: header.receiptRoot,
    sizeBytes: block.sizeBytes,
    transactionCount: block.transactions.length,
    fees: block.transactions.reduce((sum, tx, index) => {
      const gasPrice = tx.kind === 'supported' ? tx.gasPrice : 0n
      return sum + gasPrice * (built.receipts[index]?.gasUsed ?? 0n)
    }, 0n),
    transactions: encodeTransactions(block.transactions),
    receipts: encodeStoredReceipts(built.receipts),
    changes: packEntries(changedBy(built.changes)),
  }
}

function* changedBy({ flat, nodes, codes }: StateChanges): Generator<StateEntry> {
  for (const { key, after } of flat) yield [key, after]
  for (const [hash, node] of nodesOf(nodes)) yield [stateKeys.node(hash), node]
  for (const [hash, code] of codes) yield [stateKeys.code(hash), code]
}

const NEW_PENDING_MOST = 256
const NEW_PENDING_BYTES = 1_000_000
/** More frequent renewals would leave miners no time. */
const MIN_RECOMMIT_MS = 5000

/** @param session throws CHAIN_NOT_OPEN while there is none */
export function poolHandlers(session: () => ChainSession) {
  return {
    'chain.pendingBlock': ({ known }: { readonly known: number | null }) => pendingAnswer(session(), known),
    'chain.configureMining': (change: MiningChange) => configure(session(), change),
  }
}

/** Splits a batch into parts of transferable size. */
export function newPendingParts(batch: readonly PoolTransaction[]): readonly NewPending[] {
  const parts: NewPending[] = []
  let part: NewPending = { hashes: [], transactions: [] }
  let bytes = 0
  for (const entry of batch) {
    if (part.hashes.length === NEW_PENDING_MOST || (bytes > 0 && bytes + entry.tx.raw.length > NEW_PENDING_BYTES)) {
      parts.push(part)
      part = { hashes: [], transactions: [] }
      bytes = 0
    }
    part.hashes.push(entry.tx.hash)
    part.transactions.push(transactionView(entry, null))
    bytes += entry.tx.raw.length
  }
  return part.hashes.length === 0 ? parts : [...parts, part]
}

async function pendingAnswer(session: ChainSession, known: number | null): Promise<PendingAnswer> {
  const pending = await session.pending.get()
  return { id: pending.id, block: pending.id === known ? null : pendingView(pending) }
}

function configure({ settings }: ChainSession, change: MiningChange): MiningState {
  const { recommitMs } = change
  settings.change({
    ...change,
    ...(recommitMs === undefined ? {} : { recommitMs: Math.max(MIN_RECOMMIT_MS, recommitMs) }),
  })
  return settings.values
}
