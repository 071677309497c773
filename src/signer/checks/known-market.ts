// Asks the node beside this signer for the market's fees, with a short timeout.
import { type Clock, within } from '../../base/time'
import type { KnownMarket, MarketPort } from './fee-rules'

/** A node that is importing blocks answers within this. */
const MARKET_MS = 2_000

/** @param port missing when no node runs beside the signer @returns a function that never rejects */
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
