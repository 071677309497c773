// From where on a reading is a reason to look, and from where on to act: what charts draw of the levels of alarms.
import { type DeviceLevels, places } from '../../state/alarms/alarm-settings'

export interface Level {
  readonly value: number
  readonly level: 'warn' | 'danger'
  /** Which of the panel's series it judges. */
  readonly places: readonly ('core' | 'hotspot' | 'memory' | 'fan')[]
}

/** The levels of one chart of a device; none for most. Places with the same level share one line. */
export function levelsOf(panel: string, heat: DeviceLevels): readonly Level[] {
  if (panel === 'fan') return [{ value: heat.fan, level: 'warn', places: ['fan'] }]
  if (panel !== 'temperature') return []
  return (['warn', 'critical'] as const).flatMap((kind) => {
    const values = [...new Set(places.map((place) => heat[place][kind]))]
    const level = kind === 'critical' ? ('danger' as const) : ('warn' as const)
    return values.map((value) => ({ value, level, places: places.filter((place) => heat[place][kind] === value) }))
  })
}
