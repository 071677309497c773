// Whether the user can be at the screen: combines lock and sleep events.

export type PowerChange = 'suspend' | 'resume' | 'lock-screen' | 'unlock-screen'

interface PresenceListener {
  /** The screen was locked, or the computer is going to sleep; called once. */
  readonly onLeft: () => void
  /** It is awake and unlocked. */
  readonly onBack: () => void
  /** It is awake again, locked or not. */
  readonly onWake: () => void
  /** Whether the screen is locked now, as far as the system reports it. */
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
      // Some systems report the lock that comes with sleep, but not its end.
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
