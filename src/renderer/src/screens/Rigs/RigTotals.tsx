// Totals of all rigs. Sums count those that are online, and say how many are missing.
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useFleet } from '../../state/environment'
import { Value } from '../../widgets/facts/Value'
import { Shares } from '../Overview/MinerCards'
import styles from './Rigs.module.css'

export function RigTotals() {
  const t = useText()
  const totals = useFleet((state) => state.rigs?.totals ?? null)
  const takenAt = useFleet((state) => state.rigs?.takenAt ?? null)
  if (totals === null) return null
  const { online, rigs, hashrate, powerWatts, meteredHashrate, gpus, paused, shares } = totals
  const watts = powerWatts > 0 ? powerWatts : null
  const notes = [
    ...(online < rigs ? [t('ui.rigs.missing', { count: rigs - online })] : []),
    ...(paused > 0 ? [t('ui.rigs.paused', { paused, count: gpus })] : []),
  ]
  const figures = [
    [
      'ui.gpus.s60',
      <Value key="s60" kind="hashrate" value={hashrate.s60} takenAt={takenAt} size="lead" testId="rigs-hashrate" />,
    ],
    [
      'ui.gpus.effective',
      <Value key="effective" kind="hashrate" value={hashrate.effective > 0 ? hashrate.effective : null} size="lead" />,
    ],
    ['ui.gpus.power', <Value key="power" kind="watts" value={watts} size="lead" testId="rigs-power" />],
    [
      'ui.gpus.efficiency',
      <Value key="efficiency" kind="efficiency" value={watts === null ? null : meteredHashrate / watts} size="lead" />,
    ],
    ['ui.gpus.title', <Value key="gpus" kind="count" value={gpus} size="lead" testId="rigs-gpus" />],
    ['ui.gpus.shares', <Shares key="shares" {...shares} />],
  ] as const
  return (
    <Card
      title={t('ui.rigs.total', { online, count: rigs })}
      testId="rigs-totals"
      aside={<span className={styles.soft}>{notes.join(' · ')}</span>}
    >
      <dl className={styles.totals}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
