// Provides the backend, the stores and the clock to components; the entries create them, tests provide their own.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type StoreApi, useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { Clock } from '../../../base/time'
import type { PageKeys } from '../../../contract/approval/approval-keys'
import type { ChartEngine } from '../components/charts/chart-engine'
import type { Backend } from '../data/backend'
import { type ControlState, type ControlTarget, selectControl } from './controls'
import { type SteadyDevice, selectSteady } from './in-sight'
import type { Preferences } from './preferences'
import {
  type AppState,
  type MinerState,
  type NodeState,
  type OperationState,
  selectCanApprove,
  selectCanControl,
  selectIsOpen,
} from './stores/program-store'
import type { SignerState } from './stores/signer-store'
import type { Stores } from './stores/stores'

interface Environment {
  readonly backend: Backend
  /** Tells the program's time, whatever the page's own clock says. */
  readonly clock: Clock
  readonly stores: Stores
  /** Draws charts; null without a canvas. Loaded at the first chart. */
  readonly loadCharts: (() => Promise<ChartEngine>) | null
  /** Seals passwords; missing or null without WebCrypto, which only secure pages have. */
  readonly approvalKeys?: PageKeys | null
}

const EnvironmentContext = createContext<Environment | null>(null)

interface EnvironmentProviderProps {
  readonly value: Omit<Environment, 'clock'>
  readonly children: ReactNode
}

export function EnvironmentProvider({ value, children }: EnvironmentProviderProps) {
  const environment = useMemo(() => ({ ...value, clock: value.stores.clock }), [value])
  return <EnvironmentContext.Provider value={environment}>{children}</EnvironmentContext.Provider>
}

export function useEnvironment(): Environment {
  const environment = useContext(EnvironmentContext)
  if (environment === null) throw new Error('no EnvironmentProvider above this component')
  return environment
}

function useShallowStore<S, T>(store: StoreApi<S>, selector: (state: S) => T): T {
  return useStore(store, useShallow(selector))
}

export function useApp<T>(selector: (state: AppState) => T): T {
  return useShallowStore(useEnvironment().stores.app, selector)
}

export const useCanControl = (): boolean => useApp(selectCanControl)
export const useCanApprove = (): boolean => useApp(selectCanApprove)
export const useIsOpen = (): boolean => useApp(selectIsOpen)

export function useMiner<T>(selector: (state: MinerState) => T): T {
  return useShallowStore(useEnvironment().stores.shown.miner, selector)
}

/** One device without the figures that change with every reading: for those, see `DeviceValue`. */
export function useDevice(index: number): SteadyDevice | undefined {
  const select = useMemo(() => selectSteady(index), [index])
  return useStore(useEnvironment().stores.shown.miner, select)
}

export function useOperation<T>(selector: (state: OperationState) => T): T {
  return useShallowStore(useEnvironment().stores.shown.operation, selector)
}

export function useNode<T>(selector: (state: NodeState) => T): T {
  return useShallowStore(useEnvironment().stores.shown.node, selector)
}

export function useSigner<T>(selector: (state: SignerState) => T): T {
  return useShallowStore(useEnvironment().stores.signer, selector)
}

export function usePreference<T>(selector: (state: Preferences) => T): T {
  return useStore(useEnvironment().stores.preferences, selector)
}

export function useControl(target: ControlTarget): ControlState {
  return useStore(useEnvironment().stores.controls.store, selectControl(target))
}

/** Asks once there is contact, when it returns and when `ask` changes. @param ask in useCallback; may clean up */
export function useAsking(ask: () => (() => void) | undefined): void {
  const isOpen = useIsOpen()
  useEffect(() => (isOpen ? ask() : undefined), [isOpen, ask])
}

/** UTC ms, updated once a second. Only for what shows an age or a countdown. */
export function useNow(): number {
  const { ticker } = useEnvironment().stores
  return useSyncExternalStore(ticker.subscribe, ticker.now)
}

/** The same, even while live updates are frozen: for what must not freeze. */
export function useLiveNow(): number {
  const { liveTicker } = useEnvironment().stores
  return useSyncExternalStore(liveTicker.subscribe, liveTicker.now)
}

/** What follows from the time, rendered again only when that changes. @param read answers a string, number or boolean */
export function useMoment<T extends string | number | boolean | null>(read: (now: number) => T): T {
  const { ticker } = useEnvironment().stores
  return useSyncExternalStore(ticker.subscribe, () => read(ticker.now()))
}

/** The same, even while live updates are frozen. */
export function useLiveMoment<T extends string | number | boolean | null>(read: (now: number) => T): T {
  const { liveTicker } = useEnvironment().stores
  return useSyncExternalStore(liveTicker.subscribe, () => read(liveTicker.now()))
}

/** UTC ms since when live updates are frozen; null while they aren't. */
export function useFrozenSince(): number | null {
  return useStore(useEnvironment().stores.freeze.store, ({ since }) => since)
}

/** Keeps the `value` of the moment when live updates were frozen, while they are. */
export function useHeld<T>(value: T): T {
  const isFrozen = useFrozenSince() !== null
  const [held, setHeld] = useState(value)
  if (!isFrozen && held !== value) setHeld(value)
  return isFrozen ? held : value
}
