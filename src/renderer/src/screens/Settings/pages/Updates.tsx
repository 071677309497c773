// Which version this is, whether there is a newer one, and what became of it: found, downloaded, verified, waiting for a start.
import type { UpdatesView } from '../../../../../contract/program/updates'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { useApp, useNow, useSigner } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { selectWaitingCount } from '../../../state/stores/signer-store'
import { Button } from '../../../widgets/controls/Button'
import styles from '../Settings.module.css'
import { useBuild } from './use-build'
import { type UpdatesDesk, useUpdates } from './use-updates'

export function Updates() {
  const t = useText()
  const version = useApp((state) => state.info?.version ?? '')
  const canControl = useApp(selectCanControl)
  const build = useBuild()
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
  const desk = useUpdates()
  const { view, reason } = desk
  const now = useNow()
  const format = useFormat()
  if (view === null) return null
  const { check, lookedAt, failure, found, waiting, work } = view
  const isNewest = lookedAt !== null && found === null && failure === '' && waiting === null && work === null
  const fault = reason === '' ? failure : reason
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
      {waiting !== null && <Waiting view={view} desk={desk} />}
      {found !== null && waiting?.version !== found.version && <Found found={found} desk={desk} />}
      {work !== null && <Work work={work} />}
      {isNewest && <p data-testid="update-newest">{t('ui.update.newest')}</p>}
      {fault !== '' && work === null && (
        <p className={styles.bad} role="alert" data-testid="update-failed">
          {t('ui.update.failed', { reason: fault })}
        </p>
      )}
      <Look view={view} desk={desk} />
    </div>
  )
}

interface PartProps {
  readonly view: UpdatesView
  readonly desk: UpdatesDesk
}

function Look({ view: { check, hasAddress, work }, desk }: PartProps) {
  const t = useText()
  if (check === 'never') return <p className={styles.reason}>{t('ui.update.off')}</p>
  if (!hasAddress) return <p className={styles.reason}>{t('ui.update.noAddress')}</p>
  return (
    <div>
      <Button
        data-testid="update-look"
        needsContact
        isBusy={desk.isBusy || work !== null}
        onClick={() => void desk.look()}
      >
        {t('ui.update.look')}
      </Button>
    </div>
  )
}

function Found({ found, desk }: { readonly found: NonNullable<UpdatesView['found']>; readonly desk: UpdatesDesk }) {
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
      {desk.view?.work === null && (
        <Button
          variant="primary"
          data-testid="update-fetch"
          needsContact
          isBusy={desk.isBusy}
          onClick={() => void desk.fetch()}
        >
          {t('ui.update.fetch', { version })}
        </Button>
      )}
    </div>
  )
}

function Work({ work: { kind, doneBytes, totalBytes } }: { readonly work: NonNullable<UpdatesView['work']> }) {
  const t = useText()
  const format = useFormat()
  const percent = format.text('percent', totalBytes === 0 ? null : (100 * doneBytes) / totalBytes)
  return (
    <p role="status" data-testid="update-work">
      {t(`ui.update.work.${kind}`, { percent })}
    </p>
  )
}

function Waiting({ view: { waiting, isAutomatic, folder }, desk }: PartProps) {
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
      <Button data-testid="update-forget" needsContact isBusy={desk.isBusy} onClick={() => void desk.forget()}>
        {t('ui.update.forget')}
      </Button>
    </div>
  )
}
