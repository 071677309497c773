// What is known about a pool: how fast it answers, what it accepted, since when it is used and why.
import { SECOND_MS } from '../../../../base/time'
import type { PoolView } from '../../../../contract/pools'
import { WhyButton } from '../../components/layout/Card'
import { Stat, Stats } from '../../components/layout/Stat'
import { ForeignText } from '../../components/values/HexText'
import { milliseconds } from '../../format/milliseconds'
import { useFormat, useText } from '../../i18n/text'
import { useNow, useOperation } from '../../state/environment'
import { Age } from '../../widgets/facts/Age'
import { Value } from '../../widgets/facts/Value'
import styles from './Pools.module.css'
import { usePoolWhy } from './PoolWhy'

/** Only of the pool that is mined on, or was: a pool that waits has none. */
export function PoolFigures({ pool }: { readonly pool: PoolView }) {
  const t = useText()
  const format = useFormat()
  const why = usePoolWhy(pool)
  const { index, shares, latency, difficulty, active } = pool
  const poolHead = useOperation(({ poolHead: known }) => known?.delays ?? null)
  const hasMined = shares.accepted + shares.rejected + shares.lost > 0
  if (!active && latency === null && !hasMined) return null
  const notes = [
    shares.rejected > 0 ? t('ui.pools.rejectedCount', { rejected: shares.rejected }) : '',
    shares.lost > 0 ? t('ui.pools.lost', { lost: shares.lost }) : '',
  ]
  return (
    <>
      <Stats>
        <Stat
          label={<WhyButton {...why.button('poolShares')}>{t('ui.pools.shares')}</WhyButton>}
          unit={notes.filter((note) => note !== '').join(', ')}
          testId={`pool-shares-${index}`}
        >
          {format.text('count', shares.accepted)}
        </Stat>
        {latency !== null && (
          <Stat
            label={<WhyButton {...why.button('poolLatency')}>{t('ui.pools.latency')}</WhyButton>}
            unit={t('ui.pools.latencyMost', { most: milliseconds(format, latency.p95Ms) })}
          >
            <span data-testid={`pool-latency-${index}`} data-value={latency.medianMs}>
              {milliseconds(format, latency.medianMs)}
            </span>
          </Stat>
        )}
        {active && poolHead !== null && (
          <Stat label={t('ui.pools.freshWork')}>{milliseconds(format, poolHead.p50Ms)}</Stat>
        )}
        {difficulty !== null && (
          <Stat label={<WhyButton {...why.button('poolDifficulty')}>{t('ui.overview.jobDifficulty')}</WhyButton>}>
            <Value kind="difficulty" value={difficulty} testId={`pool-difficulty-${index}`} />
          </Stat>
        )}
      </Stats>
      {why.row}
    </>
  )
}

/** How often it was tried since it last worked, and when it is tried again. */
export function NextTry({ pool: { tries, nextTryAt } }: { readonly pool: PoolView }) {
  const t = useText()
  const now = useNow()
  if (tries === 0 || nextTryAt === null) return null
  return (
    <p className={styles.fault}>
      {t('ui.pools.tries', { count: tries, seconds: Math.max(0, Math.ceil((nextTryAt - now) / SECOND_MS)) })}
    </p>
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
