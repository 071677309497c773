// What the signer and this program say about a request: critical first, in the reader's language where its words are known.
import { Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ForeignText } from '../../components/values/HexText'
import { recognized } from '../../i18n/said'
import { type Text, useText } from '../../i18n/text'
import { Button } from '../controls/Button'
import styles from './SeverityList.module.css'

export type Severity = 'CRITICAL' | 'WARNING' | 'Info'

export interface Finding {
  /** As reported; any word other than the three counts as CRITICAL. */
  readonly severity: string
  readonly message: string
  /** True for this program's own check. */
  readonly isOwn?: boolean
}

/** Characters of a message shown before "Show all". */
const MESSAGE_LIMIT = 2000

const order: readonly Severity[] = ['CRITICAL', 'WARNING', 'Info']
const icons = { CRITICAL: OctagonAlert, WARNING: TriangleAlert, Info } as const
const keys = {
  CRITICAL: 'ui.severity.critical',
  WARNING: 'ui.severity.warning',
  Info: 'ui.severity.info',
} as const

/** Unknown words rank worst. */
export function severityOf(word: string): Severity {
  return order.find((severity) => severity === word) ?? 'CRITICAL'
}

/** CRITICAL, WARNING, Info; the given order within one severity. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return order.flatMap((severity) => findings.filter((finding) => severityOf(finding.severity) === severity))
}

/** For the reader; verbatim if its words aren't known. */
export function findingText({ message, isOwn }: Finding, t: Text): string {
  return isOwn === true ? message : (recognized(t, message) ?? message)
}

interface SeverityListProps {
  readonly findings: readonly Finding[]
  /** Number of the first one, if a list is shown in parts. */
  readonly from?: number
}

export function SeverityList({ findings, from = 0 }: SeverityListProps) {
  const t = useText()
  if (findings.length === 0) return null
  return (
    <ul className={styles.list} aria-label={t('ui.severity.list')}>
      {findings.map((finding, index) => (
        <SeverityItem key={`${finding.severity} ${finding.message}`} finding={finding} index={from + index} />
      ))}
    </ul>
  )
}

function SeverityItem({ finding, index }: { readonly finding: Finding; readonly index: number }) {
  const t = useText()
  const [isWhole, setWhole] = useState(false)
  const severity = severityOf(finding.severity)
  const Icon = icons[severity]
  const text = useMemo(() => findingText(finding, t), [finding, t])
  const isCut = text.length > MESSAGE_LIMIT && !isWhole
  return (
    <li
      className={`${styles.item} ${styles[severity]}`}
      data-testid={`approval-severity-${index}`}
      data-state={severity}
    >
      <Icon aria-hidden="true" />
      <div className={styles.text}>
        <strong>{t(keys[severity])}</strong>{' '}
        <ForeignText text={isCut ? text.slice(0, MESSAGE_LIMIT) : text} keepLines />
        {finding.isOwn === true && <span className={styles.source}> {t('ui.severity.own')}</span>}
        {isCut && (
          // Of what is critical or a warning, nothing may stay unread.
          <div {...(severity === 'Info' ? {} : { 'data-cut': '' })}>
            <Button size="small" onClick={() => setWhole(true)}>
              {t('ui.severity.showAll', { count: text.length })}
            </Button>
          </div>
        )}
      </div>
    </li>
  )
}
