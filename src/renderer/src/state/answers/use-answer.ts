// One query of a page, sent once there is contact and again when its inputs change. Late answers to an earlier query
// are dropped; a failed query keeps the last good answer.
import { useCallback, useState } from 'react'
import { hasCode, messageOf } from '../../../../base/errors'
import { useAsking } from '../environment'
import { useTurns } from './use-turns'

export interface Answered<T> {
  /** Null until the first answer. */
  readonly value: T | null
  /** Why the last query failed; empty if it didn't. */
  readonly reason: string
  /** This run doesn't have what was asked for: no fault, and no question of time. */
  readonly isAbsent: boolean
  /** Queries again. Settles when the answer arrives, or arrives too late to count. */
  readonly retry: () => Promise<void>
  /** Uses another call's answer as the value; discards an answer that is still on its way. */
  readonly replace: (value: T) => void
}

const UNASKED = { value: null, reason: '', isAbsent: false } as const

/**
 * @param ask wrapped in useCallback: a new function is a new query. Null = nothing to query yet
 * @param mark queries again whenever it changes
 */
export function useAnswer<T>(ask: (() => Promise<T>) | null, mark: string | number = ''): Answered<T> {
  const [answer, setAnswer] = useState<Pick<Answered<T>, 'value' | 'reason' | 'isAbsent'>>(UNASKED)
  const begin = useTurns()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mark` asks again
  const retry = useCallback(async (): Promise<void> => {
    if (ask === null) return
    const isCurrent = begin()
    try {
      const value = await ask()
      if (isCurrent())
        setAnswer((before) => (before.value === value && before.reason === '' ? before : { ...UNASKED, value }))
    } catch (error: unknown) {
      if (isCurrent())
        setAnswer((before) => ({ ...before, reason: messageOf(error), isAbsent: hasCode(error, 'HOST_SERVICE_OFF') }))
    }
  }, [begin, ask, mark])
  useAsking(
    useCallback(() => {
      void retry()
      return () => void begin() // any answer still on its way is too late
    }, [retry, begin]),
  )
  const replace = useCallback(
    (value: T): void => {
      begin()
      setAnswer({ ...UNASKED, value })
    },
    [begin],
  )
  return { ...answer, retry, replace }
}
