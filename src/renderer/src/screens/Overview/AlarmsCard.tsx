// What is wrong besides the alarm in the bar above, worst first, and what was wrong recently; alarms can be acknowledged
// here.
import { BellRing, Check, CircleAlert, TriangleAlert } from 'lucide-react'
import { Card } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { type Alarm, type PastAlarm, selectUnseen } from '../../state/alarms/alarms'
import { useAlarms, useEnvironment } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { alarmText } from '../../widgets/facts/AlarmText'
import styles from './Overview.module.css'

const PAST_SHOWN = 5

/** Renders nothing if there is nothing more to report. */
export function AlarmsCard() {
  const t = useText()
  const inBar = useAlarms((state) => selectUnseen(state)[0]?.id)
  const active = useAlarms((state) => state.active).filter(({ id }) => id !== inBar)
  const past = useAlarms((state) => state.past).slice(0, PAST_SHOWN)
  if (active.length === 0 && past.length === 0) return null
  return (
    <Card title={t(inBar === undefined ? 'ui.alarms.title' : 'ui.alarms.more')} testId="alarms" className={styles.wide}>
      {inBar === undefined && active.length === 0 && <p className={styles.hint}>{t('ui.alarms.none')}</p>}
      <ul className={styles.alarms}>
        {active.map((alarm) => (
          <ActiveAlarm key={alarm.id} alarm={alarm} />
        ))}
        {past.map((alarm) => (
          <OverAlarm key={`${alarm.id} ${alarm.raisedAt}`} alarm={alarm} />
        ))}
      </ul>
    </Card>
  )
}

function ActiveAlarm({ alarm }: { readonly alarm: Alarm }) {
  const t = useText()
  const format = useFormat()
  const { alarms } = useEnvironment().stores
  const text = alarmText(alarm, t)
  const Icon = alarm.isAcknowledged ? BellRing : alarm.level === 'problem' ? CircleAlert : TriangleAlert
  return (
    <li className={styles.alarm} data-testid={`alarm-${alarm.kind}`} data-state={alarm.level}>
      <Icon aria-hidden="true" className={styles[alarm.level]} />
      <a href={hrefOf(alarm.route)}>
        <ForeignText text={text} />
      </a>
      <span className={styles.hint}>{t('ui.alarms.since', { time: format.timeOfDay(alarm.raisedAt) })}</span>
      {alarm.isAcknowledged ? (
        <span className={styles.hint}>{t('ui.alarms.acknowledged')}</span>
      ) : (
        <Button
          size="small"
          aria-label={t('ui.alarms.acknowledgeOne', { what: text })}
          data-testid={`alarm-acknowledge-${alarm.kind}`}
          onClick={() => alarms.acknowledge([alarm.id])}
        >
          {t('ui.alarms.acknowledge')}
        </Button>
      )}
    </li>
  )
}

function OverAlarm({ alarm }: { readonly alarm: PastAlarm }) {
  const t = useText()
  const format = useFormat()
  const [from, to] = [format.timeOfDay(alarm.raisedAt), format.timeOfDay(alarm.endedAt)]
  return (
    <li className={styles.alarm} data-testid="alarm-past">
      <Check aria-hidden="true" />
      <span className={styles.hint}>
        <ForeignText text={alarmText(alarm, t)} />
      </span>
      <span className={styles.hint}>{t('ui.common.range', { from, to })}</span>
      <span className={styles.hint}>{t('ui.alarms.past')}</span>
    </li>
  )
}
