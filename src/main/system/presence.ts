// Whether anybody can be at the screen: what the computer tells of locking and sleep, put together.

export type PowerChange = 'suspend' | 'resume' | 'lock-screen' | 'unlock-screen'

export interface PresenceListener {
  /** The screen was locked, or the computer falls asleep; told once. */
  readonly onLeft: () => void
  /** It is awake, and not locked either. */
  readonly onBack: () => void
  /** It is awake again, locked or not. */
  readonly onWake: () => void
  /** Whether the screen is locked at this moment, as far as the system can tell. */
  readonly isLocked: () => boolean
}

export class Presence {
  readonly #listener: PresenceListener
  #isAsleep = false
  #isLocked = false

  constructor(listener: PresenceListener) {
    this.#listener = listener
  }

  tell(change: PowerChange): void {
    const wasAway = this.#isAway
    if (change === 'suspend') this.#isAsleep = true
    if (change === 'lock-screen') this.#isLocked = true
    if (change === 'unlock-screen') this.#isLocked = false
    if (change === 'resume') {
      this.#isAsleep = false
      // Some systems tell of the locking that goes with sleep, but not of its end.
      this.#isLocked &&= this.#listener.isLocked()
      this.#listener.onWake()
    }
    if (this.#isAway === wasAway) return
    if (this.#isAway) this.#listener.onLeft()
    else this.#listener.onBack()
  }

  get #isAway(): boolean {
    return this.#isAsleep || this.#isLocked
  }
}
