// One query of a page, sent once there is contact, again when its inputs change, and in every period while the page is
// visible. Late answers to an earlier query are dropped; a failed query keeps the last good answer.
import { useCallback, useEffect, useRef, useState } from 'react'
import { hasCode, messageOf } from '../../../../base/errors'
import type { Clock } from '../../../../base/time'
import type { CallName, ParamsOf, ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import { type TextKey, useText } from '../../i18n/text'
import { useApp, useAsking, useEnvironment, useIsOpen } from '../environment'
import { everyInSight, keepSame } from '../in-sight'

export interface Answered<T> {
  /** Null until the first answer. */
  readonly value: T | null
  /** Why the last query failed; empty if it didn't. */
  readonly reason: string
  /** This run doesn't have what was asked for: no fault, and no question of time. */
  readonly isAbsent: boolean
  /** Queries again. Settles when the answer arrives, or arrives too late to count. */
  readonly retry: () => Promise<void>
  /** Uses another call's answer as the value; discards an answer that is still on its way. */
  readonly replace: (value: T) => void
}

interface Repetition {
  /** A period in which the last answer is still on its way is skipped, so that a slow connection gets answers too. */
  readonly everyMs?: number | null
  readonly mark?: string | number
}

/** For what hardly changes. */
export const RARELY: Repetition = { everyMs: 10_000 }

const UNASKED = { value: null, reason: '', isAbsent: false } as const

/** Equal answers keep their object. @param ask in useCallback; answers what JSON can say. Null = nothing to ask */
export function useAnswer<T>(
  ask: (() => Promise<T>) | null,
  { everyMs = null, mark = '' }: Repetition = {},
): Answered<T> {
  const { clock } = useEnvironment()
  const isOpen = useIsOpen()
  const [answer, setAnswer] = useState<Pick<Answered<T>, 'value' | 'reason' | 'isAbsent'>>(UNASKED)
  const [same] = useState(keepSame<T>)
  const waiting = useRef(0)
  const begin = useTurns()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mark` asks again
  const retry = useCallback(async (): Promise<void> => {
    if (ask === null) return
    const isCurrent = begin()
    waiting.current += 1
    try {
      const value = same(await ask())
      if (isCurrent())
        setAnswer((before) => (before.value === value && before.reason === '' ? before : { ...UNASKED, value }))
    } catch (error: unknown) {
      if (isCurrent())
        setAnswer((before) => ({ ...before, reason: messageOf(error), isAbsent: hasCode(error, 'HOST_SERVICE_OFF') }))
    } finally {
      waiting.current -= 1
    }
  }, [begin, ask, mark, same])
  useAsking(
    useCallback(() => {
      void retry()
      return () => void begin() // any answer still on its way is too late
    }, [retry, begin]),
  )
  useEffect(() => {
    if (everyMs === null || !isOpen) return
    const timer = everyInSight(clock, everyMs, () => void (waiting.current === 0 && retry()))
    return () => timer.dispose()
  }, [clock, everyMs, isOpen, retry])
  const replace = useCallback(
    (value: T): void => {
      begin()
      setAnswer({ ...UNASKED, value })
    },
    [begin],
  )
  return { ...answer, retry, replace }
}

/** Asks the program. @param params others are another query; null = nothing to query yet */
export function useCall<N extends CallName<Contract>>(
  name: N,
  params: ParamsOf<Contract, N> | null,
  repetition?: Repetition,
): Answered<ResultOf<Contract, N>> {
  const { backend } = useEnvironment()
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal parameters are the same query
  const ask = useCallback(
    () => (params === null ? Promise.reject(new RangeError('nothing to query')) : backend.call(name, params)),
    [backend, name, JSON.stringify(params)],
  )
  return useAnswer(params === null ? null : ask, repetition)
}

export const UNANSWERED_MS = 10_000

/** Without an answer for that long, `late` says so. @returns the answer */
export function orLate<T>(clock: Pick<Clock, 'setTimeout'>, answer: Promise<T>, late: () => void): Promise<T> {
  const timer = clock.setTimeout(late, UNANSWERED_MS)
  return answer.finally(() => timer.dispose())
}

/**
 * Runs an action; what was said about an earlier one is forgotten.
 * @param failed words for a failure, around its `reason`
 * @param isDialog the person may be asked first, in a dialog of the system, and takes as long as they like
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

/** Starts a query. The returned function says whether it is still the current one. */
type BeginTurn = () => () => boolean

/** @returns the same function for the life of the component */
export function useTurns(): BeginTurn {
  const turn = useRef(0)
  useEffect(
    () => () => {
      turn.current += 1
    },
    [],
  )
  return useCallback(() => {
    turn.current += 1
    const own = turn.current
    return () => own === turn.current
  }, [])
}

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
