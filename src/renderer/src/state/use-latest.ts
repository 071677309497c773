// The newest value for callbacks that outlive the drawing they were made in.
import { type RefObject, useEffect, useRef } from 'react'

/** @returns always the same object; `current` is the value of the latest drawing that is on the screen */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
