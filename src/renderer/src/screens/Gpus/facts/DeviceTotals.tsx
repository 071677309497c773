// The columns of the device table for all devices together; pressed, each shows what every device adds to it.
import { type ReactNode, useState } from 'react'
import { Because, WhyButton } from '../../../components/layout/Card'
import type { NumberKind } from '../../../format/formatter'
import { type TextKey, useText } from '../../../i18n/text'
import { useMiner } from '../../../state/environment'
import { type MinerState, selectEfficiency, selectTotalWatts } from '../../../state/stores/miner-store'
import { MinerValue } from '../../../widgets/devices/MinerValue'
import { ACCEPTED, Shares } from '../../../widgets/facts/Shares'
import { Why } from '../../../widgets/why/Why'
import type { Explained } from '../../../widgets/why/WhyText'
import { readings } from '../figures'
import styles from '../Gpus.module.css'

interface Total {
  readonly of: Explained
  readonly label: TextKey
  readonly kind: NumberKind
  readonly read: keyof typeof readings
  readonly sum: (state: MinerState) => number | null
}

/** The highest reading of all devices; null if none reports it. */
function highest(read: keyof typeof readings): Total['sum'] {
  return ({ devices }) => {
    const known = (devices?.devices ?? []).flatMap((device) => readings[read](device) ?? [])
    return known.length === 0 ? null : Math.max(...known)
  }
}

const TOTALS: readonly Total[] = [
  { of: 's60', label: 'ui.gpus.s60', kind: 'hashrate', read: 's60', sum: ({ status }) => status?.hashrate.s60 ?? null },
  { of: 'm15', label: 'ui.gpus.m15', kind: 'hashrate', read: 'm15', sum: ({ status }) => status?.hashrate.m15 ?? null },
  {
    of: 'efficiency',
    label: 'ui.gpus.efficiency',
    kind: 'efficiency',
    read: 'efficiency',
    sum: selectEfficiency,
  },
  { of: 'hottest', label: 'ui.gpus.hottest', kind: 'celsius', read: 'hottest', sum: highest('hottest') },
  { of: 'highestFan', label: 'ui.gpus.fan', kind: 'fan', read: 'fan', sum: highest('fan') },
  { of: 'powerSum', label: 'ui.gpus.power', kind: 'watts', read: 'power', sum: selectTotalWatts },
]

export function DeviceTotals() {
  const t = useText()
  const [explained, setExplained] = useState<Explained | null>(null)
  const button = (of: Explained, label: TextKey): ReactNode => (
    <dt>
      <WhyButton isOpen={explained === of} onToggle={() => setExplained(explained === of ? null : of)}>
        {t(label)}
      </WhyButton>
    </dt>
  )
  const open = TOTALS.find(({ of }) => of === explained)
  return (
    <section className={styles.totals} aria-label={t('ui.gpus.all')} data-testid="gpu-totals">
      <h2>{t('ui.gpus.all')}</h2>
      <dl>
        {TOTALS.map((total) => (
          <div key={total.of}>
            {button(total.of, total.label)}
            <dd>
              <span className={styles.reading}>
                <MinerValue kind={total.kind} read={total.sum} testId={`gpu-total-${total.of}`} />
              </span>
            </dd>
          </div>
        ))}
        <div>
          {button('shares', 'ui.gpus.shares')}
          <dd>
            <AllShares />
          </dd>
        </div>
      </dl>
      {explained !== null && (
        <div className={styles.because}>
          <Because>
            <Why
              key={explained}
              of={explained}
              parts={open === undefined ? ACCEPTED : { kind: open.kind, read: readings[open.read] }}
            />
          </Because>
        </div>
      )}
    </section>
  )
}

function AllShares() {
  const shares = useMiner(({ status }) => status?.shares ?? null)
  return shares === null ? null : <Shares {...shares} />
}
