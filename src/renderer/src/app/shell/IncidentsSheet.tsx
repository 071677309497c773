// Everything that is wrong now, and what was wrong lately.
import { BellRing, Check, CheckCircle2, CircleAlert, TriangleAlert } from 'lucide-react'
import { Sheet } from '../../components/layout/Modal'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { type Alarm, type PastAlarm, selectUnseen } from '../../state/alarms/alarms'
import { useAlarms, useEnvironment } from '../../state/environment'
import { isAlarm } from '../../state/health'
import { useHealth } from '../../state/use-health'
import { Button } from '../../widgets/controls/Button'
import { alarmText } from '../../widgets/facts/AlarmText'
import styles from './IncidentsSheet.module.css'
import { findingText } from './status-items'

const PAST_SHOWN = 20

export function IncidentsSheet({ onClose }: { readonly onClose: () => void }) {
  const t = useText()
  const { alarms } = useEnvironment().stores
  const unseen = useAlarms(selectUnseen)
  const active = useAlarms((state) => state.active)
  const past = useAlarms((state) => state.past).slice(0, PAST_SHOWN)
  const others = useHealth().findings.filter((finding) => !isAlarm(finding))
  return (
    <Sheet
      title={t('ui.incidents.title')}
      testId="incidents"
      onClose={onClose}
      tools={
        unseen.length > 1 && (
          <Button
            size="small"
            variant="quiet"
            data-testid="alarm-acknowledge"
            onClick={() => alarms.acknowledge(unseen.map(({ id }) => id))}
          >
            {t('ui.alarms.acknowledgeAll', { count: unseen.length })}
          </Button>
        )
      }
    >
      {active.length === 0 && others.length === 0 && (
        <p className={styles.nothing}>
          <CheckCircle2 aria-hidden="true" />
          {t('ui.incidents.none')}
        </p>
      )}
      <ul className={styles.list} data-testid="alarms">
        {active.map((alarm) => (
          <ActiveAlarm key={alarm.id} alarm={alarm} onGo={onClose} />
        ))}
      </ul>
      {others.length > 0 && (
        <ul className={styles.list} data-testid="findings">
          {others.map((finding) => (
            <li
              key={`${finding.id} ${finding.values.index ?? ''} ${finding.values.name ?? ''}`}
              className={styles.row}
              data-state={finding.level}
            >
              {finding.level === 'problem' ? (
                <CircleAlert aria-hidden="true" className={styles.problem} />
              ) : (
                <TriangleAlert aria-hidden="true" className={styles.attention} />
              )}
              <a href={hrefOf(finding.route)} onClick={onClose}>
                <ForeignText text={findingText(finding, t)} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {past.length > 0 && (
        <>
          <h3 className={styles.head}>{t('ui.alarms.past')}</h3>
          <ul className={styles.list}>
            {past.map((alarm) => (
              <OverAlarm key={`${alarm.id} ${alarm.raisedAt}`} alarm={alarm} />
            ))}
          </ul>
        </>
      )}
    </Sheet>
  )
}

function ActiveAlarm({ alarm, onGo }: { readonly alarm: Alarm; readonly onGo: () => void }) {
  const t = useText()
  const format = useFormat()
  const { alarms } = useEnvironment().stores
  const text = alarmText(alarm, t)
  const Icon = alarm.isAcknowledged ? BellRing : alarm.level === 'problem' ? CircleAlert : TriangleAlert
  return (
    <li className={styles.row} data-testid={`alarm-${alarm.kind}`} data-state={alarm.level}>
      <Icon aria-hidden="true" className={styles[alarm.level]} />
      <div>
        <a href={hrefOf(alarm.route)} onClick={onGo}>
          <ForeignText text={text} />
        </a>
        <p className={styles.soft}>
          {t('ui.alarms.since', { time: format.timeOfDay(alarm.raisedAt) })}
          {alarm.isAcknowledged && `, ${t('ui.alarms.acknowledged')}`}
        </p>
      </div>
      {!alarm.isAcknowledged && (
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
    <li className={styles.row} data-testid="alarm-past">
      <Check aria-hidden="true" />
      <div>
        <ForeignText text={alarmText(alarm, t)} />
        <p className={styles.soft}>{t('ui.common.range', { from, to })}</p>
      </div>
    </li>
  )
}
