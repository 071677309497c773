// The queue of approvals: one at a time, oldest first. A request stays on the screen until the user is done with it.
// Similar payments from one caller can be reviewed together, as a table.

import { ShieldCheck } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { callerKey } from '../../../base/limits/caller-key'
import { useText } from '../i18n/text'
import { useEnvironment, useSigner } from '../state/environment'
import { selectSeen, selectWaiting, selectWaitingCount } from '../state/stores/signer-store'
import { Button } from '../widgets/controls/Button'
import { EmptyState } from '../widgets/facts/States'
import styles from './Approval.module.css'
import { ApprovalView } from './ApprovalView'
import type { ApprovalSenses } from './machine-hooks'
import { Queue } from './Queue'
import { QuietBar } from './QuietBar'
import { RefusedCalls } from './RefusedCalls'
import type { AlikeGroup } from './table/alike'
import { TableView } from './table/TableView'

/** After this long, the next request replaces a finished one. */
const NEXT_AFTER_MS = 2500

export interface ApprovalAppProps {
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

export function ApprovalApp({ requestedId, onLeave, onShown, senses, children }: ApprovalAppProps) {
  const t = useText()
  const queue = useShownRequest(requestedId)
  const { waiting, waitingCount, shown, setPinned } = queue
  const [group, setGroup] = useState<AlikeGroup | null>(null)
  const waitingIds = useMemo(() => new Set(waiting.map(({ id }) => id)), [waiting])
  const shownIds = useMemo(
    () => new Set(group?.payments.map(({ request }) => request.id) ?? (shown === undefined ? [] : [shown.id])),
    [group, shown],
  )
  const shownId = [...shownIds].find((id) => group === null || waitingIds.has(id)) ?? null
  useEffect(() => onShown?.(shownId), [onShown, shownId])

  const pick = (id: string | null): void => {
    setGroup(null)
    setPinned(id)
  }
  const nextAfterTable = (): void => {
    pick(waiting[0]?.id ?? null)
    if (waiting.length === 0) onLeave()
  }
  const given = senses === undefined ? {} : { senses }
  if (group === null && shown === undefined)
    return (
      <div className={styles.page} data-testid="approval-empty">
        <h1 className="visually-hidden">{t('ui.approval.heading')}</h1>
        <EmptyState
          icon={ShieldCheck}
          title={waitingCount > 0 ? t('ui.approval.atTheMachine', { count: waitingCount }) : t('ui.approval.none')}
          action={<Button onClick={onLeave}>{t('ui.common.close')}</Button>}
        />
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
      <Queue shown={shownIds} onPick={pick} onOpen={setGroup} />
      {group === null ? (
        <Single queue={queue} onLeave={onLeave} {...given} />
      ) : (
        <TableView
          key={[...shownIds].join()}
          group={group}
          waiting={waitingIds}
          waitingCount={waitingCount}
          onLeave={() => setGroup(null)}
          onPick={pick}
          onNext={nextAfterTable}
          {...given}
        />
      )}
    </div>
  )
}

interface SingleProps extends Pick<ApprovalAppProps, 'onLeave' | 'senses'> {
  readonly queue: ReturnType<typeof useShownRequest>
}

/** One request, and ways to reject several. */
function Single({ queue, onLeave, senses }: SingleProps) {
  const { backend } = useEnvironment()
  const { waiting, waitingCount, shown, isWaiting, hasOthers, setPinned } = queue
  if (shown === undefined) return null
  const next = (): void => {
    if (hasOthers) setPinned(waiting.find((request) => request.id !== shown.id)?.id ?? null)
    else onLeave()
  }
  const rejectAll = (): void => void backend.call('signer.rejectAll', {}).catch(() => undefined) // each request still shows its own outcome
  const fromCaller = waiting.filter((request) => callerKey(request.caller) === callerKey(shown.caller)).length
  const rejectCaller = (): void => void backend.call('signer.rejectFrom', { id: shown.id }).catch(() => undefined)
  return (
    <ApprovalView
      key={shown.id}
      request={shown}
      isWaiting={isWaiting}
      waitingCount={waitingCount}
      position={Math.max(0, waiting.indexOf(shown)) + 1}
      onNext={next}
      onRejectAll={rejectAll}
      fromCaller={fromCaller}
      onRejectCaller={rejectCaller}
      {...(senses === undefined ? {} : { senses })}
    />
  )
}

/** Which request is on the screen: the first one until it is finished and was read, or until the user picks another. */
function useShownRequest(requestedId: string | null) {
  const { clock } = useEnvironment()
  const waiting = useSigner(selectWaiting)
  const waitingCount = useSigner(selectWaitingCount)
  const [pinned, setPinned] = useState<string | null>(null)
  const [readId, setReadId] = useState<string | null>(null)
  const first = waiting.find((request) => request.id === requestedId) ?? waiting[0]
  const shown = useSigner(selectSeen(pinned))
  // Pinned during the render, so that no new request can replace the one on the screen.
  if (shown === undefined && first !== undefined) setPinned(first.id)

  const isWaiting = shown !== undefined && waiting.some((request) => request.id === shown.id)
  const hasOthers = waiting.some((request) => request.id !== shown?.id)
  const finishedId = shown === undefined || isWaiting ? null : shown.id
  useEffect(() => {
    if (finishedId === null) return
    const timer = clock.setTimeout(() => setReadId(finishedId), NEXT_AFTER_MS)
    return () => timer.dispose()
  }, [clock, finishedId])
  if (finishedId !== null && finishedId === readId && hasOthers) setPinned(null)
  return { waiting, waitingCount, shown, isWaiting, hasOthers, setPinned }
}
