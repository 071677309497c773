// All other rigs together: polls them, shows what they said last, and passes commands on with each rig's own token.
import { Emitter } from '../../base/events'
import type { Service } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { ForeignSummary, OtherRig } from '../api/rigs'
import { type CommandOutcome, RigClient, type RigPlace } from './rig-client'
import { type RigFigures, rigFigures } from './rig-figures'
import { RigPoller } from './rig-poller'
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
}

interface Watched {
  readonly rig: MonitoredRig
  readonly client: RigClient
  readonly poller: RigPoller
}

export class RigMonitor implements Service {
  readonly name = 'rigs'
  readonly events = new Emitter<{ rigsChanged: null }>()
  readonly #watched: readonly Watched[]
  /** A summary is read once, however often its numbers are shown. */
  readonly #figures = new WeakMap<ForeignSummary, RigFigures>()
  #startedAt: number | null = null

  constructor(
    options: RigMonitorOptions,
    private readonly deps: RigMonitorDeps,
  ) {
    const { clock, random } = deps
    this.#watched = options.rigs.map((rig) => {
      const client = new RigClient(rig, clock)
      const poller = new RigPoller(
        { name: rig.name, host: placeText(rig), intervalMs: options.intervalMs },
        { poll: () => client.summary(), clock, random, onChange: () => this.events.emit('rigsChanged', null) },
      )
      return { rig, client, poller }
    })
  }

  async start(): Promise<void> {
    this.#startedAt = this.deps.clock.monotonic()
    for (const { poller } of this.#watched) poller.start()
  }

  async stop(): Promise<void> {
    for (const { poller, client } of this.#watched) {
      poller.stop()
      client.close()
    }
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
    return this.rigs().map((rig) => ({ rig, figures: rig.summary === undefined ? null : this.#read(rig.summary) }))
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
    return this.#watched.some(({ rig }) => rig.name === name && rig.token !== null)
  }

  /** The same command to several rigs at once; one line for each, in the order asked, nothing is rolled back. */
  async command(names: readonly string[], { action, gpu }: RigCommand): Promise<readonly RigResult[]> {
    const body = gpu === null ? { action } : { action, gpu }
    return Promise.all(
      names.map(async (name) => {
        const found = this.#watched.find(({ rig }) => rig.name === name)
        if (found === undefined) return { rig: name, error: 'no rig of this name is watched' }
        return { rig: name, error: errorOf(await found.client.control(body)) }
      }),
    )
  }
}

function errorOf(outcome: CommandOutcome): string {
  return 'error' in outcome ? outcome.error : ''
}

function placeText({ host, port }: RigPlace): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
