// How everything starts and stops: services in order, and a bag for timers, listeners and handles.
import type { Disposable } from './disposable'
import { defineErrors, messageOf } from './errors'
import type { Logger } from './logger'
import type { Clock } from './time'

export interface Service {
  readonly name: string
  /** Resolves when the service is usable (listening, opened, subscribed). The signal aborts the start and every wait inside it. */
  start(signal: AbortSignal): Promise<void>
  /** Idempotent. Releases everything start() took, in reverse order. A stopped service may be started again. */
  stop(): Promise<void>
}

export const LifecycleError = defineErrors({
  HOST_START_FAILED: (d: { service: string; reason: string }) => `${d.service} could not start: ${d.reason}`,
  HOST_STOP_TIMEOUT: (d: { service: string; budgetMs: number }) => `${d.service} did not stop within ${d.budgetMs} ms`,
})

/** Holds what a service took, so that nothing outlives it. Released in reverse order. */
export class Disposables implements Disposable {
  #items: Disposable[] = []

  /** Keeps `item` and returns it. */
  add<T extends Disposable>(item: T): T {
    this.#items.push(item)
    return item
  }

  /** Keeps a release function. */
  defer(release: () => void): void {
    this.#items.push({ dispose: release })
  }

  dispose(): void {
    const items = this.#items
    this.#items = []
    for (const item of items.reverse()) item.dispose()
  }
}

export interface ServiceGroupOptions {
  readonly log: Logger
  readonly clock: Clock
  /** Stop budget in ms by service name; others get `defaultStopMs`. */
  readonly stopBudgetMs?: Readonly<Record<string, number>>
  readonly defaultStopMs?: number
}

/** Starts services in order and stops them in reverse, also when the third of five fails to start. */
export class ServiceGroup implements Service {
  readonly name: string
  readonly #services: readonly Service[]
  readonly #options: ServiceGroupOptions
  #started: Service[] = []

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
        await service.start(signal)
        this.#started.push(service)
        this.#options.log.debug('service started', { service: service.name })
      } catch (error) {
        await this.#stopWithin(service)
        await this.stop()
        throw error
      }
    }
  }

  async stop(): Promise<void> {
    const started = this.#started
    this.#started = []
    for (const service of started.reverse()) await this.#stopWithin(service)
  }

  /** A service that hangs is left behind after its budget, said loudly. */
  async #stopWithin(service: Service): Promise<void> {
    const { log, clock, stopBudgetMs = {}, defaultStopMs = 2_000 } = this.#options
    const budgetMs = stopBudgetMs[service.name] ?? defaultStopMs
    let timer: Disposable | undefined
    const timeout = new Promise<'late'>((resolve) => {
      timer = clock.setTimeout(() => resolve('late'), budgetMs)
    })
    try {
      const outcome = await Promise.race([service.stop().then(() => 'done' as const), timeout])
      if (outcome === 'late')
        log.error('service did not stop in time', { code: 'HOST_STOP_TIMEOUT', service: service.name, budgetMs })
      else log.debug('service stopped', { service: service.name })
    } catch (error) {
      log.error('service failed to stop', { service: service.name, error: messageOf(error) })
    } finally {
      timer?.dispose()
    }
  }
}
