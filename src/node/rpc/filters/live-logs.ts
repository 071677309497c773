// The new logs that a filter or a subscription receives.
import type { Disposable } from '../../../base/disposable'
import { type LogFilter, matcherOf } from '../../logs/log-filter'
import type { ChainFeed } from './chain-feed'

/** Which blocks' logs apply, and whether the pending block's do. */
export interface LiveLogs {
  /** Heights, inclusive; null = none. */
  readonly mined: { readonly from: number; readonly to: number } | null
  readonly pending: boolean
}

/** Reports matching logs as JSON texts, until disposed. */
export function onLiveLogs(
  { events }: ChainFeed,
  { mined, pending }: LiveLogs,
  filter: LogFilter,
  tell: (texts: readonly string[]) => void,
): Disposable {
  const matches = matcherOf(filter)
  const parts: Disposable[] = []
  if (mined !== null)
    parts.push(
      events.on('logs', (logs) => {
        const isInRange = (height: number): boolean => height >= mined.from && height <= mined.to
        tell(logs.filter((log) => isInRange(log.blockNumber) && matches(log)).map(({ text }) => text))
      }),
    )
  if (pending) parts.push(events.on('pendingLogs', (logs) => tell(logs.filter(matches).map(({ text }) => text))))
  return {
    dispose: () => {
      for (const part of parts) part.dispose()
    },
  }
}
