// What happened lately, newest first.
import { CircleAlert, Info, ScrollText, TriangleAlert } from 'lucide-react'
import type { ActivityView } from '../../../../contract/app'
import { Age } from '../../components/Age'
import { Card } from '../../components/Card'
import { ForeignText } from '../../components/HexText'
import { EmptyState, Skeleton } from '../../components/States'
import { useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import { Screen } from '../Screen'
import styles from './Activity.module.css'

const icons = { info: Info, warn: TriangleAlert, error: CircleAlert } as const

export function Activity() {
  const t = useText()
  const entries = useApp((state) => state.activity)
  return (
    <Screen title={t('ui.nav.activity')}>
      {entries === null && <Skeleton lines={8} />}
      {entries !== null && entries.length === 0 && <EmptyState icon={ScrollText} title={t('ui.activity.none')} />}
      {entries !== null && entries.length > 0 && (
        <Card title={t('ui.activity.events')} isFlush>
          <ol className={styles.list} data-testid="log-view">
            {[...entries].reverse().map((entry) => (
              <Entry key={`${entry.at} ${entry.module} ${entry.text}`} entry={entry} />
            ))}
          </ol>
        </Card>
      )}
    </Screen>
  )
}

function Entry({ entry }: { readonly entry: ActivityView }) {
  const t = useText()
  const Icon = icons[entry.level]
  return (
    <li className={`${styles.entry} ${styles[entry.level]}`} data-testid="log-row" data-state={entry.level}>
      <Icon aria-hidden="true" />
      <span className="visually-hidden">{t(`ui.level.${entry.level}`)}</span>
      <span className={styles.module}>{entry.module}</span>
      <span className={styles.text}>
        <ForeignText text={entry.text} />
      </span>
      <span className={styles.time}>
        <Age time={entry.at} />
      </span>
    </li>
  )
}
