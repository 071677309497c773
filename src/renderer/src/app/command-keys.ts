// Keys for those who know them: `g` and a letter goes to a screen, `/` to its filter, `?` lists the keys. Letters never act while
// text is being typed.
import { useEffect } from 'react'
import type { Clock } from '../../../base/time'
import { navItems } from './routes'

/** The second key has to come within this time. */
const SEQUENCE_MS = 1500

export interface CommandKeysOptions {
  readonly clock: Clock
  /** False inside approvals and on the login page. */
  readonly isOn: boolean
  /** Keys of a single letter can be switched off. */
  readonly hasLetters: boolean
  readonly onGo: (path: string) => void
  readonly onHelp: () => void
  readonly onPalette: () => void
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

/** The screen's own search or filter field; false when it has none. */
function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  return field !== null
}

export function useCommandKeys({ clock, isOn, hasLetters, onGo, onHelp, onPalette }: CommandKeysOptions): void {
  useEffect(() => {
    if (!isOn) return
    const state = { previous: '', at: Number.NEGATIVE_INFINITY }
    const onKey = (event: KeyboardEvent): void => {
      const isCommand = event.ctrlKey || event.metaKey
      const withCommand = { ',': () => onGo('/settings'), k: onPalette }[event.key.toLowerCase()]
      if (isCommand && withCommand !== undefined) {
        event.preventDefault()
        withCommand()
        return
      }
      if (!hasLetters || isCommand || event.altKey || isTyping(event.target)) return
      if (event.key === '/' && focusFilter()) {
        event.preventDefault()
        return
      }
      const previous = clock.monotonic() - state.at < SEQUENCE_MS ? state.previous : ''
      state.previous = event.key
      state.at = clock.monotonic()
      const command = readKey(previous, event.key)
      if (command === 'help') onHelp()
      else if (command !== null) onGo(command.go)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [clock, isOn, hasLetters, onGo, onHelp, onPalette])
}
