// For every test of the window: loading may take long on a busy machine, and all texts are loaded.
import { configure } from '@testing-library/react'
import * as React from 'react'
import { afterAll, inject, vi } from 'vitest'
import { loadEnglish } from '../i18n/english'
import { stubMatchMedia } from './match-media'

declare module 'vitest' {
  interface ProvidedContext {
    patienceMs: number
  }
}

configure({ asyncUtilTimeout: inject('patienceMs') })
await loadEnglish()

// uPlot asks for it while it is loaded, and jsdom has none: whichever file loads it first would fail.
if (typeof window !== 'undefined') stubMatchMedia(false)

// Files share a process: a part that is still being loaded when its file ends would fail, for every later file, too.
afterAll(() => vi.dynamicImportSettled())

// React's development build takes the stack of every element it makes, up to 10,000 a second, to name its maker in warnings: a fifth
// of the time of these tests. A warning still names the component.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Record<
  string,
  object
>
if (internals !== undefined)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Number.POSITIVE_INFINITY,
    set: () => undefined,
  })
