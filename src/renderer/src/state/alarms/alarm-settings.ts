// Alarm thresholds, as set for this page's device: levels of each GPU, rules for pool and rigs, and sounds.
import { z } from 'zod'
import { createStore } from 'zustand/vanilla'
import type { DeviceView } from '../../../../contract/miner'
import { readJson } from '../stored-json'

const KEY = 'headframe.alarms'

export const places = ['core', 'hotspot', 'memory'] as const
export type Place = (typeof places)[number]

const celsius = z.number().int().min(20).max(150)
const pair = z.object({ warn: celsius, critical: celsius })
const percent = z.number().int().min(1).max(100)
/** For the fan, and for the card's own power limit; settings stored before these existed get the defaults. */
const levelsSchema = z.object({
  core: pair,
  hotspot: pair,
  memory: pair,
  fan: percent.catch(95),
  power: percent.catch(98),
})
export type DeviceLevels = z.infer<typeof levelsSchema>

/** Celsius; fan and power in percent. */
export const DEFAULT_LEVELS: DeviceLevels = {
  core: { warn: 75, critical: 85 },
  hotspot: { warn: 95, critical: 105 },
  memory: { warn: 95, critical: 105 },
  fan: 95,
  power: 98,
}

const bounded = (min: number, max: number, usual: number) => z.number().int().min(min).max(max).catch(usual)

/** Allowed input for each rule. */
export const ruleBounds = {
  ratePercent: { min: 1, max: 100, usual: 90 },
  poolLostSeconds: { min: 10, max: 3600, usual: 60 },
  rigOfflineSeconds: { min: 10, max: 86_400, usual: 60 },
  rigRatePercent: { min: 1, max: 100, usual: 80 },
  rigCelsius: { min: 20, max: 150, usual: 90 },
} as const
export type RuleName = keyof typeof ruleBounds
export const ruleNames = Object.keys(ruleBounds) as readonly RuleName[]

const rule = (name: RuleName) => bounded(ruleBounds[name].min, ruleBounds[name].max, ruleBounds[name].usual)

const settingsSchema = z.object({
  sounds: z.boolean().catch(false),
  /** By `deviceKey`; devices not listed have the default levels. */
  levels: z.record(z.string(), levelsSchema).catch({}),
  rules: z
    .object({
      ratePercent: rule('ratePercent'),
      poolLostSeconds: rule('poolLostSeconds'),
      rigOfflineSeconds: rule('rigOfflineSeconds'),
      rigRatePercent: rule('rigRatePercent'),
      rigCelsius: rule('rigCelsius'),
    })
    .catch(() => usualRules()),
  /** Acknowledged alarms that aren't over. */
  acknowledged: z.array(z.string().max(200)).max(1000).catch([]),
})

export type AlarmSettings = z.infer<typeof settingsSchema>
export type AlarmSettingsStore = ReturnType<typeof createAlarmSettings>

function usualRules() {
  return {
    ratePercent: ruleBounds.ratePercent.usual,
    poolLostSeconds: ruleBounds.poolLostSeconds.usual,
    rigOfflineSeconds: ruleBounds.rigOfflineSeconds.usual,
    rigRatePercent: ruleBounds.rigRatePercent.usual,
    rigCelsius: ruleBounds.rigCelsius.usual,
  }
}

/** Reads `storage` once and writes every change back; invalid content counts as none. */
export function createAlarmSettings(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const store = createStore<AlarmSettings>(() => settingsSchema.parse(readJson(storage.getItem(KEY))))
  store.subscribe((state) => storage.setItem(KEY, JSON.stringify(state)))
  return store
}

/** A card keeps its levels when its position in the list changes. */
export function deviceKey({ pci, index, name }: Pick<DeviceView, 'pci' | 'index' | 'name'>): string {
  return pci === '' ? `${index} ${name}` : pci
}

/** @param device as `deviceKey` names it */
export const selectLevels =
  (device: string) =>
  ({ levels }: Pick<AlarmSettings, 'levels'>): DeviceLevels =>
    (Object.hasOwn(levels, device) ? levels[device] : undefined) ?? DEFAULT_LEVELS

/** Null while the text isn't a valid number. */
export function readWhole(text: string, { min, max }: { readonly min: number; readonly max: number }): number | null {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : null
}
