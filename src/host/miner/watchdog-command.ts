// The operator's program, started when the watchdog disables a device (--watchdog-command): to reboot, or to send an
// alert.
import { dirname } from 'node:path'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { HostError } from '../errors'
import { startDetached } from './reboot-script'

/** A rig whose devices fail together needs it once. */
const MIN_GAP_MS = 60_000

interface WatchdogCommandDeps {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Logger
}

/** One for all devices. */
export class WatchdogCommand {
  /** monotonic ms */
  #startedAt: number | null = null

  /** @param file absolute; null: none */
  constructor(
    private readonly file: string | null,
    private readonly deps: WatchdogCommandDeps,
  ) {}

  /**
   * Starts it with the device's index and the reason as its two arguments, without a shell and without our environment.
   * True when it was started; at most once a minute.
   */
  run(device: number, reason: string): Promise<boolean> {
    const { clock, log } = this.deps
    const { file } = this
    if (file === null) return Promise.resolve(false)
    const now = clock.monotonic()
    if (this.#startedAt !== null && now - this.#startedAt < MIN_GAP_MS) return Promise.resolve(false)
    this.#startedAt = now
    const fields = { file, device, reason }
    return startDetached('watchdog command', [file, String(device), reason], { cwd: dirname(file), log, fields })
  }
}

/** When the watchdog disables a device: starts the operator's program, and under --exit ends this one. */
export function onDeviceLost(
  exitOnFailure: boolean,
  command: Pick<WatchdogCommand, 'run'>,
  onExitAsked: (failure: Error) => void,
): (device: number, reason: string) => void {
  return (device, reason) => {
    void command.run(device, reason)
    if (exitOnFailure) onExitAsked(new HostError('HOST_DEVICE_FAILED', { device, reason }))
  }
}
