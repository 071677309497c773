// Pauses that end by themselves: "for ten minutes".
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

export interface TimedPausesDeps {
  readonly clock: Clock
  /** The time of this device is over. */
  readonly resume: (device: number) => void
}

export class TimedPauses {
  readonly #running = new Map<number, { readonly timer: Disposable; readonly endsAt: number }>()

  constructor(private readonly deps: TimedPausesDeps) {}

  /** Replaces what was set for the device. @param seconds null: nothing ends by itself */
  set(device: number, seconds: number | null): void {
    this.#running.get(device)?.timer.dispose()
    this.#running.delete(device)
    if (seconds === null) return
    const { clock, resume } = this.deps
    const timer = clock.setTimeout(() => {
      this.#running.delete(device)
      resume(device)
    }, seconds * 1_000)
    this.#running.set(device, { timer, endsAt: clock.now() + seconds * 1_000 })
  }

  /** UTC ms; null where nothing is set. */
  endsAt(device: number): number | null {
    return this.#running.get(device)?.endsAt ?? null
  }

  clear(): void {
    for (const { timer } of this.#running.values()) timer.dispose()
    this.#running.clear()
  }
}
