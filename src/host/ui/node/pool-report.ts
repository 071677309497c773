// Prices of pool transactions in steps, and what the next block would hold.
import type { PoolReportView } from '../../../contract/explorer'
import type { PendingBlockInfo } from '../../../node/worker/wire/pending-shapes'
import type { AccountContentInfo } from '../../../node/worker/wire/pool-wire'

/** Lower ends of the steps within a decade, roughly equal. */
const STEPS = [10n, 18n, 32n, 56n]
/**
 * More steps than this between the lowest and the highest price would fill a page: then the highest step is open-ended.
 */
const MAX_STEPS = 40

type Prices = PoolReportView['prices']

/** @param block null before the first block */
export function poolReport(accounts: readonly AccountContentInfo[], block: PendingBlockInfo | null): PoolReportView {
  const pending = accounts.flatMap((account) => account.pending.map(({ gasPrice }) => gasPrice))
  const queued = accounts.flatMap((account) => account.queued.map(({ gasPrice }) => gasPrice))
  return { prices: priceSteps(pending, queued), template: block === null ? null : templateView(block) }
}

function templateView(block: PendingBlockInfo): NonNullable<PoolReportView['template']> {
  return {
    number: block.number,
    transactions: block.transactionCount,
    gasUsed: Number(block.gasUsed),
    gasLimit: Number(block.gasLimit),
    fees: block.fees.toString(),
    sizeBytes: block.sizeBytes,
  }
}

/** @param pending wei per gas */
export function priceSteps(pending: readonly bigint[], queued: readonly bigint[]): Prices {
  const all = [...pending, ...queued]
  const first = all[0]
  if (first === undefined) return []
  const [least, most] = all.reduce(
    ([low, high], price) => [price < low ? price : low, price > high ? price : high],
    [first, first],
  )
  const edges = edgesAround(least, most)
  return edges.slice(0, -1).map((from, index) => {
    const below = edges[index + 1] ?? from
    const isIn = (price: bigint): boolean => price >= from && price < below
    return {
      from: from.toString(),
      below: below.toString(),
      pending: pending.filter(isIn).length,
      queued: queued.filter(isIn).length,
    }
  })
}

/** Ascending edges; the first is at most `least`, the last at least `most`. */
function edgesAround(least: bigint, most: bigint): readonly bigint[] {
  const edges = [lowEdge(least)]
  for (let last = edges[0] ?? 0n; last <= most; ) {
    last = edges.length === MAX_STEPS ? most + 1n : nextEdge(last)
    edges.push(last)
  }
  return edges
}

function lowEdge(price: bigint): bigint {
  if (price < 10n) return 0n
  const power = 10n ** BigInt(price.toString().length - 2)
  return ([...STEPS].reverse().find((step) => step * power <= price) as bigint) * power
}

function nextEdge(edge: bigint): bigint {
  if (edge === 0n) return 10n
  const power = 10n ** BigInt(edge.toString().length - 2)
  const next = STEPS[STEPS.indexOf(edge / power) + 1]
  return next === undefined ? 100n * power : next * power
}
