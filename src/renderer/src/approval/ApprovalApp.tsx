// Approvals: one request at a time, or all of them by caller. A request stays on the screen until the user is done with
// it. Similar payments from one caller can be reviewed together, as a table.
import { ShieldCheck } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { callerKey } from '../../../base/limits/caller-key'
import { SHOWN_QUEUE } from '../../../contract/contract'
import type { RequestView } from '../../../contract/signer'
import { useText } from '../i18n/text'
import { useEnvironment, useSigner } from '../state/environment'
import { selectSeen, selectWaiting, selectWaitingCount } from '../state/stores/signer-store'
import { Button } from '../widgets/controls/Button'
import { EmptyState } from '../widgets/facts/States'
import styles from './Approval.module.css'
import { ApprovalView } from './ApprovalView'
import { callerGroups } from './callers'
import type { ApprovalSenses } from './machine-hooks'
import { Queue } from './Queue'
import { QuietBar } from './QuietBar'
import { RefusedCalls } from './RefusedCalls'
import type { AlikeGroup } from './table/alike'
import { TableView } from './table/TableView'

/** After this long, the next request replaces a finished one. */
const NEXT_AFTER_MS = 2500

interface ApprovalAppProps {
  /** The request to begin with; null or unknown = the oldest. */
  readonly requestedId: string | null
  /** Called when nothing is left to decide and the user closes the view. */
  readonly onLeave: () => void
  /** Shown while nothing waits. */
  readonly children?: ReactNode
  /** Called with the request's id whenever another one is on the screen; null = none. */
  readonly onShown?: (id: string | null) => void
  readonly senses?: ApprovalSenses
}

type Shown =
  | { readonly kind: 'request'; readonly id: string }
  | { readonly kind: 'table'; readonly group: AlikeGroup }
  /** All waiting requests, by caller. */
  | { readonly kind: 'queue' }

export function ApprovalApp({ requestedId, onLeave, onShown, senses, children }: ApprovalAppProps) {
  const t = useText()
  const queue = useShownRequest(requestedId)
  const { waiting, waitingCount, shown, request, setShown } = queue
  const waitingIds = useMemo(() => new Set(waiting.map(({ id }) => id)), [waiting])
  const shownId = shownIdOf(shown, waitingIds)
  useEffect(() => onShown?.(shownId), [onShown, shownId])

  const given = senses === undefined ? {} : { senses }
  if (shown === null || (shown.kind === 'request' && request === undefined))
    return (
      <div className={styles.page} data-testid="approval-empty">
        <h1 className="visually-hidden">{t('ui.approval.heading')}</h1>
        <div className={styles.nothing}>
          <EmptyState
            icon={ShieldCheck}
            title={waitingCount > 0 ? t('ui.approval.atTheMachine', { count: waitingCount }) : t('ui.approval.none')}
            action={<Button onClick={onLeave}>{t('ui.common.close')}</Button>}
          />
        </div>
        <QuietBar />
        <RefusedCalls />
        {children}
      </div>
    )
  return (
    <div className={styles.page}>
      {/* At the top: new items take space from the text, so no button moves under the pointer. */}
      <QuietBar />
      <RefusedCalls />
      {shown.kind === 'queue' && (
        <Queue
          onPick={(id) => setShown({ kind: 'request', id })}
          onOpen={(group) => setShown({ kind: 'table', group })}
        />
      )}
      {shown.kind === 'request' && <Single queue={queue} onLeave={onLeave} {...given} />}
      {shown.kind === 'table' && (
        <TableView
          key={shown.group.payments.map((payment) => payment.request.id).join()}
          group={shown.group}
          waiting={waitingIds}
          waitingCount={waitingCount}
          onLeave={() => setShown({ kind: 'queue' })}
          onPick={(id) => setShown({ kind: 'request', id })}
          onNext={() => (waiting.length > 0 ? setShown(nextOf(waiting, null)) : onLeave())}
          {...given}
        />
      )}
    </div>
  )
}

/** Reported to the window: what closing it rejects. */
function shownIdOf(shown: Shown | null, waitingIds: ReadonlySet<string>): string | null {
  if (shown === null) return null
  if (shown.kind === 'queue') return SHOWN_QUEUE
  if (shown.kind === 'request') return shown.id
  return shown.group.payments.find(({ request }) => waitingIds.has(request.id))?.request.id ?? null
}

interface SingleProps extends Pick<ApprovalAppProps, 'onLeave' | 'senses'> {
  readonly queue: ReturnType<typeof useShownRequest>
}

/** One request, and a way to reject all of its caller. */
function Single({ queue, onLeave, senses }: SingleProps) {
  const { waiting, waitingCount, request, isWaiting, setShown } = queue
  if (request === undefined) return null
  const others = waiting.filter(({ id }) => id !== request.id)
  const fromCaller = waiting.filter(({ caller }) => callerKey(caller) === callerKey(request.caller)).length
  return (
    <ApprovalView
      key={request.id}
      request={request}
      isWaiting={isWaiting}
      waitingCount={waitingCount}
      position={Math.max(0, waiting.indexOf(request)) + 1}
      onNext={() => (others.length > 0 ? setShown(nextOf(others, request)) : onLeave())}
      onQueue={() => setShown({ kind: 'queue' })}
      fromCaller={fromCaller}
      {...(senses === undefined ? {} : { senses })}
    />
  )
}

/** After a request: the next one of the same caller, riskiest first; else the only other one; else all of them. */
function nextOf(others: readonly RequestView[], last: RequestView | null): Shown {
  const [first] = others
  if (others.length === 1 && first !== undefined) return { kind: 'request', id: first.id }
  const key = last === null ? null : callerKey(last.caller)
  const next = callerGroups(others).find((group) => group.key === key)?.requests[0]
  return next === undefined ? { kind: 'queue' } : { kind: 'request', id: next.id }
}

/**
 * What is on the screen: a request until it is finished and was read, or until the user picks something else. New
 * requests replace nothing; only where nothing is shown yet, several appear as a list.
 */
function useShownRequest(requestedId: string | null) {
  const { clock } = useEnvironment()
  const waiting = useSigner(selectWaiting)
  const waitingCount = useSigner(selectWaitingCount)
  const [shown, setShown] = useState<Shown | null>(null)
  const [readId, setReadId] = useState<string | null>(null)
  const request = useSigner(selectSeen(shown?.kind === 'request' ? shown.id : null))
  const requested = waiting.find(({ id }) => id === requestedId)
  const isNothing = shown === null || (shown.kind === 'request' && request === undefined)
  // Chosen during the render, so that no new request can replace the one on the screen.
  if (isNothing && waiting.length > 0)
    setShown(requested === undefined ? nextOf(waiting, null) : { kind: 'request', id: requested.id })
  if (shown?.kind === 'queue' && waiting.length < 2) setShown(waiting.length === 0 ? null : nextOf(waiting, null))

  const isWaiting = request !== undefined && waiting.some(({ id }) => id === request.id)
  const others = waiting.filter(({ id }) => id !== request?.id)
  const finishedId = request === undefined || isWaiting ? null : request.id
  useEffect(() => {
    if (finishedId === null) return
    const timer = clock.setTimeout(() => setReadId(finishedId), NEXT_AFTER_MS)
    return () => timer.dispose()
  }, [clock, finishedId])
  if (finishedId !== null && finishedId === readId && others.length > 0 && request !== undefined)
    setShown(nextOf(others, request))
  return { waiting, waitingCount, shown, request, isWaiting, setShown }
}
