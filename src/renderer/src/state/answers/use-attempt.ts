// One action of a page: whether it runs, and why it failed or that no answer came, to be shown where it was pressed.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { useText } from '../../i18n/text'
import { useEnvironment } from '../environment'
import { useTurns } from './use-turns'

/** Without an answer for this long, that is said. */
export const UNANSWERED_MS = 10_000

export interface Attempt {
  readonly isBusy: boolean
  /** Of the latest action; empty if nothing is wrong. */
  readonly failure: string
  /** Runs an action; what it says about an earlier one is forgotten. @returns whether it succeeded */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>
  readonly forget: () => void
}

const IDLE = { isBusy: false, failure: '' }

export function useAttempt(): Attempt {
  const t = useText()
  const { clock } = useEnvironment()
  const [state, setState] = useState(IDLE)
  const begin = useTurns()
  const attempt = useCallback(
    async (work: () => Promise<unknown>): Promise<boolean> => {
      const isCurrent = begin()
      const show = (next: typeof IDLE): void => (isCurrent() ? setState(next) : undefined)
      show({ isBusy: true, failure: '' })
      const timer = clock.setTimeout(() => show({ isBusy: true, failure: t('ui.common.unanswered') }), UNANSWERED_MS)
      try {
        await work()
        show(IDLE)
        return true
      } catch (error: unknown) {
        show({ isBusy: false, failure: messageOf(error) })
        return false
      } finally {
        timer.dispose()
      }
    },
    [begin, clock, t],
  )
  const forget = useCallback(() => setState((last) => ({ ...last, failure: '' })), [])
  return { ...state, attempt, forget }
}
