// What the user set for this device: looks and habits. Nothing in it is secret or decides anything that counts.
import { z } from 'zod'
import { createStore } from 'zustand/vanilla'

const KEY = 'headframe.preferences'

const preferencesSchema = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  /** Single-letter keys such as `g o`. */
  letterKeys: z.boolean().catch(true),
  /** Approvals ask for typed digits instead of a timed hold. */
  noTimedHolds: z.boolean().catch(false),
})

export type Preferences = z.infer<typeof preferencesSchema>
export type ThemeChoice = Preferences['theme']
export type PreferencesStore = ReturnType<typeof createPreferencesStore>

/** Reads `storage` once and writes every change back. Text that is no preferences counts as none. */
export function createPreferencesStore(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const store = createStore<Preferences>(() => preferencesSchema.parse(readJson(storage.getItem(KEY))))
  store.subscribe((state) => storage.setItem(KEY, JSON.stringify(state)))
  return store
}

function readJson(text: string | null): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
