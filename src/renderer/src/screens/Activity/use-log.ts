// The log while it is viewed: new entries are read once a second, and kept while the page is open.
import { useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { type LogLineView, MAX_LOG_LINES } from '../../../../contract/logs'
import { useEnvironment } from '../../state/environment'
import type { LogFilter, LogLines } from '../../state/log/log-lines'
import { useLines } from './use-lines'

const LINES_KEPT = 100_000
const EVERY_MS = 1_000

interface LogReading {
  readonly lines: LogLines<LogLineView>
  /** Why nothing new arrives; empty if it does. */
  readonly error: string
  /** False until the first answer. */
  readonly isRead: boolean
}

/** @param isFrozen freezes what is shown; new entries are fetched afterwards */
export function useLog(filter: LogFilter, isFrozen: boolean): LogReading {
  const { backend, clock } = useEnvironment()
  const lines = useLines<LogLineView>(LINES_KEPT, filter)
  const [state, setState] = useState({ error: '', isRead: false })
  const next = useMemo(() => ({ id: 0 }), [])
  useEffect(() => {
    if (isFrozen) return
    const held = { isOpen: true, isBusy: false }
    const ask = async (): Promise<void> => {
      if (held.isBusy || document.visibilityState === 'hidden' || backend.connection().kind !== 'open') return
      held.isBusy = true
      try {
        while (held.isOpen) {
          const answer = await backend.call('app.logs', { from: next.id, count: MAX_LOG_LINES })
          if (!held.isOpen) return
          next.id = answer.next
          lines.add(answer.lines)
          setState((before) => (before.isRead && before.error === '' ? before : { error: '', isRead: true }))
          if (answer.lines.length < MAX_LOG_LINES) break
        }
      } catch (error: unknown) {
        if (held.isOpen) setState((before) => ({ ...before, error: messageOf(error) }))
      } finally {
        held.isBusy = false
      }
    }
    void ask()
    const timer = clock.setInterval(() => void ask(), EVERY_MS)
    return () => {
      held.isOpen = false
      timer.dispose()
    }
  }, [backend, clock, lines, next, isFrozen])
  return { lines, ...state }
}
