// One query of a page that is repeated while the page is visible and there is contact.
import { useCallback, useEffect, useRef } from 'react'
import { useApp, useEnvironment } from '../environment'
import { everyInSight } from '../in-sight'
import { selectIsOpen } from '../stores/app-store'
import { type Answered, useAnswer } from './use-answer'

export interface Regularity {
  /** Null = not repeated for now. */
  readonly everyMs: number | null
  /** Queries again whenever it changes. */
  readonly mark?: string | number
}

/**
 * Like `useAnswer`, and again every `everyMs`. A period in which the last answer is still on its way is skipped, so that
 * a slow connection gets answers too. An answer with the same content keeps its object.
 * @param ask wrapped in useCallback; answers what JSON can say
 */
export function useRegularAnswer<T>(ask: () => Promise<T>, { everyMs, mark }: Regularity): Answered<T> {
  const { clock } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  const waiting = useRef(0)
  const last = useRef<{ readonly text: string; readonly value: T } | null>(null)
  const counted = useCallback(async (): Promise<T> => {
    waiting.current += 1
    try {
      const value = await ask()
      const text = JSON.stringify(value)
      if (last.current?.text !== text) last.current = { text, value }
      return last.current.value
    } finally {
      waiting.current -= 1
    }
  }, [ask])
  const answered = useAnswer(counted, mark)
  const { retry } = answered
  useEffect(() => {
    if (everyMs === null || !isOpen) return
    const timer = everyInSight(clock, everyMs, () => void (waiting.current === 0 && retry()))
    return () => timer.dispose()
  }, [clock, everyMs, isOpen, retry])
  return answered
}
