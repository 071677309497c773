// Keyboard shortcuts: `g` and a letter opens a screen, `/` focuses its filter, `?` lists the keys. Letters never act
// while text is being typed.
import { useEffect, useRef } from 'react'
import { type NavItem, navItems } from '../../navigation/routes'

/** The second key has to be pressed within this time, however late a busy page hears of both. */
const SEQUENCE_MS = 1500

interface CommandKeysOptions {
  /** False inside approvals and on the login page. */
  readonly isOn: boolean
  /** Users can turn single-letter keys off. */
  readonly hasLetters: boolean
  /** Screens available in this run. */
  readonly items: readonly NavItem[]
  readonly onGo: (path: string) => void
  readonly onHelp: () => void
  readonly onPalette: () => void
  readonly onIncidents: () => void
  readonly onFreeze: () => void
  readonly onPauseAll: () => void
}

/**
 * What a sequence of plain keys means.
 * @param items screens available in this run
 */
export function readKey(
  previous: string,
  key: string,
  items: readonly NavItem[] = navItems,
): { readonly go: string } | 'help' | 'freeze' | 'incidents' | null {
  if (key === '?') return 'help'
  if (key === '.') return 'freeze'
  if (previous !== 'g') return key === 'i' ? 'incidents' : null
  const item = items.find((candidate) => candidate.key === key)
  return item === undefined ? null : { go: item.path }
}

/** True where keys enter text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** The screen's own search or filter field; false when it has none. */
function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  return field !== null
}

/** What a key means when held with Ctrl or Cmd; null = nothing here. */
function commandOf({ key, shiftKey }: KeyboardEvent, options: CommandKeysOptions): (() => void) | null {
  const letter = key.toLowerCase()
  if (shiftKey) return letter === 'p' ? options.onPauseAll : null
  if (letter === ',') return () => options.onGo('/settings')
  return letter === 'k' ? options.onPalette : null
}

/** @param options may change with each render */
export function useCommandKeys(options: CommandKeysOptions): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { isOn } = options
  useEffect(() => {
    if (!isOn) return
    const state = { previous: '', at: Number.NEGATIVE_INFINITY }
    const onKey = (event: KeyboardEvent): void => {
      const { hasLetters, items, onGo, onHelp, onFreeze, onIncidents } = latest.current
      const isCommand = event.ctrlKey || event.metaKey
      const withCommand = isCommand ? commandOf(event, latest.current) : null
      if (withCommand !== null) {
        event.preventDefault()
        withCommand()
        return
      }
      if (!hasLetters || isCommand || event.altKey || isTyping(event.target)) return
      if (event.key === '/' && focusFilter()) {
        event.preventDefault()
        return
      }
      const previous = event.timeStamp - state.at < SEQUENCE_MS ? state.previous : ''
      state.previous = event.key
      state.at = event.timeStamp
      const command = readKey(previous, event.key, items)
      if (command === 'help') onHelp()
      else if (command === 'freeze') onFreeze()
      else if (command === 'incidents') onIncidents()
      else if (command !== null) onGo(command.go)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn])
}
