// Entries of the signer's record, newest first.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { AuditRowView } from '../../../../contract/signer-desk'
import { ForeignText, HashText } from '../../components/HexText'
import { ErrorState, Skeleton } from '../../components/States'
import { useFormat, useText } from '../../i18n/text'
import { useAsking, useEnvironment } from '../../state/environment'
import styles from './Accounts.module.css'

export interface AuditState {
  readonly rows: readonly AuditRowView[] | null
  readonly error: string
  readonly reload: () => void
}

/** Asked for once, and again on demand. @param address null = of all accounts */
export function useAudit(address: string | null, count: number): AuditState {
  const { backend } = useEnvironment()
  const [rows, setRows] = useState<readonly AuditRowView[] | null>(null)
  const [error, setError] = useState('')
  const reload = useCallback((): undefined => {
    backend.call('signer.audit', { count, address }).then(
      (answer) => {
        setRows(answer.rows)
        setError('')
      },
      (reason: unknown) => setError(messageOf(reason)),
    )
  }, [backend, address, count])
  useAsking(reload)
  return { rows, error, reload }
}

export function AuditRows({ rows, error, reload }: AuditState) {
  const t = useText()
  const format = useFormat()
  const { clock } = useEnvironment()
  if (error !== '') return <ErrorState title={t('ui.audit.failed')} reason={error} onRetry={reload} />
  if (rows === null) return <Skeleton lines={5} />
  if (rows.length === 0) return <p className={styles.asOf}>{t('ui.audit.none')}</p>
  return (
    <ol className={styles.rows} data-testid="audit-rows">
      {rows.map(({ seq, time, type, kind, who, summary, transactionHash, hash }) => (
        <li key={seq} data-testid="audit-row" data-state={type}>
          <code>{seq}</code>
          <time title={format.instant(time)}>{format.dayTime(time, clock.now())}</time>
          <span className={styles.tag}>
            <ForeignText text={[type, kind].filter((word) => word !== '').join(' ')} />
          </span>
          <span>
            <ForeignText text={who.slice(0, 100)} />
          </span>
          <span>
            <ForeignText text={summary.slice(0, 300)} />
          </span>
          {transactionHash !== null && <HashText hex={transactionHash} href={`#/node/tx/${transactionHash}`} />}
          <code className={styles.asOf}>{hash.slice(0, 8)}</code>
        </li>
      ))}
    </ol>
  )
}
