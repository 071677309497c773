// Opens the chain database for queries on the host thread.
import { setImmediate } from 'node:timers'
import type { Clock } from '../../../base/time'
import type { QueryOpen } from '../query-wire'
import { exactGasCap } from '../session'
import { openViews } from '../snapshots'
import { type InlineAnswers, InlineQueries, READ_MS } from './inline-queries'
import { inlineSession } from './inline-session'
import { ReadTime } from './read-time'

/** The process must have the database open already. @throws StoreError STORE_UNREADABLE */
export async function openInline(open: Omit<QueryOpen, 'flags'>, clock: Clock): Promise<InlineAnswers> {
  const { folder, chainId, gasCap, callTimeoutMs, epochBlocks, subsidies, engine } = open
  const reads = new ReadTime(READ_MS, clock)
  const views = await openViews(folder, reads)
  const options = { chainId, callTimeoutMs, epochBlocks, subsidies, gasCap: exactGasCap(gasCap) }
  const session = inlineSession(options, views)
  const runsCalls = engine === 'auto' || engine === 'typescript'
  return new InlineQueries({ session, reads, clock, runsCalls, nextTurn: (callback) => void setImmediate(callback) })
}
