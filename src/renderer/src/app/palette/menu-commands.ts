// Commands of the desktop's application menu: its main process sends them as window events.
import { useEffect, useRef } from 'react'
import { MENU_EVENT, menuCommandSchema } from '../../../../contract/menu'

export interface MenuActions {
  readonly onHelp: () => void
  readonly onFreeze: () => void
  readonly onTheme: (theme: 'system' | 'dark' | 'light') => void
}

export function useMenuCommands(actions: MenuActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onCommand = (event: Event): void => {
      const command = menuCommandSchema.safeParse(event instanceof CustomEvent ? event.detail : null)
      if (!command.success) return
      const { onHelp, onFreeze, onTheme } = latest.current
      if (command.data.do === 'keys') onHelp()
      else if (command.data.do === 'freeze') onFreeze()
      else onTheme(command.data.theme)
    }
    window.addEventListener(MENU_EVENT, onCommand)
    return () => window.removeEventListener(MENU_EVENT, onCommand)
  }, [])
}
