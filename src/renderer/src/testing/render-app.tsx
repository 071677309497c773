// Renders components over a scripted backend and a clock turned by hand; for tests only.
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { PageKeys } from '../../../contract/approval/approval-keys'
import { type Catalogue, english } from '../i18n/english'
import { LanguageProvider } from '../i18n/text'
import { EnvironmentProvider } from '../state/environment'
import { connectStores, createStores } from '../state/stores/stores'
import { stubMatchMedia } from './match-media'
import { ScriptedBackend } from './scripted'

export interface Stage {
  readonly backend: ScriptedBackend
  readonly clock: FakeClock
  readonly storage: Map<string, string>
  /** Lets time pass, and runs what waits for it. */
  readonly pass: (ms: number) => Promise<void>
}

export interface StageLook {
  /** True for a window that matches every min-width media query. */
  readonly isWide?: boolean
  readonly catalogue?: Catalogue
  readonly approvalKeys?: PageKeys | null
}

/** `prepare` scripts the backend before the first render. */
export async function stage(
  content: ReactNode,
  prepare: (backend: ScriptedBackend, clock: FakeClock) => void = () => undefined,
  { isWide = false, catalogue = english, approvalKeys = null }: StageLook = {},
): Promise<Stage> {
  const backend = new ScriptedBackend()
  const clock = new FakeClock()
  const storage = new Map<string, string>()
  prepare(backend, clock)
  const stores = createStores({
    backend,
    clock,
    storage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => void storage.set(key, value) },
  })
  connectStores(stores, backend)
  stubMatchMedia(isWide)
  render(
    <LanguageProvider locale="en" catalogue={catalogue}>
      <EnvironmentProvider value={{ backend, stores, loadCharts: null, approvalKeys }}>{content}</EnvironmentProvider>
    </LanguageProvider>,
  )
  const pass = (ms: number): Promise<void> => act(async () => clock.advance(ms))
  await pass(0)
  return { backend, clock, storage, pass }
}
