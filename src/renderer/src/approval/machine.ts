// When an approval may be given: only once, after the request was shown in full and undisturbed for long enough.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

export type ApprovalPhase =
  /** Not visible, not focused, or not complete yet. */
  'arriving' | 'settling' | 'armed' | 'submitting' | 'done' | 'failed' | 'expired' | 'withdrawn' | 'refused'

/** Final states: nothing more can be decided. */
export type FinalPhase = Extract<ApprovalPhase, 'done' | 'failed' | 'expired' | 'withdrawn' | 'refused'>

export const SETTLE_MS = 1000
export const SETTLE_CRITICAL_MS = 3000
export const HOLD_MS = 1500

export interface ApprovalSnapshot {
  readonly phase: ApprovalPhase
  /** Increases whenever settling starts again; restarts the ring. */
  readonly round: number
  readonly settleMs: number
  /** True between a valid press and its release. */
  readonly isHeld: boolean
  /** The backend's message for `failed`, or about the last wrong password. */
  readonly message: string
  /** Why it isn't known to be rejected; empty unless that was tried. */
  readonly rejection: string
}

export type Outcome =
  | { readonly kind: 'final'; readonly phase: FinalPhase; readonly message: string }
  /** A wrong password: the request still waits. */
  | { readonly kind: 'again'; readonly message: string }

interface ApprovalMachineOptions {
  readonly isCritical: boolean
  /** How long a press has to last; 0 for an ordinary press. */
  readonly holdMs: number
}

interface Press {
  readonly round: number
  readonly at: number
}

/** The life of one request from appearing to its end. Times are the clock's monotonic ones. */
export class ApprovalMachine {
  readonly #clock: Clock
  #options: ApprovalMachineOptions
  #snapshot: ApprovalSnapshot
  #hasAttention = false
  #isReady = false
  #press: Press | null = null
  #timer: Disposable | null = null
  readonly #listeners = new Set<() => void>()

  constructor(options: ApprovalMachineOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
    this.#snapshot = {
      phase: 'arriving',
      round: 0,
      settleMs: this.#settleMs(),
      isHeld: false,
      message: '',
      rejection: '',
    }
  }

  readonly snapshot = (): ApprovalSnapshot => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get isFinal(): boolean {
    return isFinalPhase(this.#snapshot.phase)
  }

  /** Visible, focused, not covered as far as is known, not framed by another page. */
  setAttention(hasAttention: boolean): void {
    if (this.#hasAttention === hasAttention) return
    this.#hasAttention = hasAttention
    this.#restart()
  }

  /** The form is complete: password, ticks, text read to its end. Checked at both ends of a press. */
  setReady(isReady: boolean): void {
    this.#isReady = isReady
    if (!isReady) this.cancelPress()
  }

  /** A new or changed warning arrived. Restarts settling. */
  setOptions(options: ApprovalMachineOptions): void {
    const { isCritical, holdMs } = this.#options
    if (options.isCritical === isCritical && options.holdMs === holdMs) return
    this.#options = options
    this.disturb()
  }

  /** Something moved or changed under the user's hand: settling starts again. */
  disturb(): void {
    const { phase } = this.#snapshot
    if (phase === 'settling' || phase === 'armed') this.#restart()
  }

  /** The button went down. Counts only while armed and ready. */
  pressStart(): void {
    const { phase, round } = this.#snapshot
    if (phase !== 'armed' || !this.#isReady) return
    this.#press = { round, at: this.#clock.monotonic() }
    this.#update({ isHeld: true })
  }

  cancelPress(): void {
    if (this.#press === null) return
    this.#press = null
    this.#update({ isHeld: false })
  }

  /** True exactly once: for a press within one armed round that lasted long enough; then the phase is `submitting`. */
  pressEnd(): boolean {
    const press = this.#press
    this.cancelPress()
    const { phase, round } = this.#snapshot
    if (press === null || phase !== 'armed' || press.round !== round || !this.#isReady) return false
    if (this.#clock.monotonic() - press.at < this.#options.holdMs) return false
    this.#update({ phase: 'submitting', message: '' })
    return true
  }

  settleOutcome(outcome: Outcome): void {
    if (this.isFinal) return
    if (outcome.kind === 'final') {
      this.end(outcome.phase, outcome.message)
      return
    }
    this.#update({ phase: 'arriving', message: outcome.message })
    this.#restart()
  }

  /** Something else may have ended the request before; one that wasn't confirmed leaves it as it was. */
  settleRejection(outcome: Outcome): void {
    const { phase } = this.#snapshot
    if (phase === 'submitting' || (this.isFinal && phase !== 'refused')) return
    this.#timer?.dispose()
    if (outcome.kind === 'final') this.#update({ phase: outcome.phase, message: outcome.message })
    else this.#update({ phase: 'arriving', rejection: outcome.message })
    this.#restart()
  }

  /** Ends the request on this page; later calls change nothing. */
  end(phase: FinalPhase, message = ''): void {
    if (this.isFinal) return
    this.#timer?.dispose()
    this.#press = null
    this.#update({ phase, message, isHeld: false })
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#listeners.clear()
  }

  #restart(): void {
    const { phase, round } = this.#snapshot
    if (phase === 'submitting' || this.isFinal) return
    this.#timer?.dispose()
    this.#press = null
    const settleMs = this.#settleMs()
    const next = this.#hasAttention ? 'settling' : 'arriving'
    this.#update({ phase: next, round: round + 1, settleMs, isHeld: false })
    if (this.#hasAttention) this.#timer = this.#clock.setTimeout(() => this.#update({ phase: 'armed' }), settleMs)
  }

  #settleMs(): number {
    return this.#options.isCritical ? SETTLE_CRITICAL_MS : SETTLE_MS
  }

  #update(change: Partial<ApprovalSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    for (const listener of [...this.#listeners]) listener()
  }
}

export function isFinalPhase(phase: ApprovalPhase): phase is FinalPhase {
  return phase === 'done' || phase === 'failed' || phase === 'expired' || phase === 'withdrawn' || phase === 'refused'
}
