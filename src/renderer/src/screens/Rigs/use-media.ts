// Whether a media query matches now.
import { useCallback, useSyncExternalStore } from 'react'

export function useMedia(text: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = window.matchMedia(text)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    [text],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(text).matches)
}
