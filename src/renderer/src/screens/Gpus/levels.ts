// From where on a reading is a reason to look, and from where on to act: what charts draw and health rules judge by.

export interface Level {
  readonly value: number
  readonly level: 'warn' | 'danger'
  /** Which of the panel's series it judges. */
  readonly places: readonly ('core' | 'hotspot' | 'memory' | 'fan')[]
}

/** Celsius and per cent. */
const levels: Readonly<Record<string, readonly Level[]>> = {
  temperature: [
    { value: 75, level: 'warn', places: ['core'] },
    { value: 85, level: 'danger', places: ['core'] },
    { value: 95, level: 'warn', places: ['hotspot', 'memory'] },
    { value: 105, level: 'danger', places: ['hotspot', 'memory'] },
  ],
  fan: [{ value: 95, level: 'warn', places: ['fan'] }],
}

/** The levels of one chart of a device; none for most. */
export function levelsOf(panel: string): readonly Level[] {
  return levels[panel] ?? []
}
