// Compares what should have been paid with what was: from the accepted shares on record and our node's blocks. Pure.
import { poissonRange } from '../../../../../base/poisson'
import { DAY_MS } from '../../../../../base/time'
import { WEI_PER_MICRO } from '../../../../../base/units'
import type { BlockRowView, TransactionRowView } from '../../../../../contract/node'
import type { EarningsRowView, EarningsView } from '../../../../../contract/pools'

export interface PayoutInput {
  readonly kind: 'pools' | 'solo'
  /** Payout address, any case. */
  readonly address: string
  /** Blocks of the window, newest first; at least one. */
  readonly blocks: readonly BlockRowView[]
  /** Transactions of the address, at least those in the window. */
  readonly transactions: readonly TransactionRowView[]
  readonly earnings: EarningsView
  /** Addresses that the active pool's blocks are known to pay. */
  readonly coinbases: readonly string[]
  readonly now: number
}

export interface Payouts {
  /** UTC ms: the window's first block, or the first record if that is later. */
  readonly from: number
  /** wei */
  readonly expected: bigint
  readonly expectedPerDay: bigint
  readonly received: bigint
  readonly transfers: number
  readonly lastAt: number | null
  /** wei from blocks that paid the address directly, and the number of those blocks. */
  readonly found: bigint
  readonly foundBlocks: number
  /** Accepted shares; 0 when mining for our own node. */
  readonly shares: number
  /** 0..1: the part of the work whose value is known. */
  readonly pricedPart: number
  /** Blocks that the band is based on: the pool's, or our own expected number; null when unknown. */
  readonly mean: number | null
  /** wei: the range that holds 95% of such windows; null when unknown. */
  readonly band: { readonly low: bigint; readonly high: bigint } | null
  readonly verdict: 'within' | 'below' | 'above' | 'unknown'
}

/** Null if nothing was mined in the window, as far as the records go. */
export function payoutsOf(input: PayoutInput): Payouts | null {
  const { kind, blocks, earnings, now } = input
  const rows = earnings.rows.filter(({ pool }) => (pool === '') === (kind === 'solo'))
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const hashes = sum((row) => row.hashes)
  const work = sum((row) => row.work)
  if (earnings.firstAt === null || (hashes === 0 && work === 0)) return null
  const from = Math.max(blocks[blocks.length - 1]?.time ?? now, earnings.firstAt)
  const within = blocks.filter(({ time }) => time >= from)
  const priced = rows.reduce((total, { expected }) => total + BigInt(expected), 0n)
  const own = kind === 'solo' ? ownExpectation(rows, within) : null
  const expected = own?.wei ?? priced
  const paid = paymentsOf(input, within)
  const mean = own === null ? poolBlocks(input, within, paid.senders) : own.mean
  const band = mean === null || mean <= 0 ? null : bandOf(expected, mean)
  const pricedPart = work === 0 || kind === 'solo' ? 1 : sum((row) => row.pricedWork) / work
  // Nobody can find more blocks than there are.
  const isAllOurs = within.length > 0 && paid.foundBlocks === within.length
  return {
    ...paid,
    from,
    expected,
    expectedPerDay: times(expected, DAY_MS / Math.max(1, now - from)),
    shares: kind === 'solo' ? 0 : sum((row) => row.shares),
    pricedPart,
    mean,
    band,
    verdict: band === null ? 'unknown' : verdictOf(paid.received + paid.found, band, { isAllOurs, pricedPart }),
  }
}

/** Below what a part of the work is worth is below all of it; nothing else can be said while the rest has no price. */
function verdictOf(
  paid: bigint,
  band: NonNullable<Payouts['band']>,
  { isAllOurs, pricedPart }: { readonly isAllOurs: boolean; readonly pricedPart: number },
): Payouts['verdict'] {
  if (paid < band.low) return isAllOurs ? 'within' : 'below'
  if (pricedPart < 1) return 'unknown'
  return paid > band.high ? 'above' : 'within'
}

/**
 * When mining solo, the expectation follows from the hashes, each at the difficulty of its time. If our hashrate is the
 * whole network's, more blocks would only have raised the difficulty: there was no more to find than the chain's own
 * count.
 */
function ownExpectation(rows: readonly EarningsRowView[], blocks: readonly BlockRowView[]) {
  const due = rows.reduce((total, { expectedShares }) => total + expectedShares, 0)
  const computed = rows.reduce((total, each) => total + BigInt(each.computed), 0n)
  const mean = Math.min(due, blocks.length)
  return { mean, wei: due > mean ? times(computed, mean / due) : computed }
}

function paymentsOf({ address, transactions }: PayoutInput, blocks: readonly BlockRowView[]) {
  const times = new Map(blocks.map(({ number, time }) => [number, time]))
  const to = address.toLowerCase()
  const transfers = transactions.filter(
    (each) =>
      each.to?.toLowerCase() === to &&
      each.from.toLowerCase() !== to &&
      each.succeeded !== false &&
      each.value !== '0' &&
      each.blockNumber !== null &&
      times.has(each.blockNumber),
  )
  const found = blocks.filter(({ miner }) => miner.toLowerCase() === to)
  const at = transfers.map(({ blockNumber }) => times.get(blockNumber ?? -1) ?? 0)
  return {
    received: transfers.reduce((total, { value }) => total + BigInt(value), 0n),
    transfers: transfers.length,
    lastAt: at.length === 0 ? null : Math.max(...at),
    found: found.reduce((total, { subsidy }) => total + BigInt(subsidy), 0n),
    foundBlocks: found.length,
    senders: transfers.map(({ from }) => from.toLowerCase()),
  }
}

/** Blocks of the senders, and of coinbases seen in the pool's jobs; null if there are none. */
function poolBlocks({ coinbases }: PayoutInput, blocks: readonly BlockRowView[], senders: readonly string[]) {
  const known = new Set([...senders, ...coinbases.map((address) => address.toLowerCase())])
  const count = blocks.filter(({ miner }) => known.has(miner.toLowerCase())).length
  return count === 0 ? null : count
}

function bandOf(expected: bigint, mean: number): { readonly low: bigint; readonly high: bigint } {
  const { low, high } = poissonRange(mean)
  return { low: times(expected, low / mean), high: times(expected, high / mean) }
}

/** An estimate, so a millionth of a LAX is precise enough. */
function times(wei: bigint, factor: number): bigint {
  return BigInt(Math.round(Number(wei / WEI_PER_MICRO) * factor)) * WEI_PER_MICRO
}
