// What happened to one device in the time its charts show: read again periodically, and whenever its state changes.
import { useEffect, useState } from 'react'
import type { DeviceView, HistoryWindow, TimelineView } from '../../../../contract/miner'
import { useEnvironment } from '../environment'
import { everyInSight } from '../in-sight'

const PERIOD_MS: Readonly<Record<HistoryWindow, number>> = { '10m': 5000, '1h': 5000, '24h': 60_000 }
const EMPTY: TimelineReading = { spans: [], marks: [], readAt: 0 }

export interface TimelineReading extends TimelineView {
  /** UTC ms; the strip's right end. */
  readonly readAt: number
}

/** Keeps its last answer until there is a newer one. */
export function useTimeline({ index, state, pauseReasons }: DeviceView, window: HistoryWindow): TimelineReading {
  const { backend, clock } = useEnvironment()
  const [view, setView] = useState(EMPTY)
  const now = `${state} ${pauseReasons.join('; ')}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of state is a reason to ask at once
  useEffect(() => {
    const life = { isOver: false }
    const ask = async (): Promise<void> => {
      try {
        const answer = await backend.call('miner.timeline', { device: index, window })
        if (!life.isOver) setView({ ...answer, readAt: clock.now() })
      } catch {
        // Without contact, the next period reads again.
      }
    }
    const timer = everyInSight(clock, PERIOD_MS[window], () => void ask())
    void ask()
    return () => {
      life.isOver = true
      timer.dispose()
    }
  }, [backend, clock, index, window, now])
  return view
}
