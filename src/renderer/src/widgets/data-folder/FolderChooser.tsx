// Chooses another data folder, by the system's dialog or by its path; the restart that follows moves it.

import { useState } from 'react'
import type { FolderCheckView } from '../../../../contract/program/data-folder'
import { TextField } from '../../components/forms/TextField'
import { Fact, Facts } from '../../components/layout/Card'
import { useLanguage, useText } from '../../i18n/text'
import { useAttempt, useCall, useRestart } from '../../state/answers/use-answer'
import { useApp, useEnvironment } from '../../state/environment'
import { selectIsHere } from '../../state/stores/program-store'
import { Button, Failure } from '../controls/Button'
import { RestartDialog } from '../controls/RestartDialog'
import { Skeleton } from '../facts/States'
import styles from './FolderChooser.module.css'

/** Height of a field with its name, reserved until it is known how to choose. */
const CHOOSE_PX = 60

export function FolderChooser() {
  const t = useText()
  const isHere = useApp(selectIsHere)
  if (!isHere) return <p className={styles.muted}>{t('ui.folder.elsewhere')}</p>
  return <Chooser />
}

function Chooser() {
  const choice = useFolder()
  const { view, checked, reason } = choice
  const [isAsking, setAsking] = useState(false)
  const restart = useRestart()
  if (view === null) return <Skeleton lines={2} heightPx={CHOOSE_PX} />
  const isWaiting = view.change?.failed === ''
  return (
    <div className={styles.chooser} data-testid="folder-chooser">
      {view.change !== null && <Wish choice={choice} change={view.change} onRestart={() => setAsking(true)} />}
      {!isWaiting && <Choose choice={choice} />}
      {!isWaiting && checked !== null && <Verdict choice={choice} checked={checked} onWished={() => setAsking(true)} />}
      <Failure text={reason} />
      <Failure text={restart.reason} />
      {isAsking && <RestartDialog onConfirm={() => void restart.ask()} onClose={() => setAsking(false)} />}
    </div>
  )
}

interface WishProps {
  readonly choice: FolderChoice
  readonly change: NonNullable<NonNullable<FolderChoice['view']>['change']>
  readonly onRestart: () => void
}

/** What the next start will do, or why the last one didn't. */
function Wish({ choice: { wish, isBusy }, change: { to, kind, failed }, onRestart }: WishProps) {
  const t = useText()
  const isWaiting = failed === ''
  return (
    <div className={styles.wish} data-testid="folder-wish" role="status">
      <p className={isWaiting ? undefined : styles.warn}>
        {isWaiting
          ? t(`ui.folder.next.${kind}`, { folder: to })
          : t('ui.folder.failed', { folder: to, reason: failed })}
      </p>
      <div className={styles.buttons}>
        {isWaiting && (
          <Button variant="primary" needsContact isBusy={isBusy} data-testid="folder-restart" onClick={onRestart}>
            {t('ui.restart.now')}
          </Button>
        )}
        <Button needsContact isBusy={isBusy} data-testid="folder-keep" onClick={() => void wish(null)}>
          {t(isWaiting ? 'ui.folder.keep' : 'ui.common.close')}
        </Button>
      </div>
    </div>
  )
}

function Choose({ choice: { view, isBusy, check, pick } }: { readonly choice: FolderChoice }) {
  const t = useText()
  const [path, setPath] = useState('')
  if (view?.canPick === true) {
    return (
      <div>
        <Button data-testid="folder-pick" needsContact isBusy={isBusy} onClick={pick}>
          {t('ui.folder.choose')}
        </Button>
      </div>
    )
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (path.trim() !== '') check(path.trim())
      }}
    >
      <TextField label={t('ui.folder.path')} value={path} onChange={setPath} isMono data-testid="folder-path" />
      <Button type="submit" data-testid="folder-check" needsContact isBusy={isBusy}>
        {t('ui.folder.check')}
      </Button>
    </form>
  )
}

interface VerdictProps {
  readonly choice: FolderChoice
  readonly checked: FolderCheckView
  readonly onWished: () => void
}

function Verdict({ choice: { wish, check, isBusy }, checked, onWished }: VerdictProps) {
  const { t, format } = useLanguage()
  const { folder, verdict, detail, freeBytes, neededBytes, isNetworkDrive, instead } = checked
  const kind = verdict === 'move' || verdict === 'use' ? verdict : null
  const take = async (): Promise<void> => {
    if (await wish(folder)) onWished()
  }
  return (
    <div className={styles.verdict} data-testid="folder-verdict" data-state={verdict} role="status">
      <Facts>
        <Fact label={t('ui.settings.folder')}>
          <code className={styles.path}>{folder}</code>
        </Fact>
        <Fact label={t('ui.settings.freeRoom')}>{format.text('bytes', freeBytes)}</Fact>
      </Facts>
      <p className={kind === null ? styles.bad : undefined}>{t(`ui.folder.verdict.${verdict}`, { detail })}</p>
      {neededBytes > 0 && <p>{t('ui.folder.copied', { size: format.text('bytes', neededBytes) })}</p>}
      {isNetworkDrive === true && <p className={styles.warn}>{t('ui.settings.networkDrive')}</p>}
      {kind !== null && (
        <div>
          <Button variant="primary" data-testid="folder-take" needsContact isBusy={isBusy} onClick={() => void take()}>
            {t(`ui.folder.take.${kind}`)}
          </Button>
        </div>
      )}
      {instead !== null && (
        <div>
          <Button data-testid="folder-instead" needsContact isBusy={isBusy} onClick={() => check(instead)}>
            {t('ui.folder.instead', { folder: instead })}
          </Button>
        </div>
      )}
    </div>
  )
}

type FolderChoice = ReturnType<typeof useFolder>

function useFolder() {
  const { backend } = useEnvironment()
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  const { value: view, retry } = useCall('app.dataFolder', {}, { mark: startedAt })
  const [checked, setChecked] = useState<FolderCheckView | null>(null)
  const { isBusy, failure: reason, attempt, run } = useAttempt()
  const look = async (folder: string): Promise<void> => setChecked(await backend.call('app.checkFolder', { folder }))
  const check = (folder: string): void => run(() => look(folder))
  const pick = (): void =>
    run(
      async () => {
        const { folder } = await backend.call('app.pickFolder', {})
        if (folder !== null) await look(folder)
      },
      undefined,
      true,
    )
  const change = async (folder: string | null): Promise<void> => {
    await backend.call('app.changeFolder', { folder })
    setChecked(null)
    await retry()
  }
  const wish = (folder: string | null): Promise<boolean> => attempt(() => change(folder), undefined, folder !== null)
  return { view, checked, isBusy, reason, check, pick, wish }
}
