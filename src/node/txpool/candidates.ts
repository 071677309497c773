// The order in which a block includes pool transactions: local accounts first, then by price, in nonce order within an
// account. Source: prlx core/types/transaction.go (TransactionsByPriceAndNonce), miner/worker.go
import type { CandidateQueue } from '../execution/engine'
import type { PoolTransaction } from './pool-transaction'

/** @param accounts executable transactions per account, ascending nonces */
export function candidateQueue(accounts: readonly (readonly PoolTransaction[])[]): CandidateQueue {
  const queues = accounts.filter((account) => account.length > 0).map((account) => [...account])
  queues.sort(byRank)
  return {
    peek: () => queues[0]?.[0] ?? null,
    shift: () => {
      const account = queues.shift()
      account?.shift()
      if (account !== undefined && account.length > 0) queues.splice(placeOf(queues, account), 0, account)
    },
    pop: () => void queues.shift(),
  }
}

function byRank(a: readonly PoolTransaction[], b: readonly PoolTransaction[]): number {
  const [first, second] = [a[0], b[0]]
  if (first === undefined || second === undefined) return 0
  if (first.local !== second.local) return first.local ? -1 : 1
  if (first.tx.gasPrice !== second.tx.gasPrice) return first.tx.gasPrice > second.tx.gasPrice ? -1 : 1
  return first.sequence - second.sequence
}

function placeOf(queues: readonly (readonly PoolTransaction[])[], account: readonly PoolTransaction[]): number {
  let low = 0
  let high = queues.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = queues[middle]
    if (other !== undefined && byRank(other, account) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
