// The version, and the state of its update: found, downloaded, verified, waiting for a restart.

import { useEffect } from 'react'
import type { UpdatesView } from '../../../../../contract/program/updates'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { useFormat, useLanguage, useText } from '../../../i18n/text'
import { useAttempt, useCall } from '../../../state/answers/use-answer'
import { useApp, useCanControl, useEnvironment, useNow, useSigner } from '../../../state/environment'
import { selectWaitingCount } from '../../../state/stores/signer-store'
import { Button, Failure } from '../../../widgets/controls/Button'
import { AnswerState } from '../../../widgets/facts/States'
import styles from '../Settings.module.css'

/** Height of two facts and a button, reserved until it is known what there is. */
const NEWER_PX = 97

export function Updates() {
  const t = useText()
  const version = useApp((state) => state.info?.version ?? '')
  const canControl = useCanControl()
  const build = useCall('app.build', {}).value
  return (
    <Card title={t('ui.settings.page.updates')} testId="updates">
      <Facts>
        <Fact label={t('ui.settings.version')}>{version}</Fact>
        <Fact label={t('ui.settings.build')}>
          <code>{build === null ? t('ui.settings.notKnown') : build.build || t('ui.settings.fromSources')}</code>
        </Fact>
      </Facts>
      {canControl && <Newer />}
      <p>{t('ui.settings.updatesNone')}</p>
      <p>{t('ui.settings.updatesHow')}</p>
    </Card>
  )
}

function Newer() {
  const t = useText()
  const updates = useUpdates()
  const { view, reason } = updates
  const now = useNow()
  const format = useFormat()
  if (view === null) return <AnswerState answer={updates.answer} failed="ui.update.unknown" heightPx={NEWER_PX} />
  const { check, lookedAt, failure, found, waiting, work } = view
  const isNewest = lookedAt !== null && found === null && failure === '' && waiting === null && work === null
  const fault = reason === '' && failure !== '' ? t('ui.update.failed', { reason: failure }) : reason
  return (
    <div className={styles.cards} data-testid="newer">
      <Facts>
        <Fact label={t('ui.update.checks')}>{t(`ui.update.check.${check}`)}</Fact>
        <Fact label={t('ui.update.lookedAt')}>
          {lookedAt === null
            ? t('ui.update.neverLooked')
            : t('ui.common.ago', { duration: format.text('duration', Math.max(0, now - lookedAt) / 1000) })}
        </Fact>
      </Facts>
      {waiting !== null && <Waiting view={view} updates={updates} />}
      {found !== null && waiting?.version !== found.version && <Found found={found} updates={updates} />}
      {work !== null && <Work work={work} />}
      {isNewest && <p data-testid="update-newest">{t('ui.update.newest')}</p>}
      {work === null && <Failure text={fault} testId="update-failed" />}
      <Look view={view} updates={updates} />
    </div>
  )
}

interface PartProps {
  readonly view: UpdatesView
  readonly updates: UpdateActions
}

function Look({ view: { check, hasAddress, work }, updates }: PartProps) {
  const t = useText()
  if (check === 'never') return <p className={styles.reason}>{t('ui.update.off')}</p>
  if (!hasAddress) return <p className={styles.reason}>{t('ui.update.noAddress')}</p>
  return (
    <div>
      <Button data-testid="update-look" needsContact isBusy={updates.isBusy || work !== null} onClick={updates.look}>
        {t('ui.update.look')}
      </Button>
    </div>
  )
}

function Found({
  found,
  updates,
}: {
  readonly found: NonNullable<UpdatesView['found']>
  readonly updates: UpdateActions
}) {
  const t = useText()
  const { version, changes } = found
  return (
    <div data-testid="update-found">
      <p>{t('ui.update.found', { version })}</p>
      <ul className={styles.changes}>
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {updates.view?.work === null && (
        <Button
          variant="primary"
          data-testid="update-fetch"
          needsContact
          isBusy={updates.isBusy}
          onClick={updates.fetch}
        >
          {t('ui.update.fetch', { version })}
        </Button>
      )}
    </div>
  )
}

function Work({ work: { kind, doneBytes, totalBytes } }: { readonly work: NonNullable<UpdatesView['work']> }) {
  const { t, format } = useLanguage()
  const percent = format.text('percent', totalBytes === 0 ? null : (100 * doneBytes) / totalBytes)
  return (
    <p role="status" data-testid="update-work">
      {t(`ui.update.work.${kind}`, { percent })}
    </p>
  )
}

function Waiting({ view: { waiting, isAutomatic, folder }, updates }: PartProps) {
  const t = useText()
  const requests = useSigner(selectWaitingCount)
  const version = waiting?.version ?? ''
  return (
    <div data-testid="update-waits" role="status">
      <p>
        {t(isAutomatic ? 'ui.update.waits' : 'ui.update.waitsManual', { version })}{' '}
        {!isAutomatic && folder !== null && <code>{folder}</code>}
      </p>
      {requests > 0 && <p className={styles.danger}>{t('ui.update.approval')}</p>}
      <Button data-testid="update-forget" needsContact isBusy={updates.isBusy} onClick={updates.forget}>
        {t('ui.update.forget')}
      </Button>
    </div>
  )
}

const ASK_MS = 1_000

type UpdateActions = ReturnType<typeof useUpdates>

function useUpdates() {
  const { backend, clock } = useEnvironment()
  const answer = useCall('app.updates', {})
  const { value: view, retry } = answer
  const { isBusy, failure: reason, run } = useAttempt()
  const isWorking = view !== null && view.work !== null
  useEffect(() => {
    if (!isWorking) return
    const asking = clock.setInterval(() => void retry(), ASK_MS)
    return () => asking.dispose()
  }, [clock, isWorking, retry])
  const then = (work: Promise<unknown>): void => run(() => work.finally(retry), 'ui.update.failed')
  return {
    view,
    answer,
    reason,
    isBusy,
    look: () => then(backend.call('app.updateLook', {})),
    fetch: () => then(backend.call('app.updateFetch', {})),
    forget: () => then(backend.call('app.updateForget', {})),
  }
}
