// Start: writes the choices option by option, stops offering the page, and restarts the program.
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { useEnvironment } from '../../state/environment'
import { useRestart } from '../../state/use-restart'
import type { Change } from '../../state/welcome-plan'

export type FinishState =
  | { readonly kind: 'open' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly flag: string; readonly reason: string }
  /** `restart`: something written needs a restart, which was requested. */
  | { readonly kind: 'done'; readonly restart: boolean }

export function useFinish() {
  const { backend, stores } = useEnvironment()
  // The desktop program restarts with its window: the new page continues where the old one was.
  const [state, setState] = useState<FinishState>(() =>
    stores.preferences.getState().isStarting ? { kind: 'done', restart: false } : { kind: 'open' },
  )
  const restart = useRestart()
  const finish = async (changes: readonly Change[]): Promise<void> => {
    setState({ kind: 'busy' })
    const all = [...changes, { key: 'app.welcome', flag: 'welcome', value: 'false' }]
    for (const { key, flag, value } of all) {
      try {
        await backend.call('app.setOption', { key, value })
      } catch (error: unknown) {
        return setState({ kind: 'failed', flag, reason: messageOf(error) })
      }
    }
    stores.preferences.setState({ isWelcomed: true, isStarting: changes.length > 0 })
    if (changes.length > 0) void restart.ask()
    setState({ kind: 'done', restart: changes.length > 0 })
  }
  return { state, finish, restart }
}
