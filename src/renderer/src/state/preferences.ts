// The user's settings for this device: appearance and habits. Nothing here is secret or decides anything critical.
import { z } from 'zod'
import { createStore } from 'zustand/vanilla'
import { languageTags } from '../../../base/language/languages'
import { planSchema } from './welcome-plan'

const KEY = 'headframe.preferences'

export const rigViews = ['all', 'hot', 'slow', 'offline', 'old'] as const

export const rigGroupings = ['group', 'model', 'pool', 'version', 'none'] as const

export const rigColumns = [
  'name',
  'state',
  'rate',
  'usual',
  'power',
  'efficiency',
  'hottest',
  'gpus',
  'rejected',
  'pool',
  'uptime',
  'version',
] as const

const preferencesSchema = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  language: z.enum(['system', ...languageTags]).catch('system'),
  /** Single-letter keys such as `g o`. */
  letterKeys: z.boolean().catch(true),
  /** Approvals ask for typed digits instead of a timed hold. */
  noTimedHolds: z.boolean().catch(false),
  /** Leaves out transitions and animations, even if the system allows them. */
  lessMotion: z.boolean().catch(false),
  degrees: z.enum(['celsius', 'fahrenheit']).catch('celsius'),
  /** Payout address at the pools, if their login doesn't say it; empty = the login. */
  payoutAddress: z
    .string()
    .regex(/^(0x[0-9a-fA-F]{40})?$/)
    .catch(''),
  /** The period of income on the overview; empty = the shortest that chance doesn't decide alone. */
  incomeSpan: z.enum(['', 'today', '7d', '30d']).catch(''),
  /** A sound for each new incident. */
  alarmSounds: z.boolean().catch(false),
  hiddenColumns: z.array(z.string().max(20)).max(20).catch([]),
  rigViews: z
    .array(
      z.object({
        name: z.string().min(1).max(24),
        query: z.object({
          text: z.string().max(200),
          filter: z.enum(rigViews),
          grouping: z.enum(rigGroupings),
          sort: z.enum(rigColumns),
          isDescending: z.boolean(),
        }),
      }),
    )
    .max(12)
    .catch([]),
  /** The choices made for a first start so far. */
  plan: planSchema.catch(() => planSchema.parse({})),
  /** They were finished or dismissed on this device. */
  isWelcomed: z.boolean().catch(false),
  /** Start was pressed at the end, and the user hasn't left the page with the result. */
  isStarting: z.boolean().catch(false),
})

export type Preferences = z.infer<typeof preferencesSchema>
export type ThemeChoice = Preferences['theme']

/** Reads `storage` once and writes every change back. Invalid content counts as none. */
export function createPreferencesStore(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const store = createStore<Preferences>(() => preferencesSchema.parse(readJson(storage.getItem(KEY))))
  store.subscribe((state) => storage.setItem(KEY, JSON.stringify(state)))
  return store
}

/** An object; `{}` for anything else. */
function readJson(text: string | null): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
