// One action of a page: whether it runs, and why it failed or that no answer came, to be shown where it was pressed.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { Clock } from '../../../../base/time'
import { type TextKey, useText } from '../../i18n/text'
import { useEnvironment } from '../environment'
import { useTurns } from './use-turns'

export const UNANSWERED_MS = 10_000

/** Without an answer for that long, `late` says so. @returns the answer */
export function orLate<T>(clock: Pick<Clock, 'setTimeout'>, answer: Promise<T>, late: () => void): Promise<T> {
  const timer = clock.setTimeout(late, UNANSWERED_MS)
  return answer.finally(() => timer.dispose())
}

/**
 * Runs an action; what was said about an earlier one is forgotten.
 * @param failed words for a failure, around its `reason`
 * @param isDialog the user answers, in a dialog of the system, and takes as long as they like
 */
type Run<T> = (work: () => Promise<unknown>, failed?: TextKey, isDialog?: boolean) => T

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
    async (work, failed, isDialog = false) => {
      const isCurrent = begin()
      const show = (next: typeof IDLE): void => (isCurrent() ? setState(next) : undefined)
      show({ isBusy: true, failure: '' })
      const doubt = (): void => show({ isBusy: true, failure: t('ui.common.unanswered') })
      try {
        await (isDialog ? work() : orLate(clock, work(), doubt))
        show(IDLE)
        return true
      } catch (error: unknown) {
        const reason = messageOf(error)
        show({ isBusy: false, failure: failed === undefined ? reason : t(failed, { reason }) })
        return false
      }
    },
    [begin, clock, t],
  )
  const run: Attempt['run'] = useCallback((...given) => void attempt(...given), [attempt])
  const forget = useCallback(() => setState((last) => ({ ...last, failure: '' })), [])
  return { ...state, attempt, run, forget }
}
