// The address bar as state: the current route, and how to navigate.
import { useMemo, useSyncExternalStore } from 'react'
import { parseRoute, type Route } from './routes'

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** The current route; renders again when it changes. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  return useMemo(() => parseRoute(hash), [hash])
}

export function hrefOf(path: string): string {
  return `#${path}`
}

/** Goes to `path`, and adds it to the history. */
export function goTo(path: string): void {
  window.location.hash = path
}
