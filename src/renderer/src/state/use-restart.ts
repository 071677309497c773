// A restart of the program requested here: its progress, and why it was refused.
import { useState } from 'react'
import { useAttempt } from './answers/use-attempt'
import { useApp, useEnvironment } from './environment'

export interface Restart {
  readonly state: 'idle' | 'asked' | 'refused'
  readonly reason: string
  readonly ask: () => Promise<void>
}

export function useRestart(): Restart {
  const { backend } = useEnvironment()
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  const { failure, attempt } = useAttempt()
  const [askedAt, setAskedAt] = useState<number | null>(null)
  const ask = async (): Promise<void> => {
    setAskedAt(startedAt)
    await attempt(() => backend.call('app.restart', {}), 'ui.restart.refused')
  }
  // Once the restarted program is here, nothing is asked anymore.
  if (askedAt !== startedAt) return { state: 'idle', reason: '', ask }
  return { state: failure === '' ? 'asked' : 'refused', reason: failure, ask }
}
