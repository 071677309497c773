// Records the history once a second and stores it: read at startup, written every minute and on stop.
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { sumHashrates } from './hashrate-meter'
import { History, type SampleRow } from './history'
import type { HistoryStore } from './history-file'
import type { DeviceSnapshot, HistoryQuery, HistorySlice } from './snapshot'

const SAVE_EVERY_MS = 60_000
const USUAL_EVERY_MS = 300_000
const TOTALS = 'total'

interface HistoryRecorderDeps {
  /** null: the history ends with the program */
  readonly store: HistoryStore | null
  readonly clock: Clock
  readonly log: Logger
}

/** The recorder of a miner. */
export class HistoryRecorder {
  #history = new History()
  #savedAt = 0
  /** by device key; asked every second, computed every five minutes */
  readonly #usual = new Map<string, { readonly at: number; readonly rate: number | null }>()
  #saving: Promise<void> = Promise.resolve()

  constructor(private readonly deps: HistoryRecorderDeps) {}

  /** A missing, unreadable or corrupt file is an empty history; the latter two are logged. */
  async load(): Promise<void> {
    this.#history = new History()
    this.#savedAt = this.deps.clock.monotonic()
    this.#usual.clear()
    try {
      const bytes = (await this.deps.store?.load()) ?? null
      if (bytes !== null && !this.#history.decode(bytes)) this.deps.log.warn('history file is broken and was ignored')
    } catch (error: unknown) {
      this.deps.log.warn('history file could not be read', { error: messageOf(error) })
    }
  }

  /** Records one sample of every device and of the totals. @param effective hashrate of all of them */
  record(devices: readonly DeviceSnapshot[], effective: number | null = null): void {
    const at = this.deps.clock.now()
    for (const device of devices) this.#history.record(keyOf(device), at, rowOf(device))
    this.#history.record(TOTALS, at, totalsOf(devices, effective))
    if (this.deps.clock.monotonic() - this.#savedAt >= SAVE_EVERY_MS) void this.save()
  }

  /** @param device null for the totals */
  read(device: DeviceSnapshot | null, query: Omit<HistoryQuery, 'device'>): HistorySlice {
    return this.#history.read(device === null ? TOTALS : keyOf(device), this.deps.clock.now(), query)
  }

  /** Like History.usual. */
  usual(device: Pick<DeviceSnapshot, 'backend' | 'pci' | 'index' | 'name'>): number | null {
    const key = keyOf(device)
    const at = this.deps.clock.monotonic()
    const before = this.#usual.get(key)
    if (before !== undefined && at - before.at < USUAL_EVERY_MS) return before.rate
    const rate = this.#history.usual(key, this.deps.clock.now())
    this.#usual.set(key, { at, rate })
    return rate
  }

  /** Resolves when it is written; failures are logged. */
  save(): Promise<void> {
    this.#savedAt = this.deps.clock.monotonic()
    this.#saving = this.#saving.then(() => this.#write())
    return this.#saving
  }

  async #write(): Promise<void> {
    try {
      await this.deps.store?.save(this.#history.encode(this.deps.clock.now()))
    } catch (error: unknown) {
      this.deps.log.warn('history file could not be written', { error: messageOf(error) })
    }
  }
}

/** Identifies a device across restarts, as far as possible. */
export function keyOf({
  backend,
  pci,
  index,
  name,
}: Pick<DeviceSnapshot, 'backend' | 'pci' | 'index' | 'name'>): string {
  return `${backend} ${pci === '' ? index : pci} ${name}`
}

/** In the order of SERIES. */
function rowOf(device: DeviceSnapshot): SampleRow {
  const { hashrate, temperature, fanPercent, powerWatts, clockMhz, effectiveHashrate } = device
  const { core, hotspot, memory } = temperature
  return [
    hashrate.now,
    core,
    hotspot,
    memory,
    fanPercent,
    powerWatts,
    clockMhz.core,
    clockMhz.memory,
    effectiveHashrate,
  ]
}

function totalsOf(devices: readonly DeviceSnapshot[], effective: number | null): SampleRow {
  const watts = devices.flatMap(({ powerWatts }) => (powerWatts === null ? [] : [powerWatts]))
  const power = watts.length === 0 ? null : watts.reduce((sum, value) => sum + value, 0)
  return [
    sumHashrates(devices.map(({ hashrate }) => hashrate)).now,
    null,
    null,
    null,
    null,
    power,
    null,
    null,
    effective,
  ]
}
