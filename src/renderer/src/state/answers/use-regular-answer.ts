// One query of a page that is repeated while the page is visible and there is contact.
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp, useEnvironment } from '../environment'
import { everyInSight } from '../in-sight'
import { selectIsOpen } from '../stores/app-store'
import { keepSame } from './same-content'
import { type Answered, useAnswer } from './use-answer'

interface Regularity {
  /** Null = not repeated for now. */
  readonly everyMs: number | null
  /** Queries again whenever it changes. */
  readonly mark?: string | number
}

/**
 * Like `useAnswer`, and again every `everyMs`. A period in which the last answer is still on its way is skipped, so that
 * a slow connection gets answers too. An answer with the same content keeps its object.
 * @param ask wrapped in useCallback; answers what JSON can say. Null = nothing to query
 */
export function useRegularAnswer<T>(ask: (() => Promise<T>) | null, { everyMs, mark }: Regularity): Answered<T> {
  const { clock } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  const waiting = useRef(0)
  const [same] = useState(keepSame<T>)
  const counted = useCallback(async (): Promise<T> => {
    if (ask === null) throw new RangeError('nothing to query')
    waiting.current += 1
    try {
      return same(await ask())
    } finally {
      waiting.current -= 1
    }
  }, [ask, same])
  const answered = useAnswer(ask === null ? null : counted, mark)
  const { retry } = answered
  useEffect(() => {
    if (everyMs === null || !isOpen) return
    const timer = everyInSight(clock, everyMs, () => void (waiting.current === 0 && retry()))
    return () => timer.dispose()
  }, [clock, everyMs, isOpen, retry])
  return answered
}
