// One sentence on the state of everything, and what needs a look, worst first.
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { hrefOf } from '../../app/router'
import { StatePill } from '../../components/StatePill'
import { Skeleton } from '../../components/States'
import { type Text, useText } from '../../i18n/text'
import { selectIsOpen } from '../../state/app-store'
import { useApp } from '../../state/environment'
import { type HealthFinding, type HealthLevel, healthLevel } from '../../state/health'
import { useHealth } from '../../state/use-health'
import styles from './Overview.module.css'

const MAX_CHIPS = 5
const tones = { ok: 'ok', attention: 'warn', problem: 'danger' } as const
const marks = { ok: 'ok', attention: 'attention', problem: 'error' } as const

export function HealthLine() {
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const { findings, isKnown } = useHealth()
  if (findings.length === 0 && !isKnown) return <Skeleton lines={1} />
  const level = isOpen ? healthLevel(findings) : 'attention'
  return (
    <div className={styles.health} data-testid="health" data-state={level}>
      <StatePill tone={tones[level]} mark={marks[level]}>
        <span role="status">{isOpen ? sentence(level, findings.length, t) : t('ui.health.noContact')}</span>
      </StatePill>
      {findings.length > 0 && (
        <div className={styles.chips}>
          {findings.slice(0, MAX_CHIPS).map((finding) => (
            <Chip key={`${finding.id} ${finding.values.index ?? ''} ${finding.values.name ?? ''}`} finding={finding} />
          ))}
          {findings.length > MAX_CHIPS && (
            <span className={styles.hint}>{t('ui.health.more', { count: findings.length - MAX_CHIPS })}</span>
          )}
        </div>
      )}
    </div>
  )
}

function Chip({ finding }: { readonly finding: HealthFinding }) {
  const t = useText()
  const Icon = finding.level === 'problem' ? CircleAlert : TriangleAlert
  return (
    <a
      className={`${styles.chip} ${styles[finding.level]}`}
      href={hrefOf(finding.route)}
      data-testid={`health-chip-${finding.id}`}
    >
      <Icon aria-hidden="true" />
      <span>{t(`ui.${finding.id}`, finding.values)}</span>
    </a>
  )
}

function sentence(level: HealthLevel, count: number, t: Text): string {
  if (level === 'ok') return t('ui.health.ok')
  return t(level === 'problem' ? 'ui.health.problem' : 'ui.health.attention', { count })
}
