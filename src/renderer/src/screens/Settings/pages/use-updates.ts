// What is known about newer versions, read again while something is in progress.
import { useCallback, useEffect, useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import type { UpdatesView } from '../../../../../contract/program/updates'
import { useAnswer } from '../../../state/answers/use-answer'
import { useEnvironment } from '../../../state/environment'

const ASK_MS = 1_000

export interface UpdateActions {
  /** Null until it is known. */
  readonly view: UpdatesView | null
  /** Why the last press failed; empty = it didn't. */
  readonly reason: string
  readonly isBusy: boolean
  readonly look: () => Promise<void>
  readonly fetch: () => Promise<void>
  readonly forget: () => Promise<void>
}

export function useUpdates(): UpdateActions {
  const { backend, clock } = useEnvironment()
  const { value: view, retry } = useAnswer(useCallback(() => backend.call('app.updates', {}), [backend]))
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState('')
  const isWorking = view !== null && view.work !== null
  useEffect(() => {
    if (!isWorking) return
    const asking = clock.setInterval(() => void retry(), ASK_MS)
    return () => asking.dispose()
  }, [clock, isWorking, retry])
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setReason('')
    try {
      await work()
    } catch (error: unknown) {
      setReason(messageOf(error))
    }
    await retry()
    setBusy(false)
  }
  return {
    view,
    reason,
    isBusy,
    look: () => attempt(() => backend.call('app.updateLook', {})),
    fetch: () => attempt(() => backend.call('app.updateFetch', {})),
    forget: () => attempt(() => backend.call('app.updateForget', {})),
  }
}
