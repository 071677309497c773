// When pools and rigs raise an alarm, and whether it has a sound.
import { useState } from 'react'
import { ruleBounds } from '../../../../contract/incidents'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useEnvironment, useOperation, usePreference } from '../../state/environment'
import { readWhole, useIncidentRules, useSaveRules } from '../../state/incidents'
import { selectIsMonitor } from '../../state/stores/operation-store'
import styles from './Rigs.module.css'

type RuleName = keyof typeof ruleBounds
const ruleNames = Object.keys(ruleBounds) as readonly RuleName[]

export function AlarmRules() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const sounds = usePreference((state) => state.alarmSounds)
  const isKnown = useIncidentRules() !== null
  // Monitors without a miner have no devices and no pool.
  const isMonitor = useOperation(selectIsMonitor)
  const shown = isMonitor ? ruleNames.filter((name) => name.startsWith('rig')) : ruleNames
  if (!isKnown) return null
  return (
    <Card title={t('ui.alarms.rules')} testId="alarm-rules">
      <p className={styles.soft}>{t('ui.alarms.rulesText')}</p>
      <div className={styles.rules}>
        {shown.map((name) => (
          <RuleField key={name} name={name} />
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

/** Takes effect as soon as it is a number within its bounds. */
function RuleField({ name }: { readonly name: RuleName }) {
  const t = useText()
  const saveRules = useSaveRules()
  const value = useIncidentRules()?.[name] ?? ruleBounds[name].usual
  const [text, setText] = useState(String(value))
  const bounds = ruleBounds[name]
  const change = (typed: string): void => {
    setText(typed)
    const read = readWhole(typed, bounds)
    if (read !== null) saveRules((rules) => ({ ...rules, [name]: read }))
  }
  return (
    <TextField
      label={t(`ui.alarms.${name}`)}
      inputMode="numeric"
      maxLength={6}
      value={text}
      error={readWhole(text, bounds) === null ? t('ui.alarms.bounds', { min: bounds.min, max: bounds.max }) : ''}
      data-testid={`alarm-rule-${name}`}
      onChange={change}
    />
  )
}
