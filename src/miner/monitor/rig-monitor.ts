// All other rigs: polls them, serves their last reports, and forwards commands with each rig's own token.
import { Agent } from 'node:http'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'
import type { PoolUrl } from '../../config/values/pool-url'
import type { RigLabels } from '../../config/values/rig-address'
import type { OtherRig } from '../api/rigs'
import type { HistoryStore } from '../stats/history-file'
import type { HistorySlice } from '../stats/snapshot'
import { ConcurrencyLimit } from './concurrency-limit'
import { FiguresPacker, type PackedFigures, unpackFigures } from './packed-figures'
import { firstLook, hasManyRigs, lookInterval, MAX_LOOKS } from './poll-pace'
import { type CommandOutcome, type PollOutcome, RigClient, type RigPlace } from './rig-client'
import { type RigFigures, rigFigures } from './rig-figures'
import { setPool } from './rig-line'
import { RigPoller } from './rig-poller'
import {
  decodeRecords,
  encodeRecords,
  type RigGpuSeries,
  RigRecord,
  type RigSeries,
  type RigWindow,
} from './rig-record'
import { type RigSelection, type SelectionFault, selectRigs } from './rig-selection'
import type { RigTarget } from './service-discovery'

/** Concurrent commands; further ones wait, so that many rigs don't use up all connections. */
const MAX_COMMANDS = 128
/** What a crash loses of the rigs' history. */
const SAVE_MS = 600_000

/** A configured rig. */
export interface MonitoredRig extends RigPlace {
  readonly name: string
  /** Labels for selection; the one named `group` is its group. */
  readonly labels: RigLabels
}

interface RigMonitorOptions {
  readonly rigs: readonly MonitoredRig[]
  readonly intervalMs: number
}

interface RigMonitorDeps {
  readonly clock: Clock
  /** 0 <= x < 1 */
  readonly random: () => number
  /** where the rigs' last day outlives the program; absent: nowhere */
  readonly kept?: { readonly store: HistoryStore; readonly log: Logger }
}

/** A rig with its last report. */
export interface WatchedRig {
  readonly rig: OtherRig
  /** number of the poll that brought the summary; 0 before the first */
  readonly reading: number
  /** median hashrate over the last 24 h; null while less than half an hour is known */
  readonly usualHashrate: number | null
  /** shares of the last ten minutes; late and unanswered ones count as rejected by most programs */
  readonly recent: ReturnType<RigRecord['recentShares']>
  readonly figures: RigFigures | null
}

/** A command for rigs; a pool comes both as typed and parsed. */
export type RigCommand =
  | { readonly action: 'pause' | 'resume' | 'restart' /** null: the whole rig */; readonly gpu: number | null }
  | { readonly action: 'set-pool'; readonly text: Secret; readonly url: PoolUrl }

/** An empty error: it has done what it was told. */
export interface RigResult {
  readonly rig: string
  /** empty: success */
  readonly error: string
  /** HTTP status on failure; null without a response */
  readonly status: number | null
  /** summaries with a higher number were taken after the answer */
  readonly reading: number
}

interface Watched {
  readonly rig: MonitoredRig
  readonly client: RigClient
  readonly poller: RigPoller
  readonly record: RigRecord
  /** of the last summary; null before the first */
  readonly figures: () => RigFigures | null
}

export class RigMonitor implements Service {
  readonly name = 'rigs'
  readonly events = new Emitter<{ rigsChanged: null }>()
  #watched: readonly Watched[]
  readonly #packer = new FiguresPacker()
  /** For rigs whose connections end with each answer. */
  readonly #passing = new Agent({ keepAlive: false })
  readonly #looks = new ConcurrencyLimit(MAX_LOOKS)
  readonly #turns = new ConcurrencyLimit(MAX_COMMANDS)
  #startedAt: number | null = null
  #saver: Disposable | null = null

  constructor(
    private readonly options: RigMonitorOptions,
    private readonly deps: RigMonitorDeps,
  ) {
    const { length } = options.rigs
    this.#watched = options.rigs.map((rig) => this.#watch(rig, length))
  }

  async start(): Promise<void> {
    await this.#restore()
    if (this.deps.kept !== undefined) this.#saver = this.deps.clock.setInterval(() => void this.#save(), SAVE_MS)
    this.#startedAt = this.deps.clock.monotonic()
    this.#watched.forEach(({ poller }, index) => void poller.start(firstLook(index, this.#watched.length)))
  }

  async stop(): Promise<void> {
    this.#startedAt = null
    this.#saver?.dispose()
    this.#saver = null
    for (const watched of this.#watched) leave(watched)
    this.#passing.destroy()
    await this.#save()
  }

  /** A file that is broken, or of another program, is no history; it is said. */
  async #restore(): Promise<void> {
    const { kept, clock } = this.deps
    if (kept === undefined || this.#watched.length === 0) return
    try {
      const bytes = await kept.store.load()
      const days = bytes === null ? new Map() : decodeRecords(bytes)
      if (days === null) kept.log.warn("the rigs' history is broken and was ignored")
      for (const { rig, record } of this.#watched) {
        const day = days?.get(keyOf(rig))
        if (day !== undefined) record.restore(day, clock.now())
      }
    } catch (error: unknown) {
      kept.log.warn("the rigs' history could not be read", { error: messageOf(error) })
    }
  }

  async #save(): Promise<void> {
    const { kept } = this.deps
    if (kept === undefined || this.#watched.length === 0) return
    try {
      await kept.store.save(encodeRecords(new Map(this.#watched.map(({ rig, record }) => [keyOf(rig), record]))))
    } catch (error: unknown) {
      kept.log.warn("the rigs' history could not be written", { error: messageOf(error) })
    }
  }

  /** All monitored rigs, with their tokens. */
  list(): readonly MonitoredRig[] {
    return this.#watched.map(({ rig }) => rig)
  }

  add(rig: MonitoredRig): void {
    this.#change([...this.#watched, this.#watch(rig, this.#watched.length)])
  }

  replace(name: string, rig: MonitoredRig): void {
    this.#change(
      this.#watched.map((watched) => (watched.rig.name === name ? this.#watch(rig, this.#watched.length) : watched)),
    )
  }

  remove(name: string): void {
    this.#change(this.#watched.filter(({ rig }) => rig.name !== name))
  }

  #change(next: readonly Watched[]): void {
    for (const watched of this.#watched) if (!next.includes(watched)) leave(watched)
    const fresh = next.filter((watched) => !this.#watched.includes(watched))
    this.#watched = next
    if (this.#startedAt !== null) for (const { poller } of fresh) poller.start()
    this.events.emit('rigsChanged', null)
  }

  /** @param among number of monitored rigs */
  #watch(rig: MonitoredRig, among: number): Watched {
    const { clock, random } = this.deps
    const isSparing = hasManyRigs(among)
    const intervalMs = lookInterval(this.options.intervalMs, among)
    const client = new RigClient(rig, clock, isSparing ? this.#passing : null)
    const record = new RigRecord(intervalMs, isSparing ? 'coarse' : 'fine')
    let figures: PackedFigures | null = null
    const poll = async (): Promise<PollOutcome> => {
      const outcome = await this.#looks.run(() => client.summary())
      if ('summary' in outcome) {
        const read = rigFigures(outcome.summary)
        figures = this.#packer.pack(read, figures)
        record.add(clock.now(), read)
      }
      return outcome
    }
    const onChange = (): void => this.events.emit('rigsChanged', null)
    const options = { name: rig.name, host: placeText(rig), labels: rig.labels, intervalMs }
    const poller = new RigPoller(options, { poll, clock, random, onChange })
    return { rig, client, record, poller, figures: () => (figures === null ? null : unpackFigures(figures)) }
  }

  /** How old an online rig's reading may be: three intervals, at least a minute. */
  get staleSeconds(): number {
    return Math.max(60, (3 * lookInterval(this.options.intervalMs, this.#watched.length)) / 1_000)
  }

  /** Whole seconds since startup; 0 before it. */
  uptimeSeconds(): number {
    return this.#startedAt === null ? 0 : Math.floor((this.deps.clock.monotonic() - this.#startedAt) / 1_000)
  }

  /** In configuration order. */
  rigs(): readonly OtherRig[] {
    return this.#watched.map(({ poller }) => poller.view())
  }

  /** The same with the last summary's figures; null before the first. */
  watchedRigs(): readonly WatchedRig[] {
    return this.#watched.map(({ poller, record, figures }) => ({
      rig: poller.view(),
      reading: poller.kept,
      usualHashrate: record.usual(),
      recent: record.recentShares(),
      figures: poller.kept === 0 ? null : figures(),
    }))
  }

  /** A rig's chart data; null for a rig that isn't monitored. */
  history(name: string, series: RigSeries, window: RigWindow): HistorySlice | null {
    return this.#find(name)?.record.rig(this.deps.clock.now(), series, window) ?? null
  }

  /** The last hour of one of its GPUs; null for a rig that isn't monitored. */
  gpuHistory(name: string, gpu: number, series: RigGpuSeries): HistorySlice | null {
    return this.#find(name)?.record.gpu(this.deps.clock.now(), gpu, series) ?? null
  }

  #find(name: string): Watched | undefined {
    return this.#watched.find(({ rig }) => rig.name === name)
  }

  targets(): readonly RigTarget[] {
    return this.#watched.map(({ rig }) => ({ name: rig.name, host: placeText(rig), labels: rig.labels }))
  }

  /** Whether a token is stored for it. */
  hasToken(name: string): boolean {
    return (this.#find(name)?.rig.token ?? null) !== null
  }

  /** Names of the selected rigs in list order, followed by names that aren't monitored. */
  select(selection: RigSelection): readonly string[] | SelectionFault {
    return selectRigs(this.list(), selection)
  }

  /** Sends the command to several rigs at once; one result each, in request order; nothing is rolled back. */
  async command(names: readonly string[], command: RigCommand): Promise<readonly RigResult[]> {
    const byName = new Map(this.#watched.map((watched) => [watched.rig.name, watched]))
    return Promise.all(
      names.map(async (name) => {
        const found = byName.get(name)
        if (found === undefined) return { rig: name, error: 'no rig of this name is watched', status: null, reading: 0 }
        const outcome = await this.#turns.run(() => this.#tell(found, command))
        const reading = found.poller.begun
        // Polled immediately, to show its effect.
        found.poller.hurry()
        return { rig: name, ...refusalOf(outcome), reading }
      }),
    )
  }

  #tell({ rig, client }: Watched, command: RigCommand): Promise<CommandOutcome> {
    if (command.action === 'set-pool') return setPool(rig, command, this.deps.clock)
    const { action, gpu } = command
    return client.control(gpu === null ? { action } : { action, gpu })
  }
}

function refusalOf(outcome: CommandOutcome): Pick<RigResult, 'error' | 'status'> {
  return 'error' in outcome ? outcome : { error: '', status: null }
}

/** A rig of this name at another place is another rig. */
function keyOf(rig: MonitoredRig): string {
  return `${rig.name} ${placeText(rig)}`
}

function leave({ poller, client }: Watched): void {
  poller.stop()
  client.close()
}

/** `host:port`, IPv6 in brackets. */
export function placeText({ host, port }: Pick<RigPlace, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
