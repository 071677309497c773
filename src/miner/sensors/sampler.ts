// Reads every device's sensors once a second; one that hangs or fails doesn't delay the others.

import type { Disposable } from '../../base/disposable'
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { MinerError } from '../errors'
import { NO_READING, plausible, type SensorLevel, type SensorReading, type SensorSource } from './reading'

const PERIOD_MS = 1_000
const READ_LIMIT_MS = 1_000
/** After this many consecutive failures a source counts as lost: its values are unknown and it is read less often. */
const FAILURES_UNTIL_LOST = 3
const LOST_PERIOD_MS = 30_000

interface SamplerDeps {
  readonly clock: Clock
  readonly log: Logger
  /** how much is reported; default all */
  readonly level?: SensorLevel
  /** called with every new sample */
  readonly onReading?: (device: number, reading: SensorReading) => void
}

interface Watched {
  readonly device: number
  readonly source: SensorSource
  reading: SensorReading
  failures: number
  isLost: boolean
  busy: boolean
  nextAt: number
  /** timeout of the running read */
  limit: Disposable | null
}

export class SensorSampler {
  #watched: Watched[] = []
  #timer: Disposable | null = null

  constructor(private readonly deps: SamplerDeps) {}

  /** @param sources by device index; null where a device has none */
  start(sources: readonly (SensorSource | null)[]): void {
    if (this.deps.level === '0') return
    for (const [device, source] of sources.entries()) this.#watch(device, source)
    this.#readAll()
    this.#timer = this.deps.clock.setInterval(() => this.#readAll(), PERIOD_MS)
  }

  /** A device added after startup. */
  add(device: number, source: SensorSource | null): void {
    if (this.#timer !== null) this.#watch(device, source)
  }

  stop(): void {
    this.#timer?.dispose()
    this.#timer = null
    for (const { limit } of this.#watched) limit?.dispose() // the running read is no longer needed
    this.#watched = []
  }

  /** The last reading; all unknown for a device without sensors. */
  reading(device: number): SensorReading {
    return this.#watched.find((watched) => watched.device === device)?.reading ?? NO_READING
  }

  #watch(device: number, source: SensorSource | null): void {
    if (source === null) return
    this.#watched.push({
      device,
      source,
      reading: NO_READING,
      failures: 0,
      isLost: false,
      busy: false,
      nextAt: 0,
      limit: null,
    })
  }

  #readAll(): void {
    const now = this.deps.clock.monotonic()
    for (const watched of this.#watched) if (!watched.busy && now >= watched.nextAt) void this.#read(watched)
  }

  async #read(watched: Watched): Promise<void> {
    watched.busy = true
    const reading = watched.source.read()
    watched.limit = this.deps.clock.setTimeout(() => this.#failed(watched, lateError()), READ_LIMIT_MS)
    try {
      watched.reading = limited(plausible(await reading), this.deps.level ?? '2')
      watched.failures = 0
      watched.isLost = false
      if (this.#watched.includes(watched)) this.deps.onReading?.(watched.device, watched.reading)
    } catch (error: unknown) {
      this.#failed(watched, error)
    } finally {
      watched.limit.dispose()
      watched.busy = false // not earlier: a hanging read isn't started a second time
    }
  }

  #failed(watched: Watched, error: unknown): void {
    watched.failures += 1
    if (watched.failures < FAILURES_UNTIL_LOST && !hasCode(error, 'SENSOR_TIMEOUT')) return
    if (!watched.isLost) this.deps.log.warn('sensors lost', { device: watched.device, error: messageOf(error) })
    watched.isLost = true
    watched.reading = NO_READING
    watched.nextAt = this.deps.clock.monotonic() + LOST_PERIOD_MS
  }
}

function lateError(): Error {
  return new MinerError('SENSOR_TIMEOUT', { timeoutMs: READ_LIMIT_MS })
}

function limited(reading: SensorReading, level: SensorLevel): SensorReading {
  const { temperature, fanPercent } = reading
  return level === '1' ? { ...NO_READING, temperature, fanPercent } : reading
}
