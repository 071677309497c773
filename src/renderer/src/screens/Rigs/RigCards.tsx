// Shown in place of the miner when this program only monitors: all rigs together, and those that need attention.
import { ArrowRight } from 'lucide-react'
import { Card } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useOperation } from '../../state/environment'
import { RigState } from './RigState'
import styles from './Rigs.module.css'
import { RigTotals } from './RigTotals'

/** The rigs screen lists the rest. */
const MAX_SHOWN = 8

export function RigCards() {
  const t = useText()
  const rigs = useOperation((state) => state.rigs?.rigs ?? [])
  const away = rigs.filter((rig) => !rig.online)
  return (
    <>
      <RigTotals />
      <Card
        title={t('ui.rigs.offline')}
        testId="rigs-away"
        aside={
          <a className={styles.more} href={hrefOf('/rigs')}>
            {t('ui.rigs.all')}
            <ArrowRight aria-hidden="true" />
          </a>
        }
      >
        {away.length === 0 && <p className={styles.soft}>{t('ui.rigs.noneAway')}</p>}
        {away.length > 0 && (
          <ul className={styles.away}>
            {away.slice(0, MAX_SHOWN).map((rig) => (
              <li key={rig.name}>
                <a href={hrefOf(`/rigs/${encodeURIComponent(rig.name)}`)}>
                  <ForeignText text={rig.name} />
                </a>
                <div>
                  <RigState rig={rig} />
                </div>
              </li>
            ))}
          </ul>
        )}
        {away.length > MAX_SHOWN && (
          <p className={styles.soft}>{t('ui.rigs.awayMore', { count: away.length - MAX_SHOWN })}</p>
        )}
      </Card>
    </>
  )
}
