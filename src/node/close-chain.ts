// Closing the chain worker: gracefully when it responds, by ending its thread when it is computing and reads no
// messages.
import type { Logger } from '../base/logger'
import type { Clock } from '../base/time'
import type { WireClient } from '../base/wire/client'
import { within } from '../base/within'
import type { ChainWire } from './worker/wire/chain-wire'
import type { StopFlag } from './worker/wire/stop-flag'

/** How long the worker may take to finish its current work, ms. */
const CLOSE_MS = 1_500

/**
 * Resolves when the worker's thread has ended. A block being executed is abandoned; a thread busy with anything else is
 * terminated mid-work: blocks are written whole or not at all.
 * @param stop the flag that the chain was opened with
 * @throws what the worker's own close failed with
 */
export async function closeChain(
  client: WireClient<ChainWire>,
  { stop, clock, log }: { readonly stop: StopFlag; readonly clock: Clock; readonly log: Logger },
): Promise<void> {
  stop.raise()
  try {
    const isClosed = await within(client.call('chain.close', {}), CLOSE_MS, clock)
    if (!isClosed) log.warn('chain worker is busy, ended without waiting for it', { waitedMs: CLOSE_MS })
  } finally {
    await client.close()
  }
}
