// What will be written, the same as a command line, and the result.
import type { ReactNode } from 'react'
import { type Text, useText } from '../../i18n/text'
import type { Restart } from '../../state/use-restart'
import { type Change, commandLineOf } from '../../state/welcome-plan'
import { FirstShare } from './FirstShare'
import { NoWindowNote } from './NoWindowNote'
import type { FinishState } from './use-finish'
import type { Planning } from './use-plan'
import styles from './Welcome.module.css'

interface SummaryStepProps {
  readonly planning: Planning
  readonly changes: readonly Change[]
  readonly state: FinishState
  readonly restart: Restart
}

export function SummaryStep({ planning: { plan }, changes, state, restart }: SummaryStepProps): ReactNode {
  const t = useText()
  if (state.kind === 'done')
    return (
      <>
        <p role="status" data-testid="welcome-done">
          {doneText(state.restart, restart, t)}
        </p>
        {(!state.restart || restart.state === 'idle') && <FirstShare />}
      </>
    )
  const needsPool = plan.work === 'pool' && !changes.some(({ key }) => key === 'pool.urls')
  const needsAccount = plan.network !== 'practice' && plan.work === 'solo' && plan.coinbase === ''
  return (
    <>
      <p>{t(changes.length === 0 ? 'ui.welcome.nothingToWrite' : 'ui.welcome.toWrite')}</p>
      {changes.length > 0 && (
        <ul className={styles.list} data-testid="welcome-changes">
          {changes.map(({ key, flag, value, shown = value }) => (
            <li key={key}>
              <code>
                --{flag} {shown}
              </code>
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && <p className={styles.text}>{t('ui.welcome.willRestart')}</p>}
      <NoWindowNote network={plan.network} />
      {needsPool && <p className={styles.warning}>{t('ui.welcome.needsPool')}</p>}
      {needsAccount && <p className={styles.warning}>{t('ui.welcome.needsAccount')}</p>}
      <p className={styles.text}>{t('ui.welcome.commandLine')}</p>
      <pre className={styles.command} data-testid="welcome-command">
        {commandLineOf(changes)}
      </pre>
      {state.kind === 'failed' && (
        <p className={styles.warning} role="alert">
          {t('ui.welcome.failed', { flag: state.flag, reason: state.reason })}
        </p>
      )}
    </>
  )
}

/** The state of the program after Start. */
function doneText(needsRestart: boolean, { state, reason }: Restart, t: Text): string {
  if (needsRestart && state === 'asked') return t('ui.welcome.restarting')
  if (needsRestart && state === 'refused') return t('ui.welcome.doneRestart', { reason })
  return t('ui.welcome.done')
}
