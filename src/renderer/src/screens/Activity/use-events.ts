// What happened since the program started, as far as it is kept: new entries arrive as events, older ones are read on
// request.
import { useCallback, useEffect, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ActivityView } from '../../../../contract/app'
import { MAX_EVENTS } from '../../../../contract/logs'
import { useApp, useAsking, useEnvironment, useHeld } from '../../state/environment'

interface EventsReading {
  /** Oldest first; null before the first answer. */
  readonly entries: readonly ActivityView[] | null
  /** Why older ones could not be read; empty if they could. */
  readonly error: string
  readonly ask: () => void
}

export function useEvents(): EventsReading {
  const { backend } = useEnvironment()
  const recent = useApp((state) => state.activity)
  const [entries, setEntries] = useState<readonly ActivityView[] | null>(recent)
  const [error, setError] = useState('')
  useEffect(() => {
    if (recent !== null) setEntries((before) => joined(before ?? [], recent))
  }, [recent])
  const ask = useCallback(() => {
    const held = { isOpen: true }
    const read = async (): Promise<void> => {
      try {
        const found: ActivityView[][] = []
        for (let before: number | null = null; held.isOpen; before = found.at(-1)?.[0]?.id ?? null) {
          const answer = await backend.call('app.events', { before, count: MAX_EVENTS })
          found.push(answer.entries)
          if (answer.entries.length < MAX_EVENTS) break
        }
        if (!held.isOpen) return
        setEntries((known) => joined(found.reverse().flat(), known ?? []))
        setError('')
      } catch (failure: unknown) {
        if (held.isOpen) setError(messageOf(failure))
      }
    }
    void read()
    return () => {
      held.isOpen = false
    }
  }, [backend])
  useAsking(ask)
  return { entries: useHeld(entries), error, ask: () => void ask() }
}

/** After a restart of the program ids start over, and older entries belong to the previous run. */
function joined(older: readonly ActivityView[], newer: readonly ActivityView[]): readonly ActivityView[] {
  const last = older.at(-1)
  if (last === undefined) return newer
  const end = newer.at(-1)
  if (end === undefined) return older
  if (end.id < last.id) return end.at < last.at ? older : newer
  const added = newer.filter(({ id }) => id > last.id)
  return added.length === 0 ? older : [...older, ...added]
}
