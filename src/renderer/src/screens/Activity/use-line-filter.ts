// Which of many lines the user wants to see: by level, time, and a text or a pattern.
import { useState } from 'react'
import { useEnvironment } from '../../state/environment'
import type { LogFilter } from '../../state/log/log-lines'

export const spans = ['all', '10m', '1h', '24h'] as const
type Span = (typeof spans)[number]
const SPAN_MS: Readonly<Record<Exclude<Span, 'all'>, number>> = { '10m': 600_000, '1h': 3_600_000, '24h': 86_400_000 }

export type LineWishes = ReturnType<typeof useLineFilter>

export function useLineFilter() {
  const { clock } = useEnvironment()
  const [state, setState] = useState({
    text: '',
    isPattern: false,
    least: 'info' as LogFilter['least'],
    span: 'all' as Span,
    /** UTC ms of the moment `span` was chosen. */
    from: null as number | null,
  })
  return {
    ...state,
    set: (change: Partial<Pick<typeof state, 'text' | 'isPattern' | 'least'>>): void =>
      setState((before) => ({ ...before, ...change })),
    setSpan: (span: Span): void =>
      setState((before) => ({ ...before, span, from: span === 'all' ? null : clock.now() - SPAN_MS[span] })),
  }
}
