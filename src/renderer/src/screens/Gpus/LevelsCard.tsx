// From which values on this device is an incident, each one editable; the program keeps them.
import { memo, useState } from 'react'
import type { DeviceLevels } from '../../../../contract/incidents'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import { levelsOf, readWhole, useIncidentRules, useSaveRules } from '../../state/incidents'
import { selectCanControl } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import styles from './Gpus.module.css'

const places = ['core', 'hotspot', 'memory'] as const
type Place = (typeof places)[number]

const BOUNDS = { min: 20, max: 150 }
const PERCENT = { min: 1, max: 100 }

interface LevelsCardProps {
  readonly index: number
  /** The device's name in the settings. */
  readonly device: string
  /** The sensors that it reports, separated by spaces: a string, so that a new reading doesn't render this again. */
  readonly reported: string
}

/** Only the sensors that the device reports; renders nothing without any. */
export const LevelsCard = memo(function LevelsCard({ index, device, reported }: LevelsCardProps) {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const levels = levelsOf(useIncidentRules(), device)
  const saveRules = useSaveRules()
  const [edit, setEdit] = useState(0)
  const known = places.filter((place) => reported.split(' ').includes(place))
  const save = (next: DeviceLevels): void =>
    saveRules((rules) => ({ ...rules, levels: { ...rules.levels, [device]: next } }))
  const reset = (): void => {
    saveRules(({ levels: { [device]: _own, ...others }, ...rules }) => ({ ...rules, levels: others }))
    // Fields keep what was typed; new ones show the saved values.
    setEdit(edit + 1)
  }
  const others = (['fan', 'power'] as const).filter((one) => reported.split(' ').includes(one))
  if (levels === null || !canControl || known.length + others.length === 0) return null
  return (
    <Card title={t('ui.alarms.levels')} testId={`gpu-levels-${index}`}>
      <p className={styles.hint}>{t('ui.alarms.levelsText')}</p>
      <div className={styles.levels}>
        {known.map((place) => (
          <PlaceFields
            key={`${place} ${edit}`}
            index={index}
            place={place}
            levels={levels}
            onChange={(pair) => save({ ...levels, [place]: pair })}
          />
        ))}
        {others.map((name) => (
          <PercentField
            key={`${name} ${edit}`}
            label={t(`ui.gpus.${name}Level`)}
            testId={`level-${name}-${index}`}
            value={levels[name]}
            onChange={(value) => save({ ...levels, [name]: value })}
          />
        ))}
      </div>
      <div>
        <Button size="small" onClick={reset} data-testid={`gpu-levels-reset-${index}`}>
          {t('ui.alarms.usual')}
        </Button>
      </div>
    </Card>
  )
})

interface PercentFieldProps {
  readonly label: string
  readonly testId: string
  readonly value: number
  readonly onChange: (value: number) => void
}

/** Takes effect once the text is a valid percentage. */
function PercentField({ label, testId, value, onChange }: PercentFieldProps) {
  const t = useText()
  const [text, setText] = useState(String(value))
  const change = (next: string): void => {
    setText(next)
    const read = readWhole(next, PERCENT)
    if (read !== null) onChange(read)
  }
  return (
    <TextField
      label={label}
      inputMode="numeric"
      maxLength={3}
      value={text}
      error={readWhole(text, PERCENT) === null ? t('ui.alarms.bounds', PERCENT) : ''}
      data-testid={testId}
      onChange={change}
    />
  )
}

interface PlaceFieldsProps {
  readonly index: number
  readonly place: Place
  readonly levels: DeviceLevels
  readonly onChange: (pair: DeviceLevels[Place]) => void
}

/** Takes effect once both are valid levels and in order. */
function PlaceFields({ index, place, levels, onChange }: PlaceFieldsProps) {
  const t = useText()
  const [warn, setWarn] = useState(String(levels[place].warn))
  const [critical, setCritical] = useState(String(levels[place].critical))
  const read = (text: string): number | null => readWhole(text, BOUNDS)
  const change = (nextWarn: string, nextCritical: string): void => {
    setWarn(nextWarn)
    setCritical(nextCritical)
    const pair = { warn: read(nextWarn), critical: read(nextCritical) }
    if (pair.warn !== null && pair.critical !== null && pair.warn < pair.critical)
      onChange({ warn: pair.warn, critical: pair.critical })
  }
  const outOfBounds = (text: string): string => (read(text) === null ? t('ui.alarms.bounds', BOUNDS) : '')
  const isInOrder = (read(warn) ?? 0) < (read(critical) ?? Number.POSITIVE_INFINITY)
  const name = t(`ui.gpus.${place}`)
  return (
    <>
      <TextField
        label={t('ui.alarms.warn', { place: name })}
        inputMode="numeric"
        maxLength={3}
        value={warn}
        error={outOfBounds(warn) || (isInOrder ? '' : t('ui.alarms.order'))}
        data-testid={`level-${place}-warn-${index}`}
        onChange={(value) => change(value, critical)}
      />
      <TextField
        label={t('ui.alarms.critical', { place: name })}
        inputMode="numeric"
        maxLength={3}
        value={critical}
        error={outOfBounds(critical)}
        data-testid={`level-${place}-critical-${index}`}
        onChange={(value) => change(warn, value)}
      />
    </>
  )
}
