// One sentence about the state of everything, and what needs attention, worst first.
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type Text, useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useFleet, useMiner } from '../../state/environment'
import { type HealthFinding, type HealthSummary, isAlarm } from '../../state/health'
import { selectIsOpen } from '../../state/stores/app-store'
import { selectIsMonitor, selectSilentRigs } from '../../state/stores/fleet-store'
import { selectMiningCount } from '../../state/stores/miner-store'
import { useHealth } from '../../state/use-health'
import { isTrouble, joinedReasonText } from '../../widgets/facts/pause-reason'
import { StatePill } from '../../widgets/facts/StatePill'
import { Skeleton } from '../../widgets/facts/States'
import { useAge } from '../../widgets/facts/Value'
import styles from './Overview.module.css'

const MAX_CHIPS = 5
const tones = {
  ok: 'ok',
  preparing: 'info',
  waiting: 'info',
  unproven: 'info',
  attention: 'warn',
  problem: 'danger',
} as const
const marks = {
  ok: 'ok',
  preparing: 'building',
  waiting: 'waiting',
  unproven: 'waiting',
  attention: 'attention',
  problem: 'error',
} as const

/** A banner on every screen says it, with the button that leads there; more alarms are listed below. */
function isSaidAbove(finding: HealthFinding): boolean {
  return finding.id === 'health.approval-waiting' || isAlarm(finding)
}

export function HealthLine() {
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const { findings, summary, count, isKnown } = useHealth()
  const chips = findings.filter((finding) => !isSaidAbove(finding))
  // A monitor knows what its rigs say; its own miner is off and silent.
  const isMonitor = useFleet(selectIsMonitor)
  const readAt = useFleet((state) => state.rigs?.takenAt ?? null)
  const silentRigs = useFleet(selectSilentRigs)
  const ownReadAt = useMiner((state) => state.status?.takenAt ?? null)
  const late = useAge(isMonitor ? readAt : ownReadAt)
  if (findings.length === 0 && !isKnown) return <Skeleton lines={1} />
  // What was well then may not be now.
  const isLate = isOpen && late !== null && summary !== 'problem'
  const isUnheard = isMonitor && silentRigs > 0 && summary === 'ok'
  const shown = isOpen && !isLate ? (isUnheard ? 'unproven' : summary) : 'attention'
  return (
    <div className={styles.health} data-testid="health" data-state={shown}>
      <StatePill tone={tones[shown]} mark={marks[shown]}>
        <span role="status">
          {isLate
            ? t('ui.health.late', { age: late })
            : isOpen
              ? isUnheard
                ? t('ui.health.rigsSilent', { count: silentRigs })
                : sentence(summary, count, t)
              : t('ui.health.noContact')}
        </span>
      </StatePill>
      <MinerSentence />
      {chips.length > 0 && (
        <div className={styles.chips}>
          {chips.slice(0, MAX_CHIPS).map((finding) => (
            <Chip key={`${finding.id} ${finding.values.index ?? ''} ${finding.values.name ?? ''}`} finding={finding} />
          ))}
          {chips.length > MAX_CHIPS && (
            <span className={styles.hint}>{t('ui.health.more', { count: chips.length - MAX_CHIPS })}</span>
          )}
        </div>
      )}
    </div>
  )
}

/** What the miner does now. Screen readers don't follow its changes: the page's own announcements say what matters. */
function MinerSentence() {
  const t = useText()
  const format = useFormat()
  const status = useMiner((state) => state.status)
  const count = useMiner((state) => state.devices?.devices.length ?? 0)
  const mining = useMiner(selectMiningCount)
  if (status === null || count === 0) return null
  const { source, hashrate } = status
  const isPool = source.kind === 'pool'
  if (status.state === 'off') return null
  return (
    <span className={styles.sentence} data-testid="miner-sentence">
      {mining === 0
        ? t('ui.overview.notMining', { count })
        : t(isPool ? 'ui.overview.miningPool' : 'ui.overview.miningSolo', {
            mining,
            count,
            hashrate: format.text('hashrate', hashrate.now),
            host: isPool ? source.host : '',
          })}
    </span>
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
      <span>{t(`ui.${finding.id}`, spokenValues(finding, t))}</span>
    </a>
  )
}

/** Translates what are the API's terms: the trouble of a pool, and the reasons of a paused device. */
function spokenValues({ id, values }: HealthFinding, t: Text): HealthFinding['values'] {
  const { trouble = '' } = values
  if (id === 'health.pool-trouble' && isTrouble(trouble)) return { what: t(`ui.trouble.${trouble}`) }
  return id === 'health.gpu-paused' ? { ...values, reason: joinedReasonText(String(values.reason), t) } : values
}

function sentence(summary: HealthSummary, count: number, t: Text): string {
  return t(`ui.health.${summary}`, { count })
}
