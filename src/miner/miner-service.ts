// The miner as one service: work source, farm, sensors and statistics together; others see snapshots.
import type { Disposable } from '../base/disposable'
import { Emitter } from '../base/events'
import { Disposables, type Service } from '../base/lifecycle'
import { KeptJson } from '../files/json-file'
import type { MinerDetail } from './api/line-stats'
import { buildSummary, type Summary } from './api/summary'
import { expectedHashes } from './difficulty'
import { EpochClock } from './epoch-clock'
import { MinerError } from './errors'
import type { DetectedDevice, Fault, TemperatureLimits } from './farm/device-backend'
import { DeviceInventory, type EpochPlan, type InventoryInput, type InventoryView } from './farm/device-inventory'
import type { DeviceSlot } from './farm/device-slot'
import { Farm, type NonceLayout, sensorSources } from './farm/farm'
import type { NoncePlan } from './farm/job-history'
import { OwnDevices } from './farm/own-devices'
import { ApiPauses, pausesSchema } from './farm/pauses/api-pauses'
import { Schedule } from './farm/pauses/schedule'
import { type SurveyedDevice, surveyDevices } from './farm/survey'
import { registerMinerMetrics } from './metrics'
import type { MinerChange, MinerEvents, MinerServiceDeps, MinerServiceOptions } from './miner-service-options'
import { SensorSampler } from './sensors/sampler'
import { DeviceMeter } from './stats/device-meter'
import { NO_HASHRATE, sumHashrates } from './stats/hashrate-meter'
import { HistoryFile } from './stats/history-file'
import { HistoryRecorder, keyOf } from './stats/history-recorder'
import { ProofWatch } from './stats/proof'
import { type OutcomeCounts, ShareLedger } from './stats/share-ledger'
import type { DeviceSnapshot, HistoryQuery, HistorySlice, MinerSnapshot, SettledShare } from './stats/snapshot'
import type { Job, WorkSource } from './work-source'

const TICK_MS = 1_000
/** Target block time of the public networks. */
const USUAL_BLOCK_SECONDS = 600
const DEFAULT_SEGMENT_BITS = 40

/** Starts and stops mining, and answers everything about it. */
export class MinerService implements Service {
  readonly name = 'miner'
  readonly events = new Emitter<MinerEvents>()
  readonly #farm: Farm
  readonly own: OwnDevices
  readonly #pauses: ApiPauses
  readonly #inventory: DeviceInventory
  #schedule: Schedule
  #limits: TemperatureLimits | null
  readonly #sampler: SensorSampler
  readonly #recorder: HistoryRecorder
  #meters: DeviceMeter[] = []
  #ledger = new ShareLedger()
  readonly #proof = new ProofWatch()
  /** hashes of all devices at the last tick */
  #hashes = 0n
  #startedAt: number | null = null
  #connected = false
  readonly #epochs: EpochClock
  #state: MinerSnapshot['state'] = 'off'
  readonly #taken = new Disposables()
  #timer: Disposable | null = null

  constructor(
    private readonly options: MinerServiceOptions,
    private readonly deps: MinerServiceDeps,
  ) {
    const { source, engine, clock, log, random } = deps
    const submit: WorkSource['submit'] = (share, signal) => source.submit(share, signal)
    this.own = new OwnDevices(options, { engine, clock })
    this.#epochs = new EpochClock(engine.params.epochLength, options.blockSeconds ?? USUAL_BLOCK_SECONDS, clock)
    this.#schedule = new Schedule(options.schedule ?? [])
    this.#limits = options.limits ?? null
    const backends = [...(deps.backends ?? []), ...this.own.backends]
    const { segmentBits = DEFAULT_SEGMENT_BITS, ergodicity = '0' } = options
    this.#inventory = new DeviceInventory(backends, options.select, options.doubleDatasets)
    const { select } = this.#inventory
    this.#farm = new Farm(
      { ...options, segmentBits, ergodicity, select },
      { backends, engine, submit, clock, log, random },
    )
    const { pausesFile = null, historyFile } = options
    this.#pauses = new ApiPauses({
      farm: this.#farm,
      clock,
      log,
      kept: pausesFile === null ? null : new KeptJson(pausesFile, pausesSchema, { log }),
      keyOf: ({ index, info }) => keyOf({ index, ...info }),
    })
    this.#sampler = new SensorSampler({
      clock,
      log: log.child({ module: 'sensors' }),
      level: options.sensors ?? '2',
      onReading: (device, reading) => this.#farm.care.sensorsRead(device, reading),
    })
    this.#recorder = new HistoryRecorder({
      store: historyFile === null ? null : new HistoryFile(historyFile),
      clock,
      log: log.child({ module: 'history' }),
    })
    registerMinerMetrics(
      deps.metrics,
      () => this.summary(false),
      () => this.#ledger.lost,
    )
  }

  async start(signal: AbortSignal): Promise<void> {
    const { source, clock } = this.deps
    try {
      this.#ledger = new ShareLedger()
      this.#proof.reset()
      this.#epochs.restart()
      this.#connected = false
      this.#startedAt = clock.monotonic()
      await this.#recorder.load()
      this.#listen()
      await this.#farm.start(signal)
      await this.#pauses.restore()
      this.#meters = this.#farm.slots.map(() => new DeviceMeter())
      this.#keepSchedule()
      this.#sampler.start(sensorSources(this.#farm, this.deps.sensorsOf))
      await source.start(signal)
      this.#state = 'running'
      this.#tickLater()
      this.#announce()
    } catch (error: unknown) {
      await this.stop()
      this.#state = 'failed'
      throw error
    }
  }

  async stop(): Promise<void> {
    const wasRunning = this.#state === 'running'
    this.#state = 'off'
    this.#taken.dispose()
    this.#timer?.dispose()
    this.#timer = null
    await this.#pauses.stop()
    this.#sampler.stop()
    await this.deps.source.stop()
    await this.#farm.stop()
    if (wasRunning) await this.#recorder.save()
    this.#startedAt = null
    this.#meters = []
  }

  /** Every device that could mine here, selected or not, in index order; none is opened, but sensors are read. */
  async survey(signal: AbortSignal): Promise<readonly SurveyedDevice[]> {
    const found = await this.#farm.detect(signal)
    const chosen = this.#inventory.wish(found)
    const { sensorsOf = () => null, clock } = this.deps
    return surveyDevices(found, { chosen, sensorsOf, clock })
  }

  devices(): readonly DeviceSnapshot[] {
    return this.#farm.slots.map((slot) => this.#deviceSnapshot(slot))
  }

  snapshot(): MinerSnapshot {
    const { source, clock } = this.deps
    const { diagnosis = null, ...state } = source.state()
    const { job } = this.#farm
    const { lastAccepted: last } = this.#ledger
    const uptimeSeconds = this.#uptimeSeconds()
    const rate = sumHashrates(this.#meters.map((meter) => meter.rate))
    return {
      state: this.#state,
      uptimeSeconds,
      hashrate: { ...rate, effective: this.#ledger.effective(clock.monotonic(), uptimeSeconds) },
      shares: this.#ledger.counts(null),
      source: {
        ...state,
        difficulty: job === null ? null : expectedHashes(job.target),
        epoch: job?.epoch ?? null,
        height: job?.height ?? null,
        diagnosis,
      },
      lastProof: last === null ? null : { at: last.at, device: last.device },
      expectedSinceProof: this.#proof.expected,
      takenAt: clock.now(),
    }
  }

  /** The object of GET /api/v1/summary. @param control what this instance permits */
  summary(control: boolean): Summary {
    return buildSummary({
      control,
      version: this.options.version,
      miner: this.snapshot(),
      devices: this.devices(),
    })
  }

  /** Like ApiPauses.pause. @throws MinerError DEVICE_UNKNOWN */
  pause(device: number | null, forSeconds: number | null = null): void {
    this.#pauses.pause(device, forSeconds)
  }

  /** Lifts the API's reason only. @throws MinerError DEVICE_UNKNOWN */
  resume(device: number | null): void {
    this.#pauses.resume(device)
  }

  /**
   * Adds simulated devices; they mine immediately.
   * @throws MinerError DEVICE_SIMULATION_REFUSED, DEVICE_SIMULATION_FULL
   */
  addSimulated(count: number): void {
    const devices = this.own.addSimulated(count)
    if (this.#state !== 'running') return // they are detected at startup
    this.deps.log.info('simulated devices added', { count: devices.length })
    this.#takeUp(devices)
  }

  /** Changes the given settings, for this run and later starts. */
  async adjust({ limits, schedule, cpuThreads, select }: MinerChange): Promise<void> {
    if (limits !== undefined) {
      this.#limits = limits
      this.#farm.care.setLimits(limits)
    }
    if (schedule !== undefined) {
      this.#schedule = new Schedule(schedule)
      this.#keepSchedule()
    }
    if (cpuThreads !== undefined) this.own.cpu.setThreads(cpuThreads)
    if (select !== undefined) this.#inventory.wish = select
    if (this.#state !== 'running' || (cpuThreads === undefined && select === undefined)) return
    if (cpuThreads !== undefined) for (const slot of this.#farm.slots) if (slot.info.backend === 'cpu') slot.restart()
    const { signal } = new AbortController()
    this.#takeUp(this.#inventory.reselect(this.#farm.slots, await this.#farm.detect(signal)))
  }

  /** @throws MinerError DEVICE_UNKNOWN, DEVICE_NOT_SIMULATED */
  simulateFault(device: number, fault: Fault): void {
    this.#farm.simulateFault(device, fault)
  }

  /** Resolves when every device has begun to close and rebuild; pause reasons and counters stay. */
  async restart(): Promise<void> {
    this.deps.log.info('restarting devices')
    this.#farm.restart()
  }

  /** @throws MinerError DEVICE_UNKNOWN */
  history({ device, series, window }: HistoryQuery): HistorySlice {
    const snapshot = device === null ? null : this.devices()[device]
    if (device !== null && !snapshot) throw new MinerError('DEVICE_UNKNOWN', { device, count: this.#farm.slots.length })
    return this.#recorder.read(snapshot ?? null, { series, window })
  }

  nonces(): NonceLayout {
    return this.#farm.layout()
  }

  /** At once, unless the pool fixes the first nonce. @param plan startNonce 0..2^64 - 1; segmentBits 10..63 */
  setNonces(plan: Partial<NoncePlan>): void {
    this.#farm.setNonces(plan)
  }

  shuffle(): void {
    this.#farm.shuffle()
  }

  /** What the line RPC reports beyond the summary. */
  detail(): MinerDetail {
    const now = this.deps.clock.monotonic()
    const [limits, ledger] = [this.#limits, this.#ledger]
    const secondsSince = (at: number | null): number => Math.floor((now - (at ?? this.#startedAt ?? now)) / 1_000)
    return {
      epochChanges: this.#epochs.changes,
      secondsSinceShare: secondsSince(ledger.lastAcceptedAt(null)),
      deviceSecondsSinceShare: this.#farm.slots.map(({ index }) => secondsSince(ledger.lastAcceptedAt(index))),
      temperatureLimits: limits === null ? null : [limits.start, limits.stop],
    }
  }

  /** Settled shares, newest last, at most 512. */
  recentShares(): readonly SettledShare[] {
    return this.#ledger.recent
  }

  /** Static facts about the devices, the excluded ones, and missing drivers. */
  inventory(): InventoryView {
    return this.#inventory.view(this.#inventoryInput())
  }

  epochPlan(): EpochPlan {
    return this.#inventory.plan(this.#inventoryInput())
  }

  /** Wrong results of one device, as checked by the CPU, newest last, at most 50. */
  failedSolutions(device: number): readonly SettledShare[] {
    return this.#ledger.failed(device)
  }

  /** Every outcome of one device since startup, including those that the API doesn't show. */
  outcomes(device: number): OutcomeCounts {
    return this.#ledger.outcomes(device)
  }

  #inventoryInput(): InventoryInput {
    const { slots, care, job } = this.#farm
    const { engine } = this.deps
    return { slots, care, params: engine.params, epoch: job?.epoch ?? null, epochs: this.#epochs }
  }

  #listen(): void {
    const { clock, source } = this.deps
    const announce = (): void => this.#announce()
    this.#taken.add(source.events.on('stateChanged', ({ connected }) => this.#sourceChanged(connected)))
    this.#taken.add(source.events.on('jobChanged', (job) => this.#jobCame(job)))
    this.#taken.add(source.events.on('stateChanged', announce))
    this.#taken.add(this.#farm.events.on('devicesChanged', () => this.events.emit('devicesChanged', this.devices())))
    this.#taken.add(this.#farm.events.on('miningBegan', ({ device }) => this.#meters[device]?.begin(clock.monotonic())))
    this.#taken.add(
      this.#farm.events.on('shareSettled', (share) => {
        this.#ledger.record(share, clock.monotonic())
        if (share.outcome === 'accepted') this.#proof.reset()
        this.events.emit('shareSettled', share)
        this.#announce()
      }),
    )
  }

  #jobCame(job: Job | null): void {
    // A source may give its first job before it reports that it is connected.
    if (job !== null) this.#sourceChanged(this.deps.source.state().connected)
    if (job !== null) this.#epochs.jobCame(job)
    this.#farm.setJob(job)
    this.#announce()
  }

  #sourceChanged(connected: boolean): void {
    if (connected && !this.#connected) this.#farm.reconnected()
    this.#connected = connected
  }

  /** Aligned with the seconds of the monotonic clock, so that every slot of the rates gets exactly one sample. */
  #tickLater(): void {
    const { clock } = this.deps
    const delayMs = TICK_MS - (clock.monotonic() % TICK_MS) + 1
    this.#timer = clock.setTimeout(() => this.#tick(), delayMs)
  }

  #tick(): void {
    const at = this.deps.clock.monotonic()
    for (const slot of this.#farm.slots) {
      const { powerWatts: watts } = this.#sampler.reading(slot.index)
      this.#meters[slot.index]?.sample(at, { count: slot.hashCount(), watts })
    }
    this.#watchProof()
    this.#farm.care.tick()
    this.#keepSchedule()
    const devices = this.devices()
    this.#recorder.record(devices, this.#ledger.effective(at, this.#uptimeSeconds()))
    this.events.emit('devicesChanged', devices)
    this.#announce()
    this.#tickLater()
  }

  /** What was computed since the last tick, at the difficulty of the current job. */
  #watchProof(): void {
    const hashes = this.#farm.slots.reduce((total, slot) => total + slot.hashCount(), 0n)
    const { job } = this.#farm
    if (job !== null) this.#proof.worked(Number(hashes - this.#hashes), expectedHashes(job.target))
    this.#hashes = hashes
  }

  #takeUp(devices: readonly DetectedDevice[]): void {
    this.#meters.push(...devices.map(() => new DeviceMeter()))
    const first = this.#farm.slots.length
    this.#inventory.add(devices)
    this.#farm.add(devices)
    this.#keepSchedule()
    const sources = sensorSources(this.#farm, this.deps.sensorsOf).slice(first)
    for (const [position, source] of sources.entries()) this.#sampler.add(first + position, source)
  }

  #keepSchedule(): void {
    if (this.#schedule.allows(this.deps.clock.now())) this.#farm.resume(null, 'Schedule')
    else this.#farm.pause(null, 'Schedule')
  }

  #announce(): void {
    this.events.emit('statusChanged', this.snapshot())
  }

  #uptimeSeconds(): number {
    return this.#startedAt === null ? 0 : Math.floor((this.deps.clock.monotonic() - this.#startedAt) / 1_000)
  }

  #deviceSnapshot(slot: DeviceSlot): DeviceSnapshot {
    const { clock } = this.deps
    const { care } = this.#farm
    const { index, info, state, progress, pauseReasons, error, datasetBytes } = slot
    const meter = this.#meters[index]
    return {
      index,
      ...info,
      state,
      progress,
      hashrate: meter?.rate ?? NO_HASHRATE,
      shares: this.#ledger.counts(index),
      paused: pauseReasons.length > 0,
      pauseReasons,
      canResume: pauseReasons.includes('Api request'),
      error,
      restarts: care.restarts(index),
      pauseEndsAt: this.#pauses.endsAt(index),
      datasetBytes,
      responds: care.responds(index),
      effectiveHashrate: this.#ledger.effective(clock.monotonic(), this.#uptimeSeconds(), index),
      hashes: Number(slot.hashCount()),
      usualHashrate: this.#recorder.usual({ index, ...info }),
      temperatureLimits: care.limits(index),
      ...this.#sampler.reading(index),
      meanPowerWatts: meter?.meanWatts ?? null,
      takenAt: clock.now(),
    }
  }
}
