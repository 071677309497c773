// Drawn before its warnings are known, a request would move down when they arrive, under the eyes of who reads it.
import { useEffect, useState } from 'react'
import { useEnvironment } from '../state/environment'

/** A node that answers later than this delays nothing: well before a request can be armed. */
export const FIRST_DRAWING_MS = 250

/** True once everything is known, or it took too long; true ever after that. */
export function useFirstDrawing(isKnown: boolean): boolean {
  const { clock } = useEnvironment()
  const [isDrawn, setDrawn] = useState(isKnown)
  if (isKnown && !isDrawn) setDrawn(true)
  useEffect(() => {
    if (isDrawn) return
    const timer = clock.setTimeout(() => setDrawn(true), FIRST_DRAWING_MS)
    return () => timer.dispose()
  }, [clock, isDrawn])
  return isDrawn || isKnown
}
