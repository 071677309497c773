// One action of a page: whether it runs, and why it failed or that no answer came, to be shown where it was pressed.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { type TextKey, useText } from '../../i18n/text'
import { useEnvironment } from '../environment'
import { useTurns } from './use-turns'

/** Without an answer for this long, that is said. */
export const UNANSWERED_MS = 10_000

/**
 * Runs an action; what was said about an earlier one is forgotten.
 * @param failed words for a failure, around its `reason`
 * @param answerMs null: the user answers, in a dialog of the system
 */
type Run<T> = (work: () => Promise<unknown>, failed?: TextKey, answerMs?: number | null) => T

export interface Attempt {
  readonly isBusy: boolean
  /** Of the latest action; empty if nothing is wrong. */
  readonly failure: string
  /** @returns whether it succeeded */
  readonly attempt: Run<Promise<boolean>>
  /** The same, where nothing follows. */
  readonly run: Run<void>
  readonly forget: () => void
}

const IDLE = { isBusy: false, failure: '' }

export function useAttempt(): Attempt {
  const t = useText()
  const { clock } = useEnvironment()
  const [state, setState] = useState(IDLE)
  const begin = useTurns()
  const attempt: Attempt['attempt'] = useCallback(
    async (work, failed, answerMs = UNANSWERED_MS) => {
      const isCurrent = begin()
      const show = (next: typeof IDLE): void => (isCurrent() ? setState(next) : undefined)
      show({ isBusy: true, failure: '' })
      const doubt = (): void => show({ isBusy: true, failure: t('ui.common.unanswered') })
      const timer = answerMs === null ? null : clock.setTimeout(doubt, answerMs)
      try {
        await work()
        show(IDLE)
        return true
      } catch (error: unknown) {
        const reason = messageOf(error)
        show({ isBusy: false, failure: failed === undefined ? reason : t(failed, { reason }) })
        return false
      } finally {
        timer?.dispose()
      }
    },
    [begin, clock, t],
  )
  const run: Attempt['run'] = useCallback((...given) => void attempt(...given), [attempt])
  const forget = useCallback(() => setState((last) => ({ ...last, failure: '' })), [])
  return { ...state, attempt, run, forget }
}
