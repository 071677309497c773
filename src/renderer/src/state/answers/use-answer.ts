// One question of a page, asked when there is contact and again when what it depends on changes. An answer that came late, for
// an earlier question, is not shown; one that failed leaves the last good one.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { useAsking } from '../environment'
import { useTurns } from './use-turns'

export interface Answered<T> {
  /** Null until the first answer. */
  readonly value: T | null
  /** Why the last question failed; empty when it did not. */
  readonly reason: string
  /** Asks again. Settles when the answer is there, or too late to count. */
  readonly retry: () => Promise<void>
  /** Uses another call's answer as the value; an answer that is still on its way is discarded. */
  readonly replace: (value: T) => void
}

/**
 * @param ask kept by useCallback: another one is another question. Null = there is nothing to ask yet
 * @param mark asks again whenever it changes
 */
export function useAnswer<T>(ask: (() => Promise<T>) | null, mark: string | number = ''): Answered<T> {
  const [answer, setAnswer] = useState<Pick<Answered<T>, 'value' | 'reason'>>({ value: null, reason: '' })
  const begin = useTurns()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mark` asks again
  const retry = useCallback(async (): Promise<void> => {
    if (ask === null) return
    const isCurrent = begin()
    try {
      const value = await ask()
      if (isCurrent()) setAnswer({ value, reason: '' })
    } catch (error: unknown) {
      if (isCurrent()) setAnswer((before) => ({ ...before, reason: messageOf(error) }))
    }
  }, [begin, ask, mark])
  useAsking(
    useCallback(() => {
      void retry()
      return () => void begin() // whatever is still on its way is late
    }, [retry, begin]),
  )
  const replace = useCallback(
    (value: T): void => {
      begin()
      setAnswer({ value, reason: '' })
    },
    [begin],
  )
  return { ...answer, retry, replace }
}
