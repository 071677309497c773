// Why a device stands still: a set of reasons, told in fixed words and a fixed order, each lifted by its own cause only.

/** The family's words in the order they are shown. The first five are the field's own. */
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

export type PauseReason = (typeof PAUSE_REASONS)[number]

/** Reasons that mean that the device itself is unwell. */
const FAULTS: readonly PauseReason[] = ['Insufficient GPU memory', 'Epoch initialization error', 'Device error']

export class PauseReasons {
  readonly #set = new Set<PauseReason>()

  /** True when the reason was not there before. */
  add(reason: PauseReason): boolean {
    if (this.#set.has(reason)) return false
    this.#set.add(reason)
    return true
  }

  /** True when the reason was there. */
  remove(reason: PauseReason): boolean {
    return this.#set.delete(reason)
  }

  has(reason: PauseReason): boolean {
    return this.#set.has(reason)
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
