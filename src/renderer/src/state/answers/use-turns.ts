// Which query of a page is current: answers to earlier ones, and any answer after the page is gone, are too late.
import { useCallback, useEffect, useRef } from 'react'

/** Starts a query. The returned function says whether it is still the current one. */
type BeginTurn = () => () => boolean

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
