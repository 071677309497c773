// What is known about a pool: how fast it answers, what it accepted, since when it is used and why.
import type { PoolView } from '../../../../contract/fleet'
import { WhyButton, type WhyButtonProps } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { UNKNOWN } from '../../format/formatter'
import { milliseconds } from '../../format/milliseconds'
import { useFormat, useText } from '../../i18n/text'
import { useNow } from '../../state/environment'
import { Age } from '../../widgets/facts/Age'
import { Value } from '../../widgets/facts/Value'
import styles from './Pools.module.css'

const SECOND_MS = 1_000

interface CellProps {
  readonly pool: PoolView
  /** Opens what the figure is made of. */
  readonly why: Omit<WhyButtonProps, 'children'>
}

export function LatencyCell({ pool: { latency, index }, why }: CellProps) {
  const t = useText()
  const format = useFormat()
  const label = t('ui.pools.latency')
  if (latency === null)
    return (
      <td className={styles.number} data-label={label}>
        {UNKNOWN}
      </td>
    )
  const [median, most] = [milliseconds(format, latency.medianMs), milliseconds(format, latency.p95Ms)]
  return (
    <td className={styles.number} data-label={label} title={t('ui.pools.latencyOf', { count: latency.count })}>
      <WhyButton {...why}>
        <span data-testid={`pool-latency-${index}`} data-value={latency.medianMs}>
          {median}
        </span>
      </WhyButton>
      <span className={styles.url}>{t('ui.pools.latencyMost', { most })}</span>
    </td>
  )
}

export function DifficultyCell({ pool, why }: CellProps) {
  const t = useText()
  const value = <Value kind="difficulty" value={pool.difficulty} testId={`pool-difficulty-${pool.index}`} />
  return (
    <td className={styles.number} data-label={t('ui.overview.jobDifficulty')}>
      {pool.difficulty === null ? value : <WhyButton {...why}>{value}</WhyButton>}
    </td>
  )
}

export function SharesCell({ pool: { shares, index, state }, why }: CellProps) {
  const t = useText()
  const format = useFormat()
  const { accepted, rejected, lost } = shares
  const label = t('ui.pools.shares')
  if (state === 'planned')
    return (
      <td className={styles.number} data-label={label}>
        {UNKNOWN}
      </td>
    )
  const words = t('ui.pools.sharesWords', { accepted, rejected, lost })
  return (
    <td className={styles.number} data-label={label} data-testid={`pool-shares-${index}`}>
      <WhyButton {...why}>
        <span title={words}>
          <span aria-hidden="true">{`${format.text('count', accepted)}/${format.text('count', rejected)}`}</span>
          <span className="visually-hidden">{words}</span>
        </span>
      </WhyButton>
      {lost > 0 && (
        <span className={styles.url} aria-hidden="true">
          {t('ui.pools.lost', { lost })}
        </span>
      )}
    </td>
  )
}

/** Since when it is connected, and why it became the active one. */
export function SinceLines({ pool: { connectedAt, lastSwitch, index } }: { readonly pool: PoolView }) {
  const t = useText()
  return (
    <>
      {connectedAt !== null && <Connected since={connectedAt} index={index} />}
      {lastSwitch !== null && (
        <p className={styles.fault} data-testid={`pool-last-switch-${index}`} data-state={lastSwitch.cause}>
          {t('ui.pools.lastSwitch')} <Age time={lastSwitch.at} />
          {': '}
          <ForeignText text={switchText(lastSwitch, t)} />
        </p>
      )}
    </>
  )
}

function Connected({ since, index }: { readonly since: number; readonly index: number }) {
  const t = useText()
  const format = useFormat()
  const seconds = Math.max(0, (useNow() - since) / SECOND_MS)
  return (
    <p className={styles.fault} data-testid={`pool-since-${index}`} title={format.instant(since)}>
      {t('ui.pools.connectedFor', { duration: format.text('duration', seconds) })}
    </p>
  )
}

function switchText(
  { cause, from, reason }: NonNullable<PoolView['lastSwitch']>,
  t: ReturnType<typeof useText>,
): string {
  if (cause === 'failed' && reason !== '') return t('ui.pools.switchFailedOver', { from, reason })
  return t(`ui.pools.switchCause.${cause}`, { from })
}
