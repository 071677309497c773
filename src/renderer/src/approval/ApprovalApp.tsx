// Approvals: one request at a time, until the user is done with it, all of them by caller, or similar ones as a table.
import { House, OctagonAlert, ShieldCheck, TerminalSquare } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { callerKey } from '../../../base/limits/caller-key'
import { SHOWN_QUEUE } from '../../../contract/contract'
import type { RequestView } from '../../../contract/signer'
import { ScrollRegion } from '../components/layout/ScrollRegion'
import { ForeignText } from '../components/values/HexText'
import { shortHex } from '../format/bytes-text'
import { useLanguage, useText } from '../i18n/text'
import { useEnvironment, useLiveNow, useSigner } from '../state/environment'
import { selectLabel, selectSeen, selectWaiting, selectWaitingCount } from '../state/stores/signer-store'
import { Button } from '../widgets/controls/Button'
import { NetworkBadge } from '../widgets/facts/NetworkBadge'
import { EmptyState } from '../widgets/facts/States'
import styles from './Approval.module.css'
import { ApprovalView } from './ApprovalView'
import { type CallerGroup, callerGroups, type PreviewWords, previewOf } from './callers'
import { RejectAll } from './decision/RejectAll'
import type { ApprovalSenses } from './machine-hooks'
import { QuietBar } from './QuietBar'
import { RefusedCalls } from './RefusedCalls'
import { CallerName } from './request/CallerText'
import { type AlikeGroup, alikeGroups } from './table/alike'
import { TableView } from './table/TableView'

/** After this long, the next request replaces a finished one. */
const NEXT_AFTER_MS = 2500

interface ApprovalAppProps {
  /** The request to begin with; null or unknown = the oldest. */
  readonly requestedId: string | null
  readonly onLeave: () => void
  readonly children?: ReactNode
  /** Called with the request's id whenever another one is on the screen; null = none. */
  readonly onShown?: (id: string | null) => void
  readonly senses?: ApprovalSenses
}

type Shown =
  | { readonly kind: 'request'; readonly id: string }
  | { readonly kind: 'table'; readonly group: AlikeGroup }
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

/** Requests of a caller that are shown in a few words. */
const PREVIEWS = 2

interface QueueProps {
  readonly onPick: (id: string) => void
  readonly onOpen: (group: AlikeGroup) => void
}

/** All waiting requests, by caller: what each wants in a few words, and one answer for all of a caller. */
function Queue({ onPick, onOpen }: QueueProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const waiting = useSigner(selectWaiting)
  // Of one caller only so many are shown at a time: the others wait, too, and are rejected with them.
  const count = Math.max(waiting.length, useSigner(selectWaitingCount))
  const groups = useMemo(() => callerGroups(waiting), [waiting])
  return (
    <div className={styles.frame} data-testid="approval-list">
      <header className={styles.head}>
        <div className={styles.headText}>
          <h1 data-testid="approval-queue">{t('ui.queue.title', { count })}</h1>
          <Since callers={groups.length} oldest={waiting[0]?.createdAt ?? 0} />
          {count > waiting.length && (
            <p className={styles.note}>{t('ui.queue.further', { count: count - waiting.length })}</p>
          )}
        </div>
        <NetworkBadge />
      </header>
      <ScrollRegion className={styles.groups} label={t('ui.queue.title', { count })}>
        {groups.map((group) => (
          <Group key={group.key} group={group} onPick={onPick} onOpen={onOpen} />
        ))}
      </ScrollRegion>
      <footer className={styles.queueFoot}>
        <span className={styles.note}>{t('ui.queue.atOnce')}</span>
        <RejectAll scope="all" count={count} onRejectAll={() => backend.call('signer.rejectAll', {})} />
      </footer>
    </div>
  )
}

function Since({ callers, oldest }: { readonly callers: number; readonly oldest: number }) {
  const { t, format } = useLanguage()
  const seconds = Math.max(0, Math.floor((useLiveNow() - oldest) / 1000))
  return <p className={styles.note}>{t('ui.queue.from', { callers, age: format.text('duration', seconds) })}</p>
}

interface GroupProps extends Pick<QueueProps, 'onPick' | 'onOpen'> {
  readonly group: CallerGroup
}

const icons = { own: House, risky: OctagonAlert, plain: TerminalSquare } as const

function Group({ group, onPick, onOpen }: GroupProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const { caller, requests, worst } = group
  const [first] = requests
  const alike = useMemo(() => alikeGroups(requests), [requests])
  if (first === undefined) return null
  const isOwn = caller.transport === 'app'
  const kind = isOwn ? 'own' : worst === 'CRITICAL' ? 'risky' : 'plain'
  const Icon = icons[kind]
  return (
    <section className={styles.group} data-state={kind} data-testid="approval-group">
      <span className={styles.callerIcon}>
        <Icon aria-hidden="true" />
      </span>
      <CallerName caller={caller} as="h2" />
      <b className={styles.groupCount}>{requests.length}</b>
      <div className={styles.groupText}>
        <OtherNames group={group} />
        <Sorts group={group} />
        <Previews group={group} />
      </div>
      <div className={styles.groupActions}>
        {!isOwn && requests.length > 1 && (
          <RejectAll
            scope="caller"
            count={requests.length}
            onRejectAll={() => backend.call('signer.rejectFrom', { id: first.id })}
          />
        )}
        {alike.map((each) => (
          <Button key={each.key} data-testid="approval-together" onClick={() => onOpen(each)}>
            {t('ui.together.line', { count: each.payments.length })}
          </Button>
        ))}
        <Button variant={isOwn ? 'primary' : 'normal'} data-testid="approval-open" onClick={() => onPick(first.id)}>
          {t(requests.length > 1 ? 'ui.queue.review' : 'ui.queue.open')}
        </Button>
      </div>
    </section>
  )
}

/** Characters of a name that a program gave itself. */
const MAX_NAME = 40
/** Names shown besides the first one that a program gave itself. */
const OTHER_NAMES = 3

/** A program that changes its name is still one caller. */
function OtherNames({ group: { caller, requests } }: { readonly group: CallerGroup }) {
  const t = useText()
  const names = [...new Set(requests.map(({ caller: { userAgent } }) => userAgent))]
  const others = names.filter((name) => name !== '' && name !== caller.userAgent)
  if (others.length === 0) return null
  const shown = others.slice(0, OTHER_NAMES).map((name) => name.slice(0, MAX_NAME))
  return (
    <p className={styles.note} data-testid="approval-other-names">
      {t('ui.queue.otherNames', { count: others.length })}{' '}
      <ForeignText text={`${shown.join(', ')}${others.length > OTHER_NAMES ? ', …' : ''}`} />
    </p>
  )
}

/** `9 payments, 55 address requests, 0.18 LAX`. */
function Sorts({ group: { sorts, value } }: { readonly group: CallerGroup }) {
  const { t, format } = useLanguage()
  return (
    <p>
      {sorts.map(([sort, count]) => t(`ui.queue.sort.${sort}`, { count })).join(format.separator)}
      {value > 0n && (
        <>
          {format.separator}
          <b>{format.laxExact(value)}</b>
        </>
      )}
    </p>
  )
}

function Previews({ group: { requests } }: { readonly group: CallerGroup }) {
  const words = usePreviewWords()
  const lines = requests
    .slice(0, PREVIEWS)
    .map((request) => ({ id: request.id, text: previewOf(request, words) }))
    .filter(({ text }) => text !== '')
  return lines.map(({ id, text }) => (
    <p key={id} className={styles.preview}>
      <ForeignText text={text} />
    </p>
  ))
}

function usePreviewWords(): PreviewWords {
  const { t, format } = useLanguage()
  const { stores } = useEnvironment()
  return {
    t,
    lax: (wei) => format.laxExact(wei),
    everyDigit: format.everyDigit,
    party: (address) => {
      const label = selectLabel(address)(stores.signer.getState())
      return label === '' ? shortHex(address) : label
    },
  }
}
