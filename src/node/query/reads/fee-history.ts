// eth_feeHistory: how full blocks were and what their transactions paid. Before London there is no base fee.
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { Block } from '../../model/block'
import { heightName } from '../../model/block-argument'
import { failed } from '../block-state'
import type { BlockFees } from '../kept-blocks'
import type { Asked } from '../query-wire'
import type { QuerySession } from '../session'
import type { ChainView } from '../snapshots'

const MAX_BLOCKS = 1024

/** JSON text. */
export function feeHistory(session: QuerySession, { at, blocks, percentiles }: Asked<'feeHistory'>): string {
  if (blocks === 0) return NOTHING
  checkPercentiles(percentiles ?? [])
  const view = session.view()
  const head = Number(view.head.header.number)
  const isPending = at.kind === 'tag' && at.tag === 'pending'
  const last = isPending ? head : at.kind === 'number' ? at.number : Number(session.blocks().find(at).header.number)
  if (last > head) throw failed(`request beyond head block: requested ${heightName(last)}, head ${head}`)
  const wanted = Math.min(blocks, MAX_BLOCKS) - (isPending ? 1 : 0)
  const count = Math.min(wanted, last + 1)
  if (count === 0) return NOTHING
  const oldest = last + 1 - count
  const found = Array.from({ length: count }, (_, i) => feesAt(session, view, oldest + i, percentiles ?? []))
  return JSON.stringify({
    oldestBlock: toQuantity(oldest),
    ...(percentiles === null || percentiles.length === 0 ? {} : { reward: found.map(({ rewards }) => rewards) }),
    baseFeePerGas: Array.from({ length: count + 1 }, () => '0x0'),
    gasUsedRatio: found.map(({ ratio }) => ratio),
  })
}

const NOTHING = '{"oldestBlock":"0x0","gasUsedRatio":null}'

function checkPercentiles(percentiles: readonly number[]): void {
  for (const [i, percentile] of percentiles.entries()) {
    if (percentile < 0 || percentile > 100) throw failed(`invalid reward percentile: ${percentile.toFixed(6)}`)
    const before = percentiles[i - 1] ?? 0
    if (percentile < before)
      throw failed(`invalid reward percentile: #${i - 1}:${before.toFixed(6)} > #${i}:${percentile.toFixed(6)}`)
  }
}

function feesAt(session: QuerySession, { reads }: ChainView, number: number, percentiles: readonly number[]) {
  const hash = reads.canonicalHash(BigInt(number))
  if (hash === null) throw notFound(number)
  return session.fees.of(hash, percentiles, () => {
    if (percentiles.length === 0) {
      const header = reads.header(hash)
      if (header === null) throw notFound(number)
      return { ratio: ratioOf(header), rewards: [] }
    }
    const block = reads.block(hash)
    if (block === null) throw notFound(number)
    return blockFees(reads, block, percentiles)
  })
}

const notFound = (number: number) => failed(`block #${number} not found`)

const ratioOf = ({ gasUsed, gasLimit }: Block['header']): number => Number(gasUsed) / Number(gasLimit)

function blockFees(reads: ChainView['reads'], block: Block, percentiles: readonly number[]): BlockFees {
  const { gasUsed } = block.header
  const receipts = reads.storedReceipts(block.hash)?.outcomes
  if (receipts === undefined) throw failed(`receipts of block ${toHex(block.hash)} not found`)
  const paid = block.transactions.flatMap((tx, i) => {
    const receipt = receipts[i]
    return tx.kind === 'supported' && receipt !== undefined
      ? [{ price: tx.gasPrice, gas: Number(receipt.gasUsed) }]
      : []
  })
  paid.sort((a, b) => (a.price < b.price ? -1 : a.price > b.price ? 1 : 0))
  return { ratio: ratioOf(block.header), rewards: rewardsAt(paid, Number(gasUsed), percentiles) }
}

/** For each percentile the price at which that share of the block's gas was paid for. @param paid cheapest first */
function rewardsAt(
  paid: readonly { readonly price: bigint; readonly gas: number }[],
  gasUsed: number,
  percentiles: readonly number[],
): string[] {
  let at = 0
  let sum = paid[0]?.gas ?? 0
  return percentiles.map((percentile) => {
    const threshold = Math.trunc((gasUsed * percentile) / 100)
    while (sum < threshold && at < paid.length - 1) sum += paid[++at]?.gas ?? 0
    return toQuantity(paid[at]?.price ?? 0n)
  })
}
