// Callers of the signer: when last seen, how often allowed and denied, and a button that blocks one for a day.
import { Unplug } from 'lucide-react'
import { useState } from 'react'
import type { KnownCallerView } from '../../../../contract/signer-tools'
import { Because, Card, WhyButton } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useLanguage, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useCanApprove, useEnvironment, useNow, useSigner } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { EmptyState } from '../../widgets/facts/States'
import { Age, Value } from '../../widgets/facts/Value'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'
import styles from './Accounts.module.css'

export function Callers() {
  const t = useText()
  const canApprove = useCanApprove()
  const callers = useSigner((state) => state.callers)
  if (!canApprove) return null
  return (
    <Card title={t('ui.callers.title')} testId="callers">
      {callers.length === 0 ? (
        <EmptyState icon={Unplug} title={t('ui.callers.none')} />
      ) : (
        <>
          <p className={styles.asOf}>{t('ui.callers.text')}</p>
          <ul className={styles.watched}>
            {callers.map((caller) => (
              <CallerRow key={caller.id} caller={caller} />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

function CallerRow({ caller }: { readonly caller: KnownCallerView }) {
  const { t, format } = useLanguage()
  const now = useNow()
  const { backend } = useEnvironment()
  const { run, failure } = useAttempt()
  const { id, firstSeenAt, lastSeenAt, blockedUntil } = caller
  const isBlocked = blockedUntil !== null && now < blockedUntil
  const name = useCallerName(caller)
  return (
    <li data-testid={`caller-${id}`} data-state={isBlocked ? 'blocked' : 'heard'}>
      <span className={styles.party}>
        <strong>
          <ForeignText text={name} />
        </strong>
        <CallerDetails caller={caller} />
      </span>
      <span>
        {t('ui.callers.firstSeen')} <time title={format.instant(firstSeenAt)}>{format.dayTime(firstSeenAt, now)}</time>
      </span>
      <span>
        {t('ui.callers.lastSeen')} <Age time={lastSeenAt} />
      </span>
      <Counts caller={caller} />
      {isBlocked ? (
        <>
          <span className={styles.bad}>{t('ui.callers.blocked', { time: format.dayTime(blockedUntil, now) })}</span>
          <Button
            size="small"
            needsContact
            aria-label={`${t('ui.callers.undo')}: ${name}`}
            data-testid={`unblock-${id}`}
            onClick={() => run(() => backend.call('signer.unblockCaller', { id }))}
          >
            {t('ui.callers.undo')}
          </Button>
        </>
      ) : (
        <Button
          size="small"
          variant="dangerQuiet"
          needsContact
          aria-label={`${t('ui.callers.block')}: ${name}`}
          data-testid={`block-${id}`}
          onClick={() => run(() => backend.call('signer.blockCaller', { id }))}
        >
          {t('ui.callers.block')}
        </Button>
      )}
      <Failure text={failure} />
    </li>
  )
}

/** How often it was allowed and rejected; pressed, since when. */
function Counts({ caller }: { readonly caller: KnownCallerView }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const { id, allowed, denied } = caller
  return (
    <div data-testid={`caller-counts-${id}`}>
      <WhyButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
        {t('ui.callers.counts', { allowed, denied })}
      </WhyButton>
      {isOpen && (
        <Because>
          <CountsWhy caller={caller} />
        </Because>
      )}
    </div>
  )
}

function CountsWhy({ caller: { allowed, denied, firstSeenAt } }: { readonly caller: KnownCallerView }) {
  const { t, format } = useLanguage()
  const rows: readonly WhyRow[] = [
    { label: t('ui.why.row.allowed'), value: <Value kind="count" value={allowed} /> },
    { label: t('ui.why.row.denied'), value: <Value kind="count" value={denied} /> },
    { label: t('ui.why.row.sum'), value: <Value kind="count" value={allowed + denied} />, isResult: true },
  ]
  return <WhyText of="callerCounts" values={{ from: format.moment(firstSeenAt) }} rows={rows} />
}

/** What identifies it: its page, its program, or its own claim. */
function useCallerName({ origin, process, userAgent, transport }: KnownCallerView): string {
  const t = useText()
  const known = [origin, process, userAgent].find((text) => text !== '')
  return known ?? t(transport === 'ipc' ? 'ui.callers.unknownSocket' : 'ui.callers.unknown')
}

function CallerDetails({ caller }: { readonly caller: KnownCallerView }) {
  const t = useText()
  const { transport, host, origin, process, path, userAgent } = caller
  const how = transport === 'ipc' ? t('ui.callers.socket') : t('ui.callers.http', { host })
  const told = origin === '' && process === '' ? '' : userAgent
  return (
    <span className={styles.asOf}>
      {how}
      {process !== '' && origin !== '' && (
        <>
          {' · '}
          <ForeignText text={process} />
        </>
      )}
      {path !== '' && (
        <>
          {' · '}
          <ForeignText text={path} />
        </>
      )}
      {told !== '' && (
        <>
          {' · '}
          {t('ui.callers.saysItIs')} <ForeignText text={told.slice(0, 120)} />
        </>
      )}
    </span>
  )
}
