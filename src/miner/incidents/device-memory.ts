// What the rules need to remember about devices: outcomes of the last ten minutes, and which sensors reported.
import type { DeviceSnapshot, SettledShare } from '../stats/snapshot'
import type { RecentShares } from './incident-rules'

const WINDOW_MS = 600_000
/** Outcomes are counted in slots of this length. */
const STEP_MS = 15_000

interface Step extends RecentShares {
  /** monotonic ms */
  readonly at: number
}

const NO_SHARES: RecentShares = { accepted: 0, rejected: 0, failed: 0 }

/** The memory of one run. */
export class DeviceMemory {
  readonly #steps = new Map<number, Step[]>()
  readonly #sensors = new Map<string, Set<string>>()

  /** A block for our own node that came too late says nothing: another was faster. @param at monotonic ms */
  settled({ device, outcome, pool }: Pick<SettledShare, 'device' | 'outcome' | 'pool'>, at: number): void {
    if (pool === '' && outcome === 'stale') return
    const kept = (this.#steps.get(device) ?? []).filter((step) => step.at > at - WINDOW_MS)
    const last = kept.at(-1)
    const step = last !== undefined && at - last.at < STEP_MS ? last : { at, ...NO_SHARES }
    const count = outcome === 'accepted' || outcome === 'failed' ? outcome : 'rejected'
    const next = { ...step, [count]: step[count] + 1 }
    this.#steps.set(device, [...kept.filter((each) => each !== last || step !== last), next])
  }

  /** Of the last ten minutes; stale and unanswered ones count as rejected. @param at monotonic ms */
  recent(device: number, at: number): RecentShares {
    const steps = (this.#steps.get(device) ?? []).filter((step) => step.at > at - WINDOW_MS)
    return steps.reduce(
      (sum, { accepted, rejected, failed }) => ({
        accepted: sum.accepted + accepted,
        rejected: sum.rejected + rejected,
        failed: sum.failed + failed,
      }),
      NO_SHARES,
    )
  }

  /** Sensors that this device reported before in this run and doesn't now. */
  lostSensors(device: DeviceSnapshot): readonly string[] {
    const key = `${device.index} ${device.name}`
    const known = this.#sensors.get(key) ?? new Set()
    this.#sensors.set(key, known)
    const now = reporting(device)
    for (const sensor of now) known.add(sensor)
    return [...known].filter((sensor) => !now.includes(sensor))
  }
}

function reporting({ temperature: { core, hotspot, memory }, fanPercent, powerWatts }: DeviceSnapshot): string[] {
  const values = { core, hotspot, memory, fan: fanPercent, power: powerWatts }
  return Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [name]))
}
