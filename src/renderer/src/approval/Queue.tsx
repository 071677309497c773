// All waiting requests, by caller: what each wants in a few words, and one answer for all of a caller.
import { House, OctagonAlert, TerminalSquare } from 'lucide-react'
import { useMemo } from 'react'
import { ScrollRegion } from '../components/layout/ScrollRegion'
import { ForeignText } from '../components/values/HexText'
import { shortHex } from '../format/bytes-text'
import { useFormat, useText } from '../i18n/text'
import { useEnvironment, useLiveNow, useSigner } from '../state/environment'
import { selectLabel, selectWaiting, selectWaitingCount } from '../state/stores/signer-store'
import { Button } from '../widgets/controls/Button'
import { NetworkBadge } from '../widgets/facts/NetworkBadge'
import styles from './Approval.module.css'
import { type CallerGroup, callerGroups, type PreviewWords, previewOf } from './callers'
import { RejectAll } from './decision/RejectAll'
import { CallerName } from './request/CallerText'
import { type AlikeGroup, alikeGroups } from './table/alike'

/** Requests of a caller that are shown in a few words. */
const PREVIEWS = 2

interface QueueProps {
  readonly onPick: (id: string) => void
  readonly onOpen: (group: AlikeGroup) => void
}

export function Queue({ onPick, onOpen }: QueueProps) {
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
  const t = useText()
  const format = useFormat()
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
  const t = useText()
  const format = useFormat()
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
  const t = useText()
  const format = useFormat()
  const { stores } = useEnvironment()
  return {
    t,
    lax: (wei) => format.laxExact(wei),
    tokenUnits: format.tokenUnits,
    party: (address) => {
      const label = selectLabel(address)(stores.signer.getState())
      return label === '' ? shortHex(address) : label
    },
  }
}
