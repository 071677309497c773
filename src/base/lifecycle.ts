// How everything starts and stops: services in order, and a container for timers, listeners and handles.
import type { Disposable } from './disposable'
import { defineErrors, messageOf } from './errors'
import type { Logger } from './logger'
import { onAbort } from './on-abort'
import type { Clock } from './time'
import { within } from './time'

/** Something that starts and stops as a whole; `ServiceGroup` runs several in order. */
export interface Service {
  readonly name: string
  /** Resolves when the service is usable (listening, opened, subscribed). The signal aborts the start and every wait inside it. */
  start(signal: AbortSignal): Promise<void>
  /** Idempotent. Releases everything start() took, in reverse order. A stopped service may be started again. */
  stop(): Promise<void>
}

export const LifecycleError = defineErrors({
  HOST_STOP_TIMEOUT: (d: { service: string; budgetMs: number }) => `${d.service} did not stop within ${d.budgetMs} ms`,
})

/** Holds what a service acquired and releases it in reverse order, so nothing outlives the service. */
export class Disposables implements Disposable {
  #items: Disposable[]

  /** @param items the first to keep; null or undefined = none */
  constructor(...items: readonly (Disposable | null | undefined)[]) {
    this.#items = items.filter((item) => item != null)
  }

  /** Keeps `item` and returns it. */
  add<T extends Disposable>(item: T): T {
    this.#items.push(item)
    return item
  }

  /** Keeps a cleanup function. */
  defer(release: () => void): void {
    this.#items.push({ dispose: release })
  }

  dispose(): void {
    const items = this.#items
    this.#items = []
    for (const item of items.reverse()) item.dispose()
  }
}

interface ServiceGroupOptions {
  readonly log: Logger
  readonly clock: Clock
  /** Stop budget in ms by service name; the others get `defaultStopMs`. */
  readonly stopBudgetMs?: Readonly<Record<string, number>>
  readonly defaultStopMs?: number
  /** Stop budget for all services together, ms; what is left of it caps each service's own. Default: no overall cap. */
  readonly totalStopMs?: number
}

/** Stop budget of a service that states none, ms. */
export const DEFAULT_STOP_MS = 2_000
/** What a service still gets when the others have used up the overall budget: enough to remove a file. */
const MIN_STOP_MS = 100
/** How long a service may take to abandon its start once told to, ms. */
const START_ABORT_MS = 300

/** Starts services in order and stops them in reverse, even when the third of five fails to start. */
export class ServiceGroup implements Service {
  readonly name: string
  readonly #services: readonly Service[]
  readonly #options: ServiceGroupOptions
  #started: Service[] = []
  #stopping: Promise<void> | null = null

  constructor(name: string, services: readonly Service[], options: ServiceGroupOptions) {
    this.name = name
    this.#services = services
    this.#options = options
  }

  /** @throws the failing service's own error, after those already started were stopped. */
  async start(signal: AbortSignal): Promise<void> {
    for (const service of this.#services) {
      try {
        signal.throwIfAborted()
        await this.#startOne(service, signal)
        this.#started.push(service)
        this.#options.log.debug('service started', { service: service.name })
      } catch (error) {
        await this.#stopWithin(service)
        await this.stop()
        throw error
      }
    }
    this.#options.log.debug('all services started', { order: namesOf(this.#started) })
  }

  /** A start that ignores the signal is abandoned shortly after. @throws the signal's reason then */
  async #startOne(service: Service, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const held = new Disposables()
    const started = service.start(signal)
    const left = new Promise<never>((_resolve, reject) => {
      const leave = (): void => reject(signal.reason)
      held.add(onAbort(signal, () => void held.add(clock.setTimeout(leave, START_ABORT_MS))))
    })
    try {
      await Promise.race([started, left])
    } finally {
      held.dispose()
    }
  }

  /** Concurrent calls share one stop. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll().finally(() => {
      this.#stopping = null
    })
    return this.#stopping
  }

  async #stopAll(): Promise<void> {
    const started = this.#started
    this.#started = []
    const { clock, totalStopMs = Number.POSITIVE_INFINITY } = this.#options
    const endAt = clock.monotonic() + totalStopMs
    const ended: Service[] = []
    for (const service of started.reverse()) {
      await this.#stopWithin(service, endAt - clock.monotonic())
      ended.push(service)
    }
    if (ended.length > 0) this.#options.log.debug('all services stopped', { order: namesOf(ended) })
  }

  /** A service that hangs is abandoned after its budget, with a loud log line. */
  async #stopWithin(service: Service, leftMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { log, clock, stopBudgetMs = {}, defaultStopMs = DEFAULT_STOP_MS } = this.#options
    const budgetMs = Math.min(stopBudgetMs[service.name] ?? defaultStopMs, Math.max(MIN_STOP_MS, leftMs))
    try {
      const isStopped = await within(service.stop(), budgetMs, clock)
      if (isStopped) log.debug('service stopped', { service: service.name })
      else log.error('service did not stop in time', { code: 'HOST_STOP_TIMEOUT', service: service.name, budgetMs })
    } catch (error) {
      log.error('service failed to stop', { service: service.name, error: messageOf(error) })
    }
  }
}

function namesOf(services: readonly Service[]): string {
  return services.map(({ name }) => name).join(' ')
}
