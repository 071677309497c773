// From which value a reading is a warning, and from which a danger: the alarm levels that charts draw.
import { type DeviceLevels, places } from '../../state/alarms/alarm-settings'

export interface Level {
  readonly value: number
  readonly level: 'warn' | 'danger'
  /** The panel's series that it applies to. */
  readonly places: readonly ('core' | 'hotspot' | 'memory' | 'fan')[]
}

/** The levels of one chart of a device; most have none. Sensors with the same level share a line. */
export function levelsOf(panel: string, heat: DeviceLevels): readonly Level[] {
  if (panel === 'fan') return [{ value: heat.fan, level: 'warn', places: ['fan'] }]
  if (panel !== 'temperature') return []
  return (['warn', 'critical'] as const).flatMap((kind) => {
    const values = [...new Set(places.map((place) => heat[place][kind]))]
    const level = kind === 'critical' ? ('danger' as const) : ('warn' as const)
    return values.map((value) => ({ value, level, places: places.filter((place) => heat[place][kind] === value) }))
  })
}
