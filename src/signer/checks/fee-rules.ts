// What is said about a fee: beside what the account has and what the own node takes, or, without a node, by itself.
import { type Clock, within } from '../../base/time'
import { formatDecimal, WEI_PER_GWEI, WEI_PER_LAX } from '../../base/units'
import { critical, type Finding, warning } from '../model/findings'
import { maximumFee, type TransactionRequest } from '../model/transaction'

/** What a node knows that a fee is compared with; wei, and wei per gas. */
export interface FeeMarket {
  /** Of the account that pays. */
  readonly balance: bigint
  readonly gasPrice: bigint
}

/** `absent`: no node runs beside this signer; `silent`: there is one, and it didn't answer. */
export type KnownMarket = FeeMarket | 'absent' | 'silent'

/** Asks the node. @param from the sender, 20 bytes @returns null when there is no node, or it has no chain yet */
export type MarketPort = (from: Uint8Array) => Promise<FeeMarket | null>

/** A fee above a hundredth of the balance is considered a mistake. */
const FEE_SHARE = 100n
const ABSURD_TIMES = 10n
/** Nodes reject more than this over JSON-RPC by default; the only comparison left without a node. */
const MAX_FEE_UNSEEN = WEI_PER_LAX
const GWEI_DECIMALS = WEI_PER_GWEI.toString().length - 1

export function marketFindings(tx: TransactionRequest, market: KnownMarket): readonly Finding[] {
  const fee = maximumFee(tx)
  if (market === 'absent') return unseenFindings(fee)
  if (market === 'silent') {
    const message = "The fee could not be compared with the balance and the usual price: the node didn't answer"
    return [warning(message), ...unseenFindings(fee)]
  }
  const findings: Finding[] = []
  if (fee * FEE_SHARE > market.balance) {
    findings.push(critical(`The fee may come to ${lax(fee)}, more than 1% of the ${lax(market.balance)} available`))
  }
  const price = tx.maxFeePerGas ?? tx.gasPrice ?? 0n
  if (market.gasPrice > 0n && price >= ABSURD_TIMES * market.gasPrice) {
    findings.push(critical(`The gas price is ${gwei(price)}, at least ten times the usual ${gwei(market.gasPrice)}`))
  }
  return findings
}

function unseenFindings(fee: bigint): readonly Finding[] {
  if (fee <= MAX_FEE_UNSEEN) return []
  return [critical(`The fee may come to ${lax(fee)}; nodes refuse more than ${lax(MAX_FEE_UNSEEN)} by default`)]
}

function lax(wei: bigint): string {
  return `${formatDecimal(wei)} LAX`
}

function gwei(price: bigint): string {
  return `${formatDecimal(price, GWEI_DECIMALS)} gwei`
}

/** A node that is importing blocks answers within this. */
const MARKET_MS = 2_000

/** Asks the node for the fees that it takes. @param port missing when no node runs beside the signer @returns a function that never rejects */
export function knownMarket(
  port: MarketPort | undefined,
  clock: Clock,
): (from: Uint8Array | null) => Promise<KnownMarket> {
  return async (from) => {
    if (port === undefined || from === null) return 'absent'
    let known: KnownMarket = 'silent'
    const asked = port(from).then((market) => {
      known = market ?? 'absent'
    })
    try {
      await within(asked, MARKET_MS, clock)
    } catch {
      return 'silent' // the node's own log has the reason
    }
    return known
  }
}
