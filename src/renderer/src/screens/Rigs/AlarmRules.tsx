// When pools and rigs raise an alarm, and whether it has a sound.
import { ruleBounds } from '../../../../contract/incidents'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useEnvironment, useOperation, usePreference } from '../../state/environment'
import { useIncidentRules } from '../../state/incidents'
import { selectIsMonitor } from '../../state/stores/operation-store'
import { RuleField } from '../../widgets/incidents/RuleField'
import styles from './Rigs.module.css'

type RuleName = keyof typeof ruleBounds
const ruleNames = Object.keys(ruleBounds) as readonly RuleName[]

export function AlarmRules() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const sounds = usePreference((state) => state.alarmSounds)
  const rules = useIncidentRules()
  // Monitors without a miner have no devices and no pool.
  const isMonitor = useOperation(selectIsMonitor)
  const shown = isMonitor ? ruleNames.filter((name) => name.startsWith('rig')) : ruleNames
  if (rules === null) return null
  return (
    <Card title={t('ui.alarms.rules')} testId="alarm-rules">
      <p className={styles.soft}>{t('ui.alarms.rulesText')}</p>
      <div className={styles.rules}>
        {shown.map((name) => (
          <RuleField
            key={name}
            label={t(`ui.alarms.${name}`)}
            testId={`alarm-rule-${name}`}
            bounds={ruleBounds[name]}
            value={rules[name]}
            change={(value) => (kept) => ({ ...kept, [name]: value })}
          />
        ))}
      </div>
      <label className={styles.sounds}>
        <input
          type="checkbox"
          className={styles.check}
          checked={sounds}
          data-testid="alarm-sounds"
          onChange={(event) => preferences.setState({ alarmSounds: event.target.checked })}
        />
        <span>{t('ui.alarms.sounds')}</span>
      </label>
    </Card>
  )
}
