// Tells systemd, or what speaks sd_notify(3), when everything listens, that the main loop is alive, and the status.
import type { Disposable } from '../../base/disposable'
import type { Logger } from '../../base/logger'
import { type Clock, systemClock } from '../../base/time'
import { noticeSender, type SendNotice } from '../../native/system/system-calls'

/** During startup, how often and by how much the timeout is extended. */
const START_STEP_MS = 10_000
const START_EXTENSION_MS = 60_000
const MICROSECONDS = 1_000

interface ServiceManagerDeps {
  /** `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` are used. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly pid: number
  /** Only called when there is a manager. */
  readonly sender: () => SendNotice
  readonly clock: Clock
}

/** Of this process. @param searchFrom where the addon is searched; see `loadAddon` */
export function ownServiceManager(environment: ServiceManagerDeps['environment'], searchFrom: string): ServiceManager {
  const { pid } = process
  return new ServiceManager({ environment, pid, sender: () => noticeSender(searchFrom), clock: systemClock() })
}

export class ServiceManager implements Disposable {
  readonly #socket: string | null
  readonly #watchdogMs: number | null
  #send: SendNotice | null = null
  #timer: Disposable | null = null
  #status = ''

  constructor(private readonly deps: ServiceManagerDeps) {
    const { environment, pid } = deps
    const socket = environment.NOTIFY_SOCKET ?? ''
    this.#socket = /^[/@]./.test(socket) ? socket : null
    const micros = Number(environment.WATCHDOG_USEC ?? '')
    const isForUs = environment.WATCHDOG_PID === undefined || environment.WATCHDOG_PID === String(pid)
    this.#watchdogMs = isForUs && Number.isSafeInteger(micros) && micros > 0 ? micros / MICROSECONDS : null
  }

  /** Extends the timeout as long as the main loop runs, until `ready` or the end. */
  starting(): void {
    this.#repeat(START_STEP_MS, `EXTEND_TIMEOUT_USEC=${START_EXTENSION_MS * MICROSECONDS}`)
  }

  /** Everything listens. From now on the main loop feeds the watchdog twice per interval. */
  ready(log: Logger): void {
    const failure = this.#tell('READY=1')
    if (failure !== '') log.error("the service manager can't be told that the program is ready", { reason: failure })
    this.dispose()
    if (this.#watchdogMs !== null) this.#repeat(this.#watchdogMs / 2, 'WATCHDOG=1')
  }

  /** One status line; sent when it changed. */
  status(text: string): void {
    if (text === this.#status) return
    this.#status = text
    this.#tell(`STATUS=${text.replace(/[\r\n]+/g, ' ')}`)
  }

  /** Stopping; the manager's own timeout ends a stop that hangs. */
  stopping(): void {
    this.#tell('STOPPING=1')
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#timer = null
  }

  #repeat(periodMs: number, text: string): void {
    if (this.#socket === null) return
    this.#tell(text)
    this.#timer = this.deps.clock.setInterval(() => void this.#tell(text), periodMs)
  }

  /** Empty when there is nobody to notify. */
  #tell(text: string): string {
    if (this.#socket === null) return ''
    this.#send ??= this.deps.sender()
    return this.#send(this.#socket, text)
  }
}
