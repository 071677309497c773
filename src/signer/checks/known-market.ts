// Asks the node beside this signer what a fee is compared with, and does not wait long for it.
import type { Clock } from '../../base/time'
import { within } from '../../base/within'
import type { KnownMarket, MarketPort } from './fee-rules'

/** A node that imports blocks answers within this. */
const MARKET_MS = 2_000

/** @param port missing where no node runs beside the signer @returns what never rejects */
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
      return 'silent' // why is in the node's own log
    }
    return known
  }
}
