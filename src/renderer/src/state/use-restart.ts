// A restart of the program requested here: its progress, and why it was refused.
import { useState } from 'react'
import { messageOf } from '../../../base/errors'
import { useApp, useEnvironment } from './environment'

export interface Restart {
  readonly state: 'idle' | 'asked' | 'refused'
  readonly reason: string
  readonly ask: () => Promise<void>
}

export function useRestart(): Restart {
  const { backend } = useEnvironment()
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  const [asked, setAsked] = useState<Pick<Restart, 'state' | 'reason'> & { readonly startedAt: number }>({
    state: 'idle',
    reason: '',
    startedAt: 0,
  })
  const ask = async (): Promise<void> => {
    setAsked({ state: 'asked', reason: '', startedAt })
    try {
      await backend.call('app.restart', {})
    } catch (error: unknown) {
      setAsked({ state: 'refused', reason: messageOf(error), startedAt })
    }
  }
  // the restarted program is here
  if (asked.startedAt !== startedAt) return { state: 'idle', reason: '', ask }
  return { state: asked.state, reason: asked.reason, ask }
}
