// The newest value for callbacks that outlive the drawing they were made in.
import { type RefObject, useEffect, useRef, useState } from 'react'

/** @returns always the same object; `current` is the value of the latest drawing that is on the screen */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}

/** `value` as it was when `isKept` became true. */
export function useKept<T>(value: T, isKept: boolean): T {
  const [kept, setKept] = useState<{ readonly value: T } | null>(null)
  if (isKept && kept === null) setKept({ value })
  if (!isKept && kept !== null) setKept(null)
  return isKept && kept !== null ? kept.value : value
}
