// One question of a page, asked when there is contact and again when what it depends on changes. An answer that came late, for
// an earlier question, is not shown; one that failed leaves the last good one.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { useAsking } from '../../state/environment'

export interface Answered<T> {
  /** Null until the first answer. */
  readonly value: T | null
  /** Why the last question failed; empty when it did not. */
  readonly reason: string
  readonly retry: () => void
}

/** @param ask kept by useCallback: another one is another question @param mark asks again whenever it changes */
export function useAnswer<T>(ask: () => Promise<T>, mark: string): Answered<T> {
  const [answer, setAnswer] = useState<Omit<Answered<T>, 'retry'>>({ value: null, reason: '' })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mark` and `tries` ask again
  const question = useCallback(() => {
    const state = { isOver: false }
    ask().then(
      (value) => !state.isOver && setAnswer({ value, reason: '' }),
      (error: unknown) => !state.isOver && setAnswer((before) => ({ ...before, reason: messageOf(error) })),
    )
    return () => {
      state.isOver = true
    }
  }, [ask, mark, tries])
  useAsking(question)
  return { ...answer, retry: () => setTries(tries + 1) }
}
