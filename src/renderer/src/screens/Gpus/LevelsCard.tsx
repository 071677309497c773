// From which values on this device is an incident, each one editable; the program keeps them.
import { memo, useState } from 'react'
import type { DeviceLevels } from '../../../../contract/incidents'
import { Failure } from '../../components/faults/Failure'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-attempt'
import { useApp, useEnvironment } from '../../state/environment'
import { levelsOf, readWhole, useIncidentRules } from '../../state/incidents'
import { selectCanControl } from '../../state/stores/app-store'
import type { ChangeRules } from '../../state/stores/operation-store'
import { Button } from '../../widgets/controls/Button'
import { NumberField, RuleField } from '../../widgets/incidents/RuleField'
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
  const kept = useIncidentRules()
  const levels = kept && levelsOf(kept, device)
  const { saveRules } = useEnvironment().stores
  const { failure, attempt } = useAttempt()
  const [edit, setEdit] = useState(0)
  const known = places.filter((place) => reported.split(' ').includes(place))
  const changed =
    (part: Partial<DeviceLevels>): ChangeRules =>
    (rules) => ({ ...rules, levels: { ...rules.levels, [device]: { ...levelsOf(rules, device), ...part } } })
  const reset = async (): Promise<void> => {
    const isSaved = await attempt(() =>
      saveRules(({ levels: { [device]: _own, ...others }, ...rules }) => ({ ...rules, levels: others })),
    )
    // Fields keep what was typed; new ones show the saved values.
    if (isSaved) setEdit(edit + 1)
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
            change={(pair) => changed({ [place]: pair })}
          />
        ))}
        {others.map((name) => (
          <RuleField
            key={`${name} ${edit}`}
            label={t(`ui.gpus.${name}Level`)}
            testId={`level-${name}-${index}`}
            bounds={PERCENT}
            value={levels[name]}
            change={(value) => changed({ [name]: value })}
          />
        ))}
      </div>
      <div>
        <Button size="small" onClick={() => void reset()} data-testid={`gpu-levels-reset-${index}`}>
          {t('ui.alarms.usual')}
        </Button>
        <Failure text={failure} />
      </div>
    </Card>
  )
})

interface PlaceFieldsProps {
  readonly index: number
  readonly place: Place
  readonly levels: DeviceLevels
  readonly change: (pair: DeviceLevels[Place]) => ChangeRules
}

/** Takes effect once both are valid levels and in order. */
function PlaceFields({ index, place, levels, change }: PlaceFieldsProps) {
  const t = useText()
  const { saveRules } = useEnvironment().stores
  const { failure, run } = useAttempt()
  const kept = levels[place]
  const [typed, setTyped] = useState({ warn: String(kept.warn), critical: String(kept.critical) })
  const type = (part: Partial<typeof typed>): void => {
    const next = { ...typed, ...part }
    setTyped(next)
    const [warn, critical] = [readWhole(next.warn, BOUNDS), readWhole(next.critical, BOUNDS)]
    if (warn !== null && critical !== null && warn < critical) run(() => saveRules(change({ warn, critical })))
  }
  const isInOrder =
    (readWhole(typed.warn, BOUNDS) ?? 0) < (readWhole(typed.critical, BOUNDS) ?? Number.POSITIVE_INFINITY)
  return (['warn', 'critical'] as const).map((which) => (
    <NumberField
      key={which}
      label={t(`ui.alarms.${which}`, { place: t(`ui.gpus.${place}`) })}
      testId={`level-${place}-${which}-${index}`}
      text={typed[which]}
      bounds={BOUNDS}
      value={kept[which]}
      fault={which === 'critical' || isInOrder ? '' : t('ui.alarms.order')}
      failure={failure}
      onType={(text) => type({ [which]: text })}
    />
  ))
}
