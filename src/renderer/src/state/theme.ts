// The current theme: the user's choice, otherwise the system's, set on the document for the tokens.
import { useEffect, useSyncExternalStore } from 'react'
import { useApp, usePreference } from './environment'
import { selectLostSince } from './stores/program-store'

type Theme = 'dark' | 'light'

const LIGHT_QUERY = '(prefers-color-scheme: light)'

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(LIGHT_QUERY)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useTheme(): Theme {
  const choice = usePreference((preferences) => preferences.theme)
  const isSystemLight = useSyncExternalStore(subscribe, () => window.matchMedia(LIGHT_QUERY).matches)
  if (choice !== 'system') return choice
  return isSystemLight ? 'light' : 'dark'
}

/** Keeps `data-theme`, `data-motion` and `data-contact` of the document up to date. */
export function useThemeAttribute(): void {
  const theme = useTheme()
  const isLost = useApp((state) => selectLostSince(state) !== null)
  const lessMotion = usePreference((preferences) => preferences.lessMotion)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    document.documentElement.dataset.motion = lessMotion ? 'less' : 'system'
  }, [theme, lessMotion])
  useEffect(() => {
    document.documentElement.dataset.contact = isLost ? 'lost' : 'open'
  }, [isLost])
}
