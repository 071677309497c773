// What the user set for this device: looks and habits. Nothing in it is secret or decides anything that counts.
import { z } from 'zod'
import { createStore } from 'zustand/vanilla'
import { languageTags } from '../../../base/language/languages'
import { readJson } from './stored-json'
import { planSchema } from './welcome-plan'

const KEY = 'headframe.preferences'
const HOURS_PER_DAY = 24
const WATTS_PER_KILOWATT = 1000

const preferencesSchema = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  language: z.enum(['system', ...languageTags]).catch('system'),
  /** Single-letter keys such as `g o`. */
  letterKeys: z.boolean().catch(true),
  /** Approvals ask for typed digits instead of a timed hold. */
  noTimedHolds: z.boolean().catch(false),
  /** Transitions and drawn motion are left out, also where the system allows them. */
  lessMotion: z.boolean().catch(false),
  /** In which temperatures are shown. */
  degrees: z.enum(['celsius', 'fahrenheit']).catch('celsius'),
  /** Price of a kWh as typed, for what mining costs; empty = not known. */
  tariff: z
    .string()
    .regex(/^\d{0,6}(\.\d{1,6})?$/)
    .catch(''),
  currency: z.string().max(8).catch(''),
  /** Who is paid by the pools, where their login does not tell; empty = the login. */
  payoutAddress: z
    .string()
    .regex(/^(0x[0-9a-fA-F]{40})?$/)
    .catch(''),
  /** Columns of the device table that were hidden, by name. */
  hiddenColumns: z.array(z.string().max(20)).max(20).catch([]),
  /** The steps of a first start as far as they were chosen here. */
  plan: planSchema.catch(() => planSchema.parse({})),
  /** Network whose banner was closed; it still stands where money is moved. Empty = none. */
  closedBanner: z.string().max(20).catch(''),
  /** They were finished or declined on this device. */
  isWelcomed: z.boolean().catch(false),
  /** Start was pressed at their end, and nobody left the page that shows what came of it. */
  isStarting: z.boolean().catch(false),
})

export type Preferences = z.infer<typeof preferencesSchema>
export type ThemeChoice = Preferences['theme']

/** Reads `storage` once and writes every change back. Text that is no preferences counts as none. */
export function createPreferencesStore(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const store = createStore<Preferences>(() => preferencesSchema.parse(readJson(storage.getItem(KEY))))
  store.subscribe((state) => storage.setItem(KEY, JSON.stringify(state)))
  return store
}

/** What `watts` cost in a day, in the tariff's currency; null without a tariff or without a reading. */
export function costPerDay({ tariff }: Pick<Preferences, 'tariff'>, watts: number | null): number | null {
  return tariff === '' || watts === null ? null : energyPerDay(watts) * Number(tariff)
}

/** kWh in a day. */
export function energyPerDay(watts: number): number {
  return (watts * HOURS_PER_DAY) / WATTS_PER_KILOWATT
}
