// Why a device is paused: a set of reasons with fixed texts in a fixed order, each lifted by its own cause only.

/** The family's texts in display order. The first five are common to miners. */
export const PAUSE_REASONS = [
  'Overheating',
  'Api request',
  'Farm suspended',
  'Insufficient GPU memory',
  'Epoch initialization error',
  'Device error',
  'Schedule',
  'On battery',
  'Low efficiency',
  'Not selected',
] as const

/** Reason of a pause. */
export type PauseReason = (typeof PAUSE_REASONS)[number]

/** Reasons that mean the device itself is faulty. */
export const FAULTS: readonly PauseReason[] = ['Insufficient GPU memory', 'Epoch initialization error', 'Device error']

/** The set of one device. */
export class PauseReasons {
  readonly #set = new Set<PauseReason>()

  /** True when the reason is new. */
  add(reason: PauseReason): boolean {
    if (this.#set.has(reason)) return false
    this.#set.add(reason)
    return true
  }

  /** True when the reason was set. */
  remove(reason: PauseReason): boolean {
    return this.#set.delete(reason)
  }

  get paused(): boolean {
    return this.#set.size > 0
  }

  get faulty(): boolean {
    return FAULTS.some((reason) => this.#set.has(reason))
  }

  /** In the fixed order. */
  list(): PauseReason[] {
    return PAUSE_REASONS.filter((reason) => this.#set.has(reason))
  }
}
