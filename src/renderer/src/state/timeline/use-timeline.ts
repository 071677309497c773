// What happened to one device in the time its charts show: read again periodically, and whenever its state changes.
import { useCallback } from 'react'
import type { DeviceView, HistoryWindow, TimelineView } from '../../../../contract/miner'
import { type Answered, useAnswer } from '../answers/use-answer'
import { useEnvironment } from '../environment'

const PERIOD_MS: Readonly<Record<HistoryWindow, number>> = { '10m': 5000, '1h': 5000, '24h': 60_000, '7d': 60_000 }
export const EMPTY: TimelineReading = { spans: [], marks: [], readAt: 0 }

export interface TimelineReading extends TimelineView {
  /** UTC ms; the strip's right end. */
  readonly readAt: number
}

type TimelineDevice = Pick<DeviceView, 'index' | 'state' | 'pauseReasons'>

export function useTimeline(
  { index, state, pauseReasons }: TimelineDevice,
  window: HistoryWindow,
): Answered<TimelineReading> {
  const { backend, clock } = useEnvironment()
  const ask = useCallback(async (): Promise<TimelineReading> => {
    const answer = await backend.call('miner.timeline', { device: index, window })
    return { ...answer, readAt: clock.now() }
  }, [backend, clock, index, window])
  const mark = `${state} ${pauseReasons.join('; ')}` // a change of state is a reason to ask at once
  return useAnswer(ask, { everyMs: PERIOD_MS[window], mark })
}
