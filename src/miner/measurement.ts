// How fast this computer is, before anything is set up: a miner of its own searches the dataset of the main network's size
// for a target that nothing meets, so that nothing is mined. The running miner's devices are paused meanwhile.
import type { Disposable } from '../base/disposable'
import { messageOf } from '../base/errors'
import type { Service } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { Clock } from '../base/time'
import type { MinerService } from './miner-service'
import type { DeviceSnapshot } from './stats/snapshot'

/** How long hashes are counted once every device has its dataset. */
const MEASURE_MS = 20_000
const LOOK_MS = 500
/** Pauses end by themselves if this program is killed. */
const PAUSE_SECONDS = 60
const PAUSE_AGAIN_MS = 30_000
/** No device builds a dataset for longer. */
const MAX_PREPARE_MS = 3_600_000
const MS_PER_SECOND = 1_000

/** The current measurement, or the last one of this run. */
export interface MeasurementState {
  readonly kind: 'none' | 'preparing' | 'measuring' | 'done' | 'failed'
  /** while it measures */
  readonly secondsLeft: number | null
  readonly devices: readonly ReturnType<typeof measured>[]
  /** why it failed; empty otherwise */
  readonly reason: string
}

type MeasuringMiner = Pick<MinerService, 'start' | 'stop' | 'devices'>

interface MeasurementDeps {
  /** a miner with the same devices and full-size work, which is not started */
  readonly open: () => { readonly miner: MeasuringMiner; readonly close: () => Promise<void> }
  /** the running miner; null: this program has none */
  readonly mining: Pick<MinerService, 'devices' | 'pause' | 'resume'> | null
  readonly clock: Clock
  readonly log: Logger
}

interface Run {
  readonly miner: MeasuringMiner
  readonly close: () => Promise<void>
  readonly stop: AbortController
  /** devices of the running miner that were mining */
  readonly paused: readonly number[]
  /** monotonic ms */
  readonly beganAt: number
  pausedAt: number
  /** monotonic ms, and each device's hashes then; null: some have no dataset yet */
  counting: { readonly at: number; readonly hashes: ReadonlyMap<number, number> } | null
}

const NOTHING: MeasurementState = { kind: 'none', secondsLeft: null, devices: [], reason: '' }

/** One measurement at a time. */
export class Measurement implements Service {
  readonly name = 'measurement'
  state = NOTHING
  #run: Run | null = null
  #timer: Disposable | null = null
  #ending: Promise<void> = Promise.resolve()

  constructor(private readonly deps: MeasurementDeps) {}

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    this.cancel()
    await this.#ending
  }

  /** Does nothing while one runs. */
  begin(): void {
    if (this.#run !== null) return
    const { open, mining, clock } = this.deps
    const at = clock.monotonic()
    const paused = (mining?.devices() ?? []).filter((device) => !device.paused).map(({ index }) => index)
    const run = { ...open(), stop: new AbortController(), paused, beganAt: at, pausedAt: at, counting: null }
    this.#run = run
    this.state = { ...NOTHING, kind: 'preparing' }
    this.#pause(run)
    this.#timer = clock.setInterval(() => this.#look(run), LOOK_MS)
    // What still ends is of an earlier measurement, with the same devices.
    this.#ending = this.#ending
      .then(() => run.miner.start(run.stop.signal))
      .then(() => {
        if (run.miner.devices().length === 0) throw new Error('there is no device that can mine')
      })
      .catch((error: unknown) => this.#end(run, { ...this.state, kind: 'failed', reason: messageOf(error) }))
  }

  /** Forgets the one that runs. */
  cancel(): void {
    if (this.#run !== null) this.#end(this.#run, NOTHING)
  }

  #look(run: Run): void {
    const at = this.deps.clock.monotonic()
    if (at - run.pausedAt >= PAUSE_AGAIN_MS) this.#pause(run)
    const state = stateOf(run, at)
    if (state.kind === 'done' || state.kind === 'failed') this.#end(run, state)
    else this.state = state
  }

  #pause(run: Run): void {
    run.pausedAt = this.deps.clock.monotonic()
    this.#onMining(run, (mining, device) => mining.pause(device, PAUSE_SECONDS))
  }

  /** A device may have gone meanwhile. */
  #onMining(run: Run, act: (mining: NonNullable<MeasurementDeps['mining']>, device: number) => void): void {
    const { mining } = this.deps
    if (mining === null) return
    const present = new Set(mining.devices().map(({ index }) => index))
    for (const device of run.paused) if (present.has(device)) act(mining, device)
  }

  #end(run: Run, state: MeasurementState): void {
    if (this.#run !== run) return
    this.#run = null
    this.#timer?.dispose()
    this.state = state
    run.stop.abort(new Error('the measurement ended'))
    const ended = async (): Promise<void> => {
      try {
        await run.miner.stop()
        await run.close()
      } catch (error: unknown) {
        this.deps.log.warn('a measurement did not end cleanly', { error: messageOf(error) })
      }
      this.#onMining(run, (mining, device) => mining.resume(device))
    }
    this.#ending = this.#ending.then(ended)
  }
}

/** Begins to count when every device that works has its dataset. */
function stateOf(run: Run, at: number): MeasurementState {
  const devices = run.miner.devices()
  const working = devices.filter(({ state }) => state !== 'error')
  const now = { secondsLeft: null, devices: devices.map((device) => measured(device, null)), reason: '' }
  if (devices.length > 0 && working.length === 0)
    return { ...now, kind: 'failed', reason: devices.map(({ name, error }) => `${name}: ${error}`).join('; ') }
  if (run.counting === null && working.length > 0 && working.every(({ state }) => state === 'mining'))
    run.counting = { at, hashes: new Map(working.map(({ index, hashes }) => [index, hashes])) }
  if (run.counting === null) {
    const isLate = at - run.beganAt >= MAX_PREPARE_MS
    return isLate ? { ...now, kind: 'failed', reason: 'no DAG within an hour' } : { ...now, kind: 'preparing' }
  }
  const { hashes, at: since } = run.counting
  const ms = at - since
  if (ms < MEASURE_MS) return { ...now, kind: 'measuring', secondsLeft: Math.ceil((MEASURE_MS - ms) / MS_PER_SECOND) }
  const rates = devices.map((device) => {
    const from = hashes.get(device.index)
    const isWhole = from !== undefined && device.state === 'mining' && device.responds
    return measured(device, isWhole ? ((device.hashes - from) * MS_PER_SECOND) / ms : null)
  })
  return { ...now, kind: 'done', devices: rates }
}

/** @param hashrate H/s of the whole time; null until then, and for a device that failed */
function measured({ index, name, state, progress, error }: DeviceSnapshot, hashrate: number | null) {
  return { index, name, state, progress, hashrate, error }
}
