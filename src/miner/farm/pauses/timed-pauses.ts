// Pauses with a duration: "for ten minutes".
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

/** Clock and callback. */
interface TimedPausesDeps {
  readonly clock: Clock
  /** This device's time is over. */
  readonly resume: (device: number) => void
}

/** One timer per device. */
export class TimedPauses {
  readonly #running = new Map<number, { readonly timer: Disposable; readonly endsAt: number }>()

  constructor(private readonly deps: TimedPausesDeps) {}

  /** Replaces the device's timer. @param seconds null: none */
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

  /** UTC ms; null without a timer. */
  endsAt(device: number): number | null {
    return this.#running.get(device)?.endsAt ?? null
  }

  clear(): void {
    for (const { timer } of this.#running.values()) timer.dispose()
    this.#running.clear()
  }
}
