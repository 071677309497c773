// Keys for those who know them: `g` and a letter goes to a screen, `?` lists the keys. Never while text is being typed.
import { useEffect } from 'react'
import type { Clock } from '../../../base/time'
import { navItems } from './routes'

/** The second key has to come within this time. */
const SEQUENCE_MS = 1500

export interface CommandKeysOptions {
  readonly clock: Clock
  /** False inside approvals, on the login page, and when switched off. */
  readonly isOn: boolean
  readonly onGo: (path: string) => void
  readonly onHelp: () => void
}

/** What a sequence of plain keys means. */
export function readKey(previous: string, key: string): { readonly go: string } | 'help' | null {
  if (key === '?') return 'help'
  if (previous !== 'g') return null
  const item = navItems.find((candidate) => candidate.key === key)
  return item === undefined ? null : { go: item.path }
}

/** True where keys are text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

export function useCommandKeys({ clock, isOn, onGo, onHelp }: CommandKeysOptions): void {
  useEffect(() => {
    if (!isOn) return
    const state = { previous: '', at: Number.NEGATIVE_INFINITY }
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === ',') {
        event.preventDefault()
        onGo('/settings')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const previous = clock.monotonic() - state.at < SEQUENCE_MS ? state.previous : ''
      state.previous = event.key
      state.at = clock.monotonic()
      const command = readKey(previous, event.key)
      if (command === 'help') onHelp()
      else if (command !== null) onGo(command.go)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [clock, isOn, onGo, onHelp])
}
