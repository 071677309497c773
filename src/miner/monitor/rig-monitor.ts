// All other rigs together: polls them, shows what they said last, and passes commands on with each rig's own token.
import { Emitter } from '../../base/events'
import type { Service } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { ForeignSummary, OtherRig } from '../api/rigs'
import { type CommandOutcome, type PollOutcome, RigClient, type RigPlace } from './rig-client'
import { type RigFigures, rigFigures } from './rig-figures'
import { RigPoller } from './rig-poller'
import { type RigGpuSeries, RigRecord, type RigSeries, type RigSlice, type RigWindow } from './rig-record'
import type { RigTarget } from './service-discovery'

export interface MonitoredRig extends RigPlace {
  readonly name: string
}

export interface RigMonitorOptions {
  readonly rigs: readonly MonitoredRig[]
  readonly intervalMs: number
}

export interface RigMonitorDeps {
  readonly clock: Clock
  /** 0 <= x < 1 */
  readonly random: () => number
}

export interface WatchedRig {
  readonly rig: OtherRig
  /** number of the look that brought the summary; 0 before the first */
  readonly reading: number
  /** middle of its hashrate over the last 24 h; null while less than half an hour of it is known */
  readonly usualHashrate: number | null
  readonly figures: RigFigures | null
}

export interface RigCommand {
  readonly action: 'pause' | 'resume' | 'restart'
  /** null: all of the rig */
  readonly gpu: number | null
}

export interface RigResult {
  readonly rig: string
  /** empty: it was done */
  readonly error: string
  /** of the HTTP answer when it was not done; null when there was none */
  readonly status: number | null
  /** summaries with a greater number are of after the answer */
  readonly reading: number
}

interface Watched {
  readonly rig: MonitoredRig
  readonly client: RigClient
  readonly poller: RigPoller
  readonly record: RigRecord
}

export class RigMonitor implements Service {
  readonly name = 'rigs'
  readonly events = new Emitter<{ rigsChanged: null }>()
  readonly #options: RigMonitorOptions
  #watched: readonly Watched[]
  /** A summary is read once, however often its numbers are shown. */
  readonly #figures = new WeakMap<ForeignSummary, RigFigures>()
  #startedAt: number | null = null

  constructor(
    options: RigMonitorOptions,
    private readonly deps: RigMonitorDeps,
  ) {
    this.#options = options
    this.#watched = options.rigs.map((rig) => this.#watch(rig))
  }

  async start(): Promise<void> {
    this.#startedAt = this.deps.clock.monotonic()
    for (const { poller } of this.#watched) poller.start()
  }

  async stop(): Promise<void> {
    this.#startedAt = null
    for (const watched of this.#watched) leave(watched)
  }

  /** All that are watched, with their tokens. */
  list(): readonly MonitoredRig[] {
    return this.#watched.map(({ rig }) => rig)
  }

  /** From now on; at the end of the list. */
  add(rig: MonitoredRig): void {
    this.#change([...this.#watched, this.#watch(rig)])
  }

  /** In its place; what was seen of the old one is forgotten. */
  replace(name: string, rig: MonitoredRig): void {
    this.#change(this.#watched.map((watched) => (watched.rig.name === name ? this.#watch(rig) : watched)))
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

  #watch(rig: MonitoredRig): Watched {
    const { clock, random } = this.deps
    const { intervalMs } = this.#options
    const client = new RigClient(rig, clock)
    const record = new RigRecord(intervalMs)
    const poll = async (): Promise<PollOutcome> => {
      const outcome = await client.summary()
      if ('summary' in outcome) record.add(clock.now(), this.#read(outcome.summary))
      return outcome
    }
    const onChange = (): void => this.events.emit('rigsChanged', null)
    const options = { name: rig.name, host: placeText(rig), intervalMs }
    return { rig, client, record, poller: new RigPoller(options, { poll, clock, random, onChange }) }
  }

  /** Whole seconds since start; 0 before it. */
  uptimeSeconds(): number {
    return this.#startedAt === null ? 0 : Math.floor((this.deps.clock.monotonic() - this.#startedAt) / 1_000)
  }

  /** In the order of the configuration. */
  rigs(): readonly OtherRig[] {
    return this.#watched.map(({ poller }) => poller.view())
  }

  /** The same with the numbers of the kept summary; null before the first. */
  watchedRigs(): readonly WatchedRig[] {
    return this.#watched.map(({ poller, record }) => {
      const rig = poller.view()
      const usualHashrate = record.usual()
      return {
        rig,
        reading: poller.kept(),
        usualHashrate,
        figures: rig.summary === undefined ? null : this.#read(rig.summary),
      }
    })
  }

  /** What was seen of a rig as a whole; null for a rig that is not watched. */
  history(name: string, series: RigSeries, window: RigWindow): RigSlice | null {
    return this.#find(name)?.record.rig(this.deps.clock.now(), series, window) ?? null
  }

  /** The last hour of one of its GPUs; null for a rig that is not watched. */
  gpuHistory(name: string, gpu: number, series: RigGpuSeries): RigSlice | null {
    return this.#find(name)?.record.gpu(this.deps.clock.now(), gpu, series) ?? null
  }

  #find(name: string): Watched | undefined {
    return this.#watched.find(({ rig }) => rig.name === name)
  }

  #read(summary: ForeignSummary): RigFigures {
    const figures = this.#figures.get(summary) ?? rigFigures(summary)
    this.#figures.set(summary, figures)
    return figures
  }

  targets(): readonly RigTarget[] {
    return this.#watched.map(({ rig }) => ({ name: rig.name, host: placeText(rig) }))
  }

  /** True where a token is stored for it. */
  hasToken(name: string): boolean {
    return (this.#find(name)?.rig.token ?? null) !== null
  }

  /** The same command to several rigs at once; one line for each, in the order asked, nothing is rolled back. */
  async command(names: readonly string[], { action, gpu }: RigCommand): Promise<readonly RigResult[]> {
    const body = gpu === null ? { action } : { action, gpu }
    return Promise.all(
      names.map(async (name) => {
        const found = this.#find(name)
        if (found === undefined) return { rig: name, error: 'no rig of this name is watched', status: null, reading: 0 }
        const outcome = await found.client.control(body)
        const reading = found.poller.begun()
        // What it did is seen at once, not at the next look.
        found.poller.hurry()
        return { rig: name, ...refusalOf(outcome), reading }
      }),
    )
  }
}

function refusalOf(outcome: CommandOutcome): Pick<RigResult, 'error' | 'status'> {
  return 'error' in outcome ? outcome : { error: '', status: null }
}

function leave({ poller, client }: Watched): void {
  poller.stop()
  client.close()
}

/** `host:port`, IPv6 in brackets. */
export function placeText({ host, port }: Pick<RigPlace, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
