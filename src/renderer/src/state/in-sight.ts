// What only matters to viewers: a hidden page notifies nobody, and everybody once it is visible again.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Disposable } from '../../../base/disposable'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { DevicesView, DeviceView, SeriesName } from '../../../contract/miner'
import { EARLY_MS, READING_MS } from '../components/charts/chart-pace'
import type { Backend } from '../data/backend'
import type { SampleRings } from './sample-rings'
import { type MinerState, selectDevice } from './stores/program-store'

/** False in a hidden or minimized window and in a background tab. */
export function isInSight(): boolean {
  return document.visibilityState !== 'hidden'
}

export function onSight(listener: () => void): () => void {
  return onSightChange(() => {
    if (isInSight()) listener()
  })
}

/** The same, and also each time it is hidden. */
export function onSightChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Calls `work` every `periodMs` while the page is visible, and at once when it becomes visible. */
export function everyInSight(clock: Clock, periodMs: number, work: () => void): Disposable {
  const state: { timer: Disposable | null } = { timer: null }
  const begin = (): void => {
    state.timer?.dispose()
    state.timer = isInSight() ? clock.setInterval(work, periodMs) : null
  }
  const forget = onSightChange(() => {
    begin()
    if (isInSight()) work()
  })
  begin()
  return {
    dispose: () => {
      state.timer?.dispose()
      forget()
    },
  }
}

/** The same store for rendering: it is always up to date, but notifies nobody while the page is hidden. */
export function whileInSight<S>(store: StoreApi<S>): StoreApi<S> {
  return { ...store, subscribe: notifying(store, isInSight, onSight, store.getState) }
}

/** Only while `isOn`, and at once when it is on again. @param before what was shown until then */
function notifying<S>(
  store: StoreApi<S>,
  isOn: () => boolean,
  onAgain: (listener: () => void) => () => void,
  before: () => S,
): StoreApi<S>['subscribe'] {
  return (listener) => {
    const stop = store.subscribe((now, last) => {
      if (isOn()) listener(now, last)
    })
    const forget = onAgain(() => listener(store.getState(), before()))
    return () => {
      stop()
      forget()
    }
  }
}

// Tells the backend whether the user can see this page, and fills the gap in its samples when it is visible again.

/** Until disposed. A page starts out visible; a page that never reported has nothing to undo. */
export function tellSight(
  backend: Pick<Backend, 'call' | 'connection' | 'onConnection'>,
  rings: Pick<SampleRings, 'missed'>,
): Disposables {
  const all = new Disposables()
  const state = { told: true }
  const tell = (): void => {
    const inSight = isInSight()
    if (backend.connection().kind !== 'open' || inSight === state.told) return
    state.told = inSight
    // Samples that arrived in the meantime have gaps; the recorded history has none.
    if (inSight) rings.missed()
    backend.call('ui.sight', { inSight }).catch(() => undefined) // without contact there is nobody to notify
  }
  all.defer(onSightChange(tell))
  all.add(
    backend.onConnection(() => {
      // A new connection starts out visible.
      if (backend.connection().kind !== 'open') state.told = true
      else tell()
    }),
  )
  tell()
  return all
}

// Freezes live updates on demand: what is rendered keeps its last values, while the stores keep updating.

interface FreezeState {
  readonly since: number | null
}

export type Freeze = ReturnType<typeof createFreeze>

export function createFreeze(clock: Pick<Clock, 'now'>) {
  const store = createStore<FreezeState>(() => ({ since: null }))
  const set = (since: number | null): void => {
    if ((store.getState().since === null) !== (since === null)) store.setState({ since })
  }
  return {
    store,
    isOn: () => store.getState().since !== null,
    toggle: () => set(store.getState().since === null ? clock.now() : null),
    off: () => set(null),
    /** Calls `listener` on each unfreeze, until the returned function is called. */
    onThaw: (listener: () => void) =>
      store.subscribe(({ since }, before) => {
        if (since === null && before.since !== null) listener()
      }),
  }
}

/** The same store for rendering: while frozen it keeps the values of that moment, and notifies nobody of new ones. */
export function whileLive<S>(store: StoreApi<S>, freeze: Freeze): StoreApi<S> {
  const held = { state: store.getState() }
  freeze.store.subscribe(({ since }) => {
    if (since !== null) held.state = store.getState()
  })
  return {
    ...store,
    getState: () => (freeze.isOn() ? held.state : store.getState()),
    subscribe: notifying(
      store,
      () => !freeze.isOn(),
      freeze.onThaw,
      () => held.state,
    ),
  }
}

// Which readings are shown: every second one, and at once the one in which something happened. Changing figures is most
// of what a window with many devices costs, and nobody reads sixteen rows within a second.

const SHOWN_READINGS = 2
/** What arrives with a reading is shown with it, also where drawing the charts before it takes long. */
const TOGETHER_MS = 700
/** A reading that would be shown with a later one is shown alone if that one is this late. */
export const LATE_MS = 700
/** A figure that changes by more than this part, and by more than one, is an event. */
const LEAP = 0.05

/** One beat for all figures and charts of a page, so that they share frames. */
export interface ReadingPace {
  /** Whether what arrives now is shown now; the next beat begins when somebody asks after it is due. */
  readonly isBeat: () => boolean
  /** Until the next beat is due, ms. */
  readonly dueMs: () => number
}

export function createReadingPace(clock: Pick<Clock, 'monotonic'>): ReadingPace {
  const state = { beganAt: Number.NEGATIVE_INFINITY }
  const dueMs = (): number => Math.max(0, state.beganAt + SHOWN_READINGS * READING_MS - EARLY_MS - clock.monotonic())
  return {
    isBeat() {
      if (dueMs() === 0) state.beganAt = clock.monotonic()
      return clock.monotonic() - state.beganAt < TOGETHER_MS
    },
    dueMs,
  }
}

/** Every second reading, unless more than drifting numbers changed; until then all keep the state that is on screen. */
export function atPace<S>(store: StoreApi<S>, pace: ReadingPace, clock: Clock): StoreApi<S> {
  const listeners = new Set<(state: S, before: S) => void>()
  const shown: { state: S; late: Disposable | null; stop: () => void } = {
    state: store.getState(),
    late: null,
    stop: () => undefined,
  }
  const show = (): void => {
    shown.late?.dispose()
    shown.late = null
    const before = shown.state
    shown.state = store.getState()
    for (const listener of listeners) listener(shown.state, before)
  }
  const onChange = (state: S): void => {
    if (pace.isBeat() || !isDrift(shown.state, state)) show()
    else shown.late ??= clock.setTimeout(show, pace.dueMs() + LATE_MS)
  }
  return {
    ...store,
    getState: () => (listeners.size === 0 ? store.getState() : shown.state),
    subscribe: (listener) => {
      if (listeners.size === 0) {
        shown.state = store.getState()
        shown.stop = store.subscribe(onChange)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        shown.stop()
        shown.late?.dispose()
        shown.late = null
      }
    },
  }
}

/** True if the two differ in nothing but numbers, and in those by little: a temperature, a counted share. */
export function isDrift(before: unknown, now: unknown): boolean {
  if (Object.is(before, now)) return true
  if (typeof before === 'number' && typeof now === 'number') return isSmall(before, now)
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) return false
  const keys = Object.keys(now)
  return (
    keys.length === Object.keys(before).length &&
    keys.every((key) => isDrift(Reflect.get(before, key), Reflect.get(now, key)))
  )
}

/** The first share or the end of a hashrate is no drift. */
function isSmall(before: number, now: number): boolean {
  if (before === 0 || now === 0) return false
  const moved = Math.abs(now - before)
  return moved <= 1 || moved <= LEAP * Math.max(Math.abs(before), Math.abs(now))
}

// Hands every reading of a device to the figures that show it. They write it into the page themselves: sixteen devices
// have a hundred figures, and rendering them each second costs several times as much.

interface LiveReadings {
  /** Calls `write` now, if the device is known, and with each reading until the returned function is called. */
  readonly follow: (device: number, write: (reading: DeviceView) => void) => () => void
}

/** @param miner as rendered: it notifies nobody while the page is hidden or frozen, and afterwards at once */
export function createLiveReadings(miner: StoreApi<MinerState>): LiveReadings {
  const writers = new Map<number, Set<(reading: DeviceView) => void>>()
  const state: { last: DevicesView | null; stop: () => void } = { last: null, stop: () => undefined }
  const tell = ({ devices }: MinerState): void => {
    if (devices === null || devices === state.last) return
    state.last = devices
    for (const reading of devices.devices) for (const write of writers.get(reading.index) ?? []) write(reading)
  }
  return {
    follow(device, write) {
      if (writers.size === 0) state.stop = miner.subscribe(tell)
      const own = writers.get(device) ?? new Set()
      writers.set(device, own)
      own.add(write)
      const now = selectDevice(device)(miner.getState())
      if (now !== undefined) write(now)
      return () => {
        own.delete(write)
        if (own.size === 0 && writers.get(device) === own) writers.delete(device)
        if (writers.size > 0) return
        state.stop()
        state.last = null
      }
    },
  }
}

// A device without the figures that change with every reading: what shows it is rendered only when something else changed.

/** Different in most readings: `LiveReadings` hands them to what shows them. */
type Figure =
  | 'hashrate'
  | 'effectiveHashrate'
  | 'shares'
  | 'temperature'
  | 'fanPercent'
  | 'powerWatts'
  | 'meanPowerWatts'
  | 'clockMhz'
  | 'takenAt'

export interface SteadyDevice extends Omit<DeviceView, Figure> {
  /** Which sensors have a value. */
  readonly reported: Readonly<Record<SensorName, boolean>>
}

export type SensorName = Exclude<SeriesName, 'hashrate' | 'effective'>

function steadyOf(device: DeviceView): SteadyDevice {
  const { hashrate, effectiveHashrate, shares, temperature, fanPercent, powerWatts, meanPowerWatts, ...others } = device
  const { clockMhz, takenAt, ...steady } = others
  return {
    ...steady,
    reported: {
      core: temperature.core !== null,
      hotspot: temperature.hotspot !== null,
      memory: temperature.memory !== null,
      fan: fanPercent !== null,
      power: powerWatts !== null,
      coreClock: clockMhz.core !== null,
      memoryClock: clockMhz.memory !== null,
    },
  }
}

/** One device; the same object until something in it changes. Each caller needs a selector of its own. */
export function selectSteady(index: number): (state: MinerState) => SteadyDevice | undefined {
  const find = selectDevice(index)
  const same = keepSame<SteadyDevice>()
  const last: { read: DeviceView | undefined; steady: SteadyDevice | undefined } = {
    read: undefined,
    steady: undefined,
  }
  return (state) => {
    const read = find(state)
    if (read !== last.read) last.steady = read && same(steadyOf(read))
    last.read = read
    return last.steady
  }
}

/** The returned function gives back the object before, as long as the content is the same. For what JSON can say. */
export function keepSame<T>(): (value: T) => T {
  const last: { kept: { readonly text: string; readonly value: T } | null } = { kept: null }
  return (value) => {
    const text = JSON.stringify(value)
    if (last.kept?.text !== text) last.kept = { text, value }
    return last.kept.value
  }
}
