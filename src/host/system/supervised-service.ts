// Isolates a trade's failure: it shows, and others continue; a lost worker restarts it, at most twice in 5 minutes.
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { MetricsRegistry } from '../../base/metrics'
import { onAbort } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import type { ServiceStateView } from '../../contract/app'

const RESTART_WINDOW_MS = 5 * 60_000
const RESTARTS_IN_WINDOW = 2

interface SupervisedServiceOptions {
  /** Start errors that end the whole program (a port in use), since continuing without the service would mislead. */
  readonly isFatal: (error: unknown) => boolean
}

interface SupervisedServiceDeps {
  readonly clock: Clock
  readonly log: Logger
}

interface SupervisedServiceEvents {
  stateChanged: ServiceStateView
}

type State = ServiceStateView['state']

export class SupervisedService implements Service {
  readonly name: string
  readonly events = new Emitter<SupervisedServiceEvents>()
  readonly #restarts: number[] = []
  #state: State = 'off'
  #reason = ''
  #run: AbortController | null = null
  #restarting: Promise<void> = Promise.resolve()

  constructor(
    private readonly inner: Service,
    private readonly options: SupervisedServiceOptions,
    private readonly deps: SupervisedServiceDeps,
  ) {
    this.name = inner.name
  }

  view(): ServiceStateView {
    return { name: this.name, state: this.#state, reason: this.#reason }
  }

  /** @throws the inner error when it is fatal or the start was aborted; other errors only show as failed */
  async start(signal: AbortSignal): Promise<void> {
    const run = new AbortController()
    this.#run = run
    const held = onAbort(signal, () => run.abort(signal.reason))
    this.#set('starting')
    try {
      await this.inner.start(run.signal)
      this.#set('running')
    } catch (error) {
      // Told to stop, it hasn't failed, whatever that broke.
      if (run.signal.aborted) this.#set('off')
      else this.#fail(error)
      await this.#stopInner()
      if (signal.aborted || this.options.isFatal(error)) throw error
    } finally {
      held.dispose()
    }
  }

  async stop(): Promise<void> {
    this.#run?.abort()
    this.#run = null
    await this.#restarting
    try {
      await this.inner.stop()
    } catch (error) {
      // It isn't running, whatever it left behind: it can be started again.
      this.#fail(error)
      throw error
    }
    if (this.#state !== 'failed') this.#set('off')
  }

  /** Starts it, unless it runs, while the others continue. @throws the start's error; later failures only show */
  async switchOn(): Promise<void> {
    if (this.#state !== 'off' && this.#state !== 'failed') return
    const run = new AbortController()
    this.#run = run
    this.#set('starting')
    // What a failure left behind is released first; a stop waits for all of it.
    const started = this.#restarting.then(() => this.#begin(run.signal))
    this.#restarting = started.then(() => undefined)
    const failure = await started
    if (failure !== null) throw failure.error
  }

  /**
   * Stops it, runs `work`, which never rejects, and starts it again. Resolves when it has stopped; a stop meanwhile aborts
   * `work`, waits for it, and leaves the service off.
   */
  async whileStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.stop()
    const run = new AbortController()
    this.#run = run
    this.#restarting = work(run.signal).then(async () => {
      // Switched on meanwhile: that start waits for this work.
      if (run.signal.aborted || this.#run !== run) return
      this.#set('starting')
      await this.#begin(run.signal)
    })
  }

  /** The service's worker ended by itself: its calls have failed already, the service is restarted. */
  workerLost(reason: string): void {
    const run = this.#run
    if (run === null || run.signal.aborted || this.#state !== 'running') return
    const now = this.deps.clock.monotonic()
    const recent = this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS)
    this.#restarts.splice(0, this.#restarts.length, ...recent)
    if (recent.length >= RESTARTS_IN_WINDOW) {
      this.#fail(reason)
      this.#restarting = this.#stopInner()
      return
    }
    this.#restarts.push(now)
    this.deps.log.warn('restarting service after its worker was lost', { service: this.name, reason })
    this.#set('starting')
    this.#restarting = this.#begin(run.signal, true).then(() => undefined)
  }

  /** Never rejects. @param isLost its worker: what is left of it is stopped first */
  async #begin(signal: AbortSignal, isLost = false): Promise<{ readonly error: unknown } | null> {
    try {
      if (isLost) await this.inner.stop()
      await this.inner.start(signal)
      this.#set('running')
      return null
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
      await this.#stopInner()
      return { error }
    }
  }

  /** After a failure: errors of stop() are only logged. */
  async #stopInner(): Promise<void> {
    try {
      await this.inner.stop()
    } catch (error) {
      this.deps.log.warn('failed service did not stop cleanly', { service: this.name, error: messageOf(error) })
    }
  }

  #fail(error: unknown): void {
    this.#set('failed', typeof error === 'string' ? error : messageOf(error))
    this.deps.log.error('service failed', { service: this.name, reason: this.#reason })
  }

  #set(state: State, reason = ''): void {
    this.#state = state
    this.#reason = reason
    this.events.emit('stateChanged', this.view())
  }
}

/** The family `host_service_failed`: what a failed service measures is absent, not wrong. */
export function registerServiceMetrics(
  metrics: MetricsRegistry,
  services: () => readonly Pick<SupervisedService, 'view'>[],
): void {
  const help = '1 while this service has failed and the program runs without it.'
  metrics.collect({ name: 'host_service_failed', help, labels: ['service'], type: 'gauge' }, () =>
    services().map((service) => {
      const { name, state } = service.view()
      return { labels: { service: name }, value: state === 'failed' ? 1 : 0 }
    }),
  )
}
