import { describe, expect, it } from 'vitest'
import { NO_READING, type SensorReading } from '../../sensors/reading'
import { ThermalGuard } from './device-care'

type Places = Partial<SensorReading['temperature']>
const at = (places: Places): SensorReading => ({
  ...NO_READING,
  temperature: { core: null, hotspot: null, memory: null, ...places },
})

function verdicts(samples: readonly Places[]): boolean[] {
  const guard = new ThermalGuard({ stop: 80, start: 70 })
  return samples.map((sample) => {
    guard.observe(at(sample))
    return guard.isHot
  })
}

describe('the thermal guard', () => {
  it('acts on two consecutive samples, in both directions', () => {
    expect(verdicts([{ core: 80 }, { core: 79 }, { core: 80 }, { core: 81 }])).toEqual([false, false, false, true])
    expect(verdicts([{ core: 90 }, { core: 90 }, { core: 70 }, { core: 71 }, { core: 70 }, { core: 69 }])).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  it.each([
    ['hotspot', 15],
    ['memory', 20],
  ] as const)('allows the %s %i degrees more than the core', (place, above) => {
    expect(verdicts([{ [place]: 79 + above }, { [place]: 79 + above }])).toEqual([false, false])
    expect(verdicts([{ [place]: 80 + above }, { [place]: 80 + above }])).toEqual([false, true])
    const cooling = [{ [place]: 95 + above }, { [place]: 95 + above }, { [place]: 70 + above }, { [place]: 70 + above }]
    expect(verdicts(cooling).at(-1)).toBe(false)
  })

  it('stays hot while one sensor is over the lower limit', () => {
    const mixed = { core: 60, hotspot: 86, memory: 60 }
    expect(verdicts([{ core: 85 }, { core: 85 }, mixed, mixed]).at(-1)).toBe(true)
  })

  it('keeps the pause if the hot sensor vanishes, and ends it when that sensor is cool again', () => {
    const hot = { core: 60, memory: 101 }
    const lost = { core: 50 }
    expect(verdicts([hot, hot, lost, lost, lost]).at(-1)).toBe(true)
    const back = { core: 50, memory: 85 }
    expect(verdicts([hot, hot, lost, lost, back, back]).at(-1)).toBe(false)
  })

  it('never calls a device hot that reports nothing', () => {
    expect(verdicts([{}, {}, {}]).some(Boolean)).toBe(false)
  })
})
