// Checks the chain database and rebuilds its indexes; only at the computer itself. Stops the node for it.
import { useState } from 'react'
import type { DatabaseJobView } from '../../../../contract/node-control'
import { Card } from '../../components/layout/Card'
import { type Text, useLanguage, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useEnvironment, useMiner, useNode } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { ConfirmDialog } from '../../widgets/controls/ConfirmDialog'
import styles from './Node.module.css'

export function DatabaseCheck() {
  const t = useText()
  const { backend } = useEnvironment()
  const isHere = useNode((state) => state.control?.canNameFiles ?? false)
  const job = useNode((state) => state.control?.database ?? null)
  const [isAsking, setAsking] = useState(false)
  const { failure, run } = useAttempt()
  const check = (): void => run(() => backend.call('node.checkDatabase', {}))
  if (!isHere) return null
  return (
    <Card title={t('ui.node.database')} testId="database-check">
      <p className={styles.soft}>{t('ui.node.databaseText')}</p>
      {job !== null && <Job job={job} />}
      <Failure text={failure} />
      {job?.state !== 'running' && (
        <div className={styles.buttons}>
          <Button needsContact data-testid="database-ask" onClick={() => setAsking(true)}>
            {t('ui.node.databaseCheck')}
          </Button>
        </div>
      )}
      {isAsking && <Question onConfirm={check} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function Question({ onConfirm, onClose }: { readonly onConfirm: () => void; readonly onClose: () => void }) {
  const t = useText()
  const head = useNode((state) => state.head?.head?.number ?? null)
  const isSolo = useMiner(({ status }) => status?.source.kind === 'solo')
  return (
    <ConfirmDialog
      title={t('ui.node.databaseTitle')}
      action={t('ui.node.databaseCheck')}
      isDanger
      testId="database-dialog"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {t('ui.node.databaseStops', { count: (head ?? 0) + 1 })} {isSolo && t('ui.node.stopSolo')}
      </p>
      <p>{t('ui.node.databaseLong')}</p>
    </ConfirmDialog>
  )
}

function Job({ job }: { readonly job: DatabaseJobView }) {
  const t = useText()
  const { backend } = useEnvironment()
  const { state, stage, share, damage } = job
  const { failure, run } = useAttempt()
  const name = t(`ui.node.databaseStage.${stage}`)
  if (state === 'running')
    return (
      <section className={styles.job} data-testid="database-job" data-state={state} aria-label={name}>
        <p>
          {name} <TimeLeft job={job} />
        </p>
        <progress className={styles.jobBar} value={share} aria-label={name} />
        <div className={styles.buttons}>
          <Button
            size="small"
            needsContact
            data-testid="database-cancel"
            onClick={() => run(() => backend.call('node.cancelCheck', {}))}
          >
            {t('ui.common.cancel')}
          </Button>
        </div>
        <Failure text={failure} />
      </section>
    )
  return (
    <section className={styles.job} data-testid="database-job" data-state={state} aria-label={t('ui.node.database')}>
      <p role="status" className={state === 'damaged' || state === 'failed' ? styles.bad : undefined}>
        {endText(job, t)}
      </p>
      {damage.length > 0 && (
        <ul>
          {damage.map((place) => (
            <li key={place}>
              <code className={styles.wraps}>{place}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Share of verified blocks from which the remaining time is estimated. */
const KNOWN_SHARE = 0.02

function TimeLeft({ job: { stage, share, startedAt } }: { readonly job: DatabaseJobView }) {
  const { t, format } = useLanguage()
  const takenAt = useNode((state) => state.control?.takenAt ?? 0)
  if (stage !== 'blocks' || share < KNOWN_SHARE) return null
  const seconds = Math.max(1, Math.round((((takenAt - startedAt) / 1000) * (1 - share)) / share))
  return <span className={styles.soft}>{t('ui.node.databaseLeft', { time: format.text('duration', seconds) })}</span>
}

function endText({ state, blocks, faults, error }: DatabaseJobView, t: Text): string {
  switch (state) {
    case 'whole':
      return t('ui.node.databaseWhole', { count: blocks })
    case 'mended':
      return t('ui.node.databaseMended', { count: faults })
    case 'damaged':
      return t('ui.node.databaseDamaged', { count: faults })
    case 'failed':
      return t('ui.node.databaseFailed', { reason: error })
    default:
      return t('ui.node.databaseCancelled')
  }
}
