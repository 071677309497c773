// Pause and resume, shown at once, believed when a later reading confirms it: one state machine per target.

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Disposable } from '../../../base/disposable'
import { HeadframeError, messageOf } from '../../../base/errors'
import type { Clock } from '../../../base/time'
import type { DevicesView } from '../../../contract/miner'
import type { Backend } from '../data/backend'

/** Without a confirming reading for this long, the outcome is unknown. */
export const CONFIRM_LIMIT_MS = 5000
/** Building datasets takes a while. */
const RESTART_LIMIT_MS = 120_000
const FAILURE_SHOWN_MS = 30_000
const CONFIRMED_SHOWN_MS = 3000

/** A device's index, or all of them. */
export type PauseTarget = number | 'all'
/** What can be pending: a pause, or the restart of all. */
export type ControlTarget = PauseTarget | 'restart'

interface Failure {
  readonly cause: 'denied' | 'contact' | 'other'
  readonly reason: string
  /** HTTP status of a rig's answer; null without one. */
  readonly status: number | null
}

export type ControlState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'pending'; readonly wanted: boolean }
  | { readonly kind: 'confirmed'; readonly wanted: boolean }
  | ({ readonly kind: 'failed'; readonly wanted: boolean } & Failure)
  | { readonly kind: 'unconfirmed'; readonly wanted: boolean }

interface ControlsState {
  readonly targets: Readonly<Record<string, ControlState>>
}

const IDLE: ControlState = { kind: 'idle' }

export const selectControl =
  (target: ControlTarget) =>
  (state: ControlsState): ControlState =>
    state.targets[String(target)] ?? IDLE

/** Whether a reading shows what was wanted. */
type Shows<V> = (view: V) => boolean

interface Attempt<V> {
  readonly work: Work<V>
  /** Null until the call is answered: only readings after that count. */
  shows: Shows<V> | null
  timer: Disposable | null
  /** Pressed since, and begun when this one ends; null: nothing, or the same once more. */
  next: Work<V> | null
}

interface Work<V> {
  readonly wanted: boolean
  /** Of a pause that ends by itself. */
  readonly forSeconds: number | null
  readonly limitMs: number
  readonly call: () => Promise<Shows<V>>
}

export type Controls = ReturnType<typeof createControls>

/** The state machines of all targets. While one is pending, the last press that wants something else follows it. */
export function createControls({ backend, clock }: { readonly backend: Pick<Backend, 'call'>; readonly clock: Clock }) {
  const store = createControlStore()
  const attempts = createAttempts<DevicesView>(store, clock)
  const shows =
    (key: string, wanted: boolean): Shows<DevicesView> =>
    (view) =>
      isShown(view, key, wanted)

  /** `forSeconds`: the pause ends after that; null = it lasts until resumed. */
  const press = (target: PauseTarget, wanted: boolean, forSeconds: number | null = null): Promise<void> => {
    const device = target === 'all' ? null : target
    const call = async (): Promise<Shows<DevicesView>> => {
      if (!wanted) await backend.call('miner.resume', { device })
      else await backend.call('miner.pause', forSeconds === null ? { device } : { device, forSeconds })
      return shows(String(target), wanted)
    }
    return attempts.begin(String(target), { wanted, forSeconds, limitMs: CONFIRM_LIMIT_MS, call })
  }

  /** Confirmed once a reading after the answer shows that no dataset is being built anymore. */
  const restart = (): Promise<void> => {
    const call = async (): Promise<Shows<DevicesView>> => {
      await backend.call('miner.restart', {})
      return shows('restart', true)
    }
    return attempts.begin('restart', { wanted: true, forSeconds: null, limitMs: RESTART_LIMIT_MS, call })
  }

  return { store, press, restart, observe: attempts.observe }
}

export const createControlStore = () => createStore<ControlsState>(() => ({ targets: {} }))

/** What is shown of each target; some of it only for a while. */
function createShown(store: StoreApi<ControlsState>, clock: Clock) {
  const fades = new Set<Disposable>()
  const set = (key: string, state: ControlState): void =>
    store.setState(({ targets }) => ({ targets: { ...targets, [key]: state } }))

  /** Returns to idle later, unless something else happened in between. */
  const fade = (key: string, shown: ControlState, afterMs: number): void => {
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
  return { set, fade, stopFading }
}

/** @param failureOf what is shown of a call that failed */
export function createAttempts<V>(store: StoreApi<ControlsState>, clock: Clock, failureOf = failureOfCall) {
  const attempts = new Map<string, Attempt<V>>()
  const { set, fade, stopFading } = createShown(store, clock)

  const begin = async (key: string, work: Work<V>): Promise<void> => {
    const { wanted, limitMs, call } = work
    const before = attempts.get(key)
    if (before !== undefined && store.getState().targets[key]?.kind === 'pending') {
      const isSame = before.work.wanted === wanted && before.work.forSeconds === work.forSeconds
      before.next = isSame ? null : work
      return
    }
    before?.timer?.dispose()
    const attempt: Attempt<V> = { work, shows: null, timer: null, next: null }
    attempts.set(key, attempt)
    set(key, { kind: 'pending', wanted })
    attempt.timer = clock.setTimeout(() => end(key, attempt, () => set(key, { kind: 'unconfirmed', wanted })), limitMs)
    try {
      attempt.shows = await call()
    } catch (error: unknown) {
      if (attempts.get(key) !== attempt) return
      attempts.delete(key)
      end(key, attempt, () => fade(key, { kind: 'failed', wanted, ...failureOf(error) }, FAILURE_SHOWN_MS))
    }
  }

  /** Shows how an attempt ended, and begins what was pressed meanwhile. */
  const end = (key: string, attempt: Attempt<V>, show: () => void): void => {
    attempt.timer?.dispose()
    show()
    if (attempt.next !== null) void begin(key, attempt.next)
  }

  /** Checks a reading that arrived after the answer. */
  const observe = (view: V): void => {
    for (const [key, attempt] of attempts) {
      const { wanted } = attempt.work
      if (attempt.shows?.(view) !== true) continue
      attempts.delete(key)
      end(key, attempt, () => fade(key, { kind: 'confirmed', wanted }, CONFIRMED_SHOWN_MS))
    }
  }

  const dispose = (): void => {
    for (const { timer } of attempts.values()) timer?.dispose()
    attempts.clear()
    stopFading()
  }

  return { begin, observe, dispose }
}

function isShown(view: DevicesView, key: string, wanted: boolean): boolean {
  if (key === 'restart')
    return view.devices.every(({ state }) => !['starting', 'compiling', 'building'].includes(state))
  const devices = view.devices.filter((device) => key === 'all' || String(device.index) === key)
  return devices.length > 0 && devices.every((device) => device.paused === wanted)
}

function failureOfCall(error: unknown): Failure {
  const code = error instanceof HeadframeError ? error.code : ''
  const cause = code === 'CONTRACT_DENIED' ? 'denied' : code === 'CONTRACT_CLOSED' ? 'contact' : 'other'
  return { cause, reason: messageOf(error), status: null }
}
