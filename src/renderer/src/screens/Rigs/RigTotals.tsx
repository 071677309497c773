// Totals of all rigs. Sums count those that are online, and say how many are missing.
import { type ReactNode, useState } from 'react'
import type { RigsView, RigView } from '../../../../contract/rigs'
import { Because, WhyButton } from '../../components/layout/Card'
import { type TextKey, useText } from '../../i18n/text'
import { useOperation } from '../../state/environment'
import { efficiencyOfRig, hasNumbers, known } from '../../state/stores/program-store'
import { Shares } from '../../widgets/facts/Shares'
import { Value } from '../../widgets/facts/Value'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'
import styles from './Rigs.module.css'

export function RigTotals() {
  const t = useText()
  const rigs = useOperation((state) => state.rigs)
  const [explained, setExplained] = useState<RigFigure | null>(null)
  if (rigs === null) return null
  const { online, rigs: count, gpus, paused, powerWatts } = rigs.totals
  const unmetered = unmeteredOf(rigs)
  const notes = [
    ...(online < count ? [t('ui.rigs.missing', { count: count - online })] : []),
    ...(paused > 0 ? [t('ui.rigs.paused', { paused, count: gpus })] : []),
    ...(powerWatts > 0 && unmetered > 0 ? [t('ui.rigs.unmetered', { count: unmetered })] : []),
  ]
  return (
    <section className={styles.totals} aria-label={t('ui.rigs.total', { online, count })} data-testid="rigs-totals">
      <p className={styles.soft}>{[t('ui.rigs.total', { online, count }), ...notes].join(' · ')}</p>
      <dl>
        {figuresOf(rigs).map(([of, label, value]) => (
          <div key={of}>
            <dt>
              <WhyButton isOpen={explained === of} onToggle={() => setExplained(explained === of ? null : of)}>
                {t(label)}
              </WhyButton>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {explained !== null && (
        <div className={styles.because}>
          <Because>
            <RigsWhy of={explained} />
          </Because>
        </div>
      )}
    </section>
  )
}

/** How many devices of the rigs that are online don't report their power: it and the efficiency leave them out. */
const unmeteredOf = ({ rigs }: RigsView): number =>
  rigs.reduce(
    (sum, { online, figures }) =>
      sum + (online ? (figures?.gpus ?? []).filter(({ powerWatts }) => known(powerWatts) === null).length : 0),
    0,
  )

function figuresOf({ totals, takenAt }: RigsView): readonly (readonly [RigFigure, TextKey, ReactNode])[] {
  const { hashrate, powerWatts, meteredHashrate, gpus, shares } = totals
  const watts = known(powerWatts)
  const effective = known(hashrate.effective)
  const efficiency = watts === null ? null : meteredHashrate / watts
  return [
    [
      'rigsRate',
      'ui.chart.hashrate',
      <Value key="s60" kind="hashrate" value={hashrate.s60} takenAt={takenAt} size="lead" testId="rigs-hashrate" />,
    ],
    ['rigsEffective', 'ui.gpus.effective', <Value key="effective" kind="hashrate" value={effective} size="lead" />],
    ['rigsPower', 'ui.gpus.power', <Value key="power" kind="watts" value={watts} size="lead" testId="rigs-power" />],
    [
      'rigsEfficiency',
      'ui.gpus.efficiency',
      <Value key="efficiency" kind="efficiency" value={efficiency} size="lead" />,
    ],
    ['rigsGpus', 'ui.gpus.title', <Value key="gpus" kind="count" value={gpus} size="lead" testId="rigs-gpus" />],
    ['rigsShares', 'ui.gpus.shares', <Shares key="shares" {...shares} size="lead" />],
  ]
}

type RigFigure = 'rigsRate' | 'rigsEffective' | 'rigsPower' | 'rigsEfficiency' | 'rigsGpus' | 'rigsShares'

type Figures = NonNullable<RigView['figures']>

const PARTS: Readonly<Record<RigFigure, (rig: RigView, figures: Figures) => ReactNode>> = {
  rigsRate: (_rig, figures) => <Value kind="hashrate" value={hasNumbers(figures) ? figures.hashrate.s60 : null} />,
  rigsEffective: (_rig, { hashrate }) => <Value kind="hashrate" value={known(hashrate.effective)} />,
  rigsPower: (_rig, { powerWatts }) => <Value kind="watts" value={known(powerWatts)} />,
  rigsEfficiency: (rig) => <Value kind="efficiency" value={efficiencyOfRig(rig)} />,
  rigsGpus: (_rig, { gpus }) => <Value kind="count" value={gpus.length} />,
  rigsShares: (_rig, { shares }) => <Shares {...shares} />,
}

function RigsWhy({ of }: { readonly of: RigFigure }) {
  const t = useText()
  const rigs = useOperation((state) => state.rigs?.rigs ?? NONE)
  const rows: readonly WhyRow[] = rigs.map((rig) => ({
    label: rig.name,
    isForeign: true,
    value: rig.online && rig.figures !== null ? PARTS[of](rig, rig.figures) : t('ui.why.row.offline'),
  }))
  return <WhyText of={of} rows={rows} />
}

const NONE: readonly RigView[] = []
