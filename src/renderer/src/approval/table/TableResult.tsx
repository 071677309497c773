// The outcome of a table of payments: how many were signed, and why the others were not.
import { CircleCheck, CircleX } from 'lucide-react'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import styles from '../Approval.module.css'
import type { ApprovalPhase } from '../machine'
import { NextButton } from '../NextButton'
import type { RowOutcomes } from './decide-table'

/** Different reasons that are shown. */
const REASONS_SHOWN = 5

interface TableResultProps {
  readonly phase: ApprovalPhase
  readonly message: string
  readonly outcomes: RowOutcomes
  readonly waitingCount: number
  readonly onNext: () => void
}

export function TableResult({ phase, message, outcomes, waitingCount, onNext }: TableResultProps) {
  const t = useText()
  const signed = outcomes.filter(({ state }) => state === 'signed').length
  const others = outcomes.filter(({ state }) => state !== 'signed')
  const reasons = [...new Set(others.map(({ error }) => error).filter((error) => error !== ''))].slice(0, REASONS_SHOWN)
  const Icon = phase === 'done' ? CircleCheck : CircleX
  const tone = phase === 'done' ? styles.resultOk : phase === 'refused' ? styles.resultPlain : styles.resultBad
  return (
    <footer className={styles.footer}>
      <div className={`${styles.result} ${tone}`} role="status" data-testid="approval-result">
        <Icon aria-hidden="true" />
        <div>
          {phase === 'refused' && <p>{t('ui.approval.refused')}</p>}
          {phase !== 'refused' && outcomes.length > 0 && (
            <p>{t('ui.together.result', { signed, others: others.length })}</p>
          )}
          {phase === 'failed' && outcomes.length === 0 && <p>{t('ui.approval.failed')}</p>}
          {phase === 'failed' && outcomes.length === 0 && message === '' && (
            <p className={styles.note}>{t('ui.approval.noAnswer')}</p>
          )}
          {[message, ...reasons].map(
            (text) =>
              text !== '' && (
                <p key={text} className={styles.note}>
                  <ForeignText text={text} />
                </p>
              ),
          )}
        </div>
      </div>
      <div className={styles.buttons}>
        <NextButton waitingCount={waitingCount} onNext={onNext} />
      </div>
    </footer>
  )
}
