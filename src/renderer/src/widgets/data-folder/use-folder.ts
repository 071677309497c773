// The request for another data folder: what is chosen, what would happen, and what the next start will do.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { DataFolderView, FolderCheckView } from '../../../../contract/program/data-folder'
import { useAnswer } from '../../state/answers/use-answer'
import { useApp, useEnvironment } from '../../state/environment'

export interface FolderChoice {
  /** Null until it is known. */
  readonly view: DataFolderView | null
  /** About the folder chosen last; null = none. */
  readonly checked: FolderCheckView | null
  readonly isBusy: boolean
  /** Why the last step failed; empty = it didn't. */
  readonly reason: string
  readonly check: (folder: string) => Promise<void>
  /** Opens the system's dialog, and checks what was chosen there. */
  readonly pick: () => Promise<void>
  /**
   * Null withdraws the request.
   * @returns whether it was recorded
   */
  readonly wish: (folder: string | null) => Promise<boolean>
}

export function useFolder(): FolderChoice {
  const { backend } = useEnvironment()
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  const { value: view, retry } = useAnswer(
    useCallback(() => backend.call('app.dataFolder', {}), [backend]),
    startedAt,
  )
  const [checked, setChecked] = useState<FolderCheckView | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState('')
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    setReason('')
    try {
      await work()
      return true
    } catch (error: unknown) {
      setReason(messageOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  const check = async (folder: string): Promise<void> => {
    await attempt(async () => setChecked(await backend.call('app.checkFolder', { folder })))
  }
  const pick = async (): Promise<void> => {
    await attempt(async () => {
      const { folder } = await backend.call('app.pickFolder', {})
      if (folder !== null) setChecked(await backend.call('app.checkFolder', { folder }))
    })
  }
  const wish = (folder: string | null): Promise<boolean> =>
    attempt(async () => {
      await backend.call('app.changeFolder', { folder })
      setChecked(null)
      await retry()
    })
  return { view, checked, isBusy, reason, check, pick, wish }
}
