// Entries of the audit log, newest first.

import { AddressText, ForeignText, HashText } from '../../components/values/HexText'
import { isAddress } from '../../format/bytes-text'
import { type Text, useLanguage } from '../../i18n/text'
import { useCall } from '../../state/answers/use-answer'
import { useEnvironment } from '../../state/environment'
import { ErrorState, Skeleton } from '../../widgets/facts/States'
import styles from './Accounts.module.css'

export type AuditState = ReturnType<typeof useAudit>

/** Read once, and again on demand. @param address null = of all accounts */
export function useAudit(address: string | null, count: number) {
  const { value, reason, retry } = useCall('signer.audit', { count, address })
  return { rows: value?.rows ?? null, error: reason, reload: () => void retry() }
}

export function AuditRows({ rows, error, reload }: AuditState) {
  const { t, format } = useLanguage()
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
            <ForeignText text={[typeText(type, t), kind].filter((word) => word !== '').join(' ')} />
          </span>
          <span>
            {isAddress(who) ? <AddressText address={who} form="short" /> : <ForeignText text={who.slice(0, 100)} />}
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

/** What the signer writes down; the log of a newer program may know more, which are shown as they are. */
const types = [
  'request',
  'decision',
  'result',
  'refused',
  'ruling',
  'created',
  'imported',
  'passwordChanged',
  'exported',
  'backedUp',
  'forgotten',
  'deviceAccount',
  'device',
  'unlocked',
  'locked',
  'approvedByConfiguration',
  'settings',
  'damaged',
  'repaired',
] as const

function typeText(type: string, t: Text): string {
  const known = types.find((each) => each === type)
  return known === undefined ? type : t(`ui.audit.type.${known}`)
}
