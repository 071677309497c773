// Pause and resume of a rig and its GPUs: shown at once, believed only when a reading after the rig's answer confirms
// it.
import { createStore } from 'zustand/vanilla'
import type { Disposable } from '../../../../../base/disposable'
import { messageOf } from '../../../../../base/errors'
import type { Clock } from '../../../../../base/time'
import type { RigFiguresView, RigView } from '../../../../../contract/rigs'
import type { Backend } from '../../../data/backend'

/** Without a confirming reading for this long, the outcome is unknown. */
const CONFIRM_LIMIT_MS = 5000
const FAILURE_SHOWN_MS = 30_000
const CONFIRMED_SHOWN_MS = 3000

/** A GPU's index in the rig's list, or all of them. */
export type RigTarget = number | 'all'

/** Why a rig didn't do it. */
export interface Refusal {
  /** HTTP status of the rig's answer; null without an answer. */
  readonly status: number | null
  /** In the words of the rig or the system. */
  readonly error: string
}

type RigControl =
  | { readonly kind: 'idle' }
  | { readonly kind: 'pending' | 'confirmed' | 'unconfirmed'; readonly wanted: boolean }
  | { readonly kind: 'failed'; readonly wanted: boolean; readonly refusal: Refusal }

const IDLE: RigControl = { kind: 'idle' }

interface RigControlsState {
  readonly targets: Readonly<Record<string, RigControl>>
}

export const selectRigControl =
  (target: RigTarget) =>
  (state: RigControlsState): RigControl =>
    state.targets[String(target)] ?? IDLE

interface Attempt {
  readonly wanted: boolean
  /** Readings with a larger number count; null before the rig's answer. */
  reading: number | null
  timer: Disposable | null
}

export type RigControls = ReturnType<typeof createRigControls>

/** The state machines of one rig's targets. `press` is ignored while a target is pending. */
export function createRigControls(
  rig: string,
  deps: { readonly backend: Pick<Backend, 'call'>; readonly clock: Clock },
) {
  const { backend, clock } = deps
  const { store, set, fade, stopFading } = createShown(clock)
  const attempts = new Map<string, Attempt>()

  const refuse = (key: string, attempt: Attempt, refusal: Refusal): void => {
    if (attempts.get(key) !== attempt) return
    attempt.timer?.dispose()
    attempts.delete(key)
    fade(key, { kind: 'failed', wanted: attempt.wanted, refusal }, FAILURE_SHOWN_MS)
  }

  const press = async (target: RigTarget, wanted: boolean): Promise<void> => {
    const key = String(target)
    if (store.getState().targets[key]?.kind === 'pending') return
    attempts.get(key)?.timer?.dispose()
    const attempt: Attempt = { wanted, reading: null, timer: null }
    attempts.set(key, attempt)
    set(key, { kind: 'pending', wanted })
    attempt.timer = clock.setTimeout(() => set(key, { kind: 'unconfirmed', wanted }), CONFIRM_LIMIT_MS)
    try {
      const action = wanted ? 'pause' : 'resume'
      const gpu = target === 'all' ? null : target
      const { results } = await backend.call('miner.rigCommand', { rigs: [rig], action, gpu })
      const [result] = results
      if (result === undefined || result.error !== '') refuse(key, attempt, result ?? { status: null, error: '' })
      else attempt.reading = result.reading
    } catch (error: unknown) {
      refuse(key, attempt, { status: null, error: messageOf(error) })
    }
  }

  /** Checks the rig's latest report. */
  const observe = ({ figures, reading }: Pick<RigView, 'figures' | 'reading'>): void => {
    for (const [key, attempt] of attempts) {
      if (attempt.reading === null || reading <= attempt.reading) continue
      if (figures === null || !shows(figures, key, attempt.wanted)) continue
      attempt.timer?.dispose()
      attempts.delete(key)
      fade(key, { kind: 'confirmed', wanted: attempt.wanted }, CONFIRMED_SHOWN_MS)
    }
  }

  const dispose = (): void => {
    for (const { timer } of attempts.values()) timer?.dispose()
    attempts.clear()
    stopFading()
  }

  return { store, press, observe, dispose }
}

/** What is shown for each target; some of it only for a while. */
function createShown(clock: Clock) {
  const store = createStore<RigControlsState>(() => ({ targets: {} }))
  const fades = new Set<Disposable>()
  const set = (key: string, state: RigControl): void =>
    store.setState(({ targets }) => ({ targets: { ...targets, [key]: state } }))
  /** Returns to idle later, unless something else happened in between. */
  const fade = (key: string, shown: RigControl, afterMs: number): void => {
    set(key, shown)
    const timer = clock.setTimeout(() => {
      fades.delete(timer)
      if (store.getState().targets[key] === shown) set(key, IDLE)
    }, afterMs)
    fades.add(timer)
  }
  const stopFading = (): void => {
    for (const timer of fades) timer.dispose()
    fades.clear()
  }
  return { store, set, fade, stopFading }
}

function shows({ gpus }: RigFiguresView, key: string, wanted: boolean): boolean {
  const meant = gpus.filter((_, index) => key === 'all' || String(index) === key)
  return meant.length > 0 && meant.every((gpu) => gpu.paused === wanted)
}
