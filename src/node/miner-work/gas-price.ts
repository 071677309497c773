// Gas price suggestion: the low prices of recent blocks, 60th percentile.
// Source: prlx prl/gasprice/gasprice.go
import { equalBytes } from '../../base/bytes'
import type { Block } from '../model/block'
import { recoverSender } from '../model/sender'

const BLOCKS = 20
const MAX_VALUES = 2 * BLOCKS
const PRICES_PER_BLOCK = 3
const IGNORED_UNDER_WEI = 2n
const PERCENTILE = 60
/** wei per gas: no suggestion is higher. */
export const CEILING_WEI = 500n * 10n ** 9n
/** The miner's minimum: the suggestion while nothing was paid yet. */
const START_WEI = 10n ** 9n

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** Caches the answer until the head changes. */
export class GasPriceOracle {
  #last = START_WEI
  #lastHead: Uint8Array | null = null

  constructor(
    private readonly chainId: bigint,
    /** The canonical block of a height, null when there is none. */
    private readonly blockAt: (number: bigint) => Block | null,
  ) {}

  /** wei per gas */
  suggest(head: { readonly number: bigint; readonly hash: Uint8Array }): bigint {
    if (this.#lastHead !== null && equalBytes(this.#lastHead, head.hash)) return this.#last
    const prices = this.#sample(head.number).sort(ascending)
    const picked = prices[Math.floor(((prices.length - 1) * PERCENTILE) / 100)] ?? this.#last
    this.#last = picked > CEILING_WEI ? CEILING_WEI : picked
    this.#lastHead = head.hash
    return this.#last
  }

  /** A block that contributes only one value causes another older block to be read, up to the maximum. */
  #sample(headNumber: bigint): bigint[] {
    const prices: bigint[] = []
    let underWay = headNumber < BigInt(BLOCKS) ? Number(headNumber) : BLOCKS
    let unread = headNumber - BigInt(underWay)
    for (let number = headNumber; underWay > 0; number--) {
      underWay--
      const block = this.blockAt(number)
      const found = block === null ? [] : this.#pricesOf(block)
      const values = found.length > 0 ? found : [this.#last]
      if (values.length === 1 && prices.length + 1 + underWay < MAX_VALUES && unread > 0n) {
        underWay++
        unread--
      }
      prices.push(...values)
    }
    return prices
  }

  /** Recovers the senders of the cheapest few only: each is a signature recovery, and a block may have thousands. */
  #pricesOf(block: Block): bigint[] {
    const offered = block.transactions
      .filter((tx) => tx.kind === 'supported')
      .filter((tx) => tx.gasPrice >= IGNORED_UNDER_WEI)
      .sort((a, b) => ascending(a.gasPrice, b.gasPrice))
    const prices: bigint[] = []
    for (const tx of offered) {
      if (prices.length === PRICES_PER_BLOCK) break
      const signed = recoverSender(tx, this.chainId)
      if (signed.ok && !equalBytes(signed.value.sender, block.header.coinbase)) prices.push(tx.gasPrice)
    }
    return prices
  }
}
