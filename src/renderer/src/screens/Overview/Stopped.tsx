// In place of the income while a problem stops it: since when, what it costs, and one action for each cause.

import { Stat, Stats } from '../../components/layout/Card'
import { useLanguage, useText } from '../../i18n/text'
import { useMiner, useOperation } from '../../state/environment'
import { selectOpen } from '../../state/incidents'
import { useDayBounds, useMoney } from '../../state/money/use-money'
import { selectTotalWatts } from '../../state/stores/program-store'
import { MinerValue } from '../../widgets/devices/WrittenValue'
import { IncidentRow, lostText } from '../../widgets/incidents/IncidentRow'
import { missingText } from './Income'
import styles from './Stopped.module.css'

/** Rows; the sheet lists all. */
const MAX_ROWS = 3

export function Stopped({ since }: { readonly since: number }) {
  const { t, format } = useLanguage()
  const open = useOperation(selectOpen).filter(({ level }) => level !== 'note')
  const money = useMoney(useDayBounds('today'))
  const lost = open.reduce<bigint | null>(
    (sum, { income }) => (sum === null || income.value === null ? null : sum + BigInt(income.value)),
    0n,
  )
  const figure = lost === null ? null : format.laxLost(lost)
  const today = money?.whole.total.income ?? null
  const expected = money?.whole.total.expectedIncome ?? null
  return (
    <>
      <section className={styles.alarm} role="alert" data-testid="stopped">
        <div className={styles.top}>
          <h2>{t('ui.stopped.title', { time: format.when(since, money?.takenAt ?? since) })}</h2>
          {figure !== null && (
            <p className={styles.lost}>
              <b>{figure.number}</b>
              <span className={styles.unit}>{t('ui.stopped.lost')}</span>
            </p>
          )}
        </div>
        <ul>
          {open.slice(0, MAX_ROWS).map((incident, place) => (
            <IncidentRow key={incident.id} incident={incident} now={money?.takenAt ?? since} isFirst={place === 0} />
          ))}
        </ul>
      </section>
      <section className={styles.stats} aria-label={t('ui.money.label')}>
        <Stats>
          <Stat label={t('ui.overview.earnedToday')} testId="earned-today">
            {today === null ? '–' : today.value === null ? missingText(today, t) : lostText(today, format)}
          </Stat>
          <Stat label={t('ui.stopped.expected')}>
            {expected === null ? '–' : expected.value === null ? missingText(expected, t) : lostText(expected, format)}
          </Stat>
          <Power />
        </Stats>
      </section>
    </>
  )
}

function Power() {
  const t = useText()
  const hasPower = useMiner((state) => selectTotalWatts(state) !== null)
  if (!hasPower) return null
  return (
    <Stat label={t('ui.gpus.power')}>
      <MinerValue kind="watts" read={selectTotalWatts} testId="total-power" />
    </Stat>
  )
}
