// Which question of a page is the current one: the answer to an earlier one, and any answer after the page is gone, is late.
import { useCallback, useEffect, useRef } from 'react'

/** Starts a question. The returned function says whether that question is still the current one. */
export type BeginTurn = () => () => boolean

/** @returns the same function for the life of the component */
export function useTurns(): BeginTurn {
  const turn = useRef(0)
  useEffect(
    () => () => {
      turn.current += 1
    },
    [],
  )
  return useCallback(() => {
    turn.current += 1
    const own = turn.current
    return () => own === turn.current
  }, [])
}
