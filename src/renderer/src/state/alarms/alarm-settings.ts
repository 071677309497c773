// The rules by which the program judges incidents, as this page shows and changes them; and whether the page has sounds.
import { z } from 'zod'
import { createStore } from 'zustand/vanilla'
import { type DeviceLevels, type IncidentRulesView, ruleBounds } from '../../../../contract/incidents'
import type { DeviceView } from '../../../../contract/miner'
import type { Backend } from '../../data/backend'
import { readJson } from '../stored-json'

export type { DeviceLevels }

const KEY = 'headframe.alarms'

export const places = ['core', 'hotspot', 'memory'] as const
export type Place = (typeof places)[number]

export type RuleName = keyof typeof ruleBounds
export const ruleNames: readonly RuleName[] = ['ratePercent', 'poolLostSeconds', 'rigOfflineSeconds', 'rigRatePercent']

const soundsSchema = z.object({ sounds: z.boolean().catch(false) }).catch({ sounds: false })

/** Before the program was asked, and for devices nothing was set for. */
const USUAL: IncidentRulesView = {
  levels: {},
  usualLevels: {
    core: { warn: 75, critical: 85 },
    hotspot: { warn: 95, critical: 105 },
    memory: { warn: 95, critical: 105 },
    fan: 95,
    power: 98,
  },
  ratePercent: ruleBounds.ratePercent.usual,
  poolLostSeconds: ruleBounds.poolLostSeconds.usual,
  rigOfflineSeconds: ruleBounds.rigOfflineSeconds.usual,
  rigRatePercent: ruleBounds.rigRatePercent.usual,
}

export interface AlarmSettings {
  /** Of this page; everything else is the program's. */
  readonly sounds: boolean
  readonly rules: IncidentRulesView
  /** How often the rules were read: fields begin again with what was read. */
  readonly reads: number
}

export type AlarmSettingsStore = ReturnType<typeof createAlarmSettings>

/** Knows the usual rules until `ask`. */
export function createAlarmSettings(storage: Pick<Storage, 'getItem' | 'setItem'>, backend: Pick<Backend, 'call'>) {
  const { sounds } = soundsSchema.parse(readJson(storage.getItem(KEY)))
  const store = createStore<AlarmSettings>(() => ({ sounds, rules: USUAL, reads: 0 }))
  const ask = async (): Promise<void> => {
    try {
      const rules = await backend.call('miner.incidentRules', {})
      store.setState(({ reads }) => ({ rules, reads: reads + 1 }))
    } catch {
      // This program neither mines nor monitors, or contact was lost; the next connection asks again.
    }
  }
  return Object.assign(store, {
    ask,
    setSounds: (isOn: boolean): void => {
      storage.setItem(KEY, JSON.stringify({ sounds: isOn }))
      store.setState({ sounds: isOn })
    },
    /** Effective immediately; if the program refuses, its rules are shown again. */
    save: (change: Partial<IncidentRulesView>): void => {
      const rules = { ...store.getState().rules, ...change }
      store.setState({ rules })
      backend.call('miner.incidentRulesSave', rules).catch(ask)
    },
  })
}

/** A card keeps its levels when its position in the list changes. */
export function deviceKey({ pci, index, name }: Pick<DeviceView, 'pci' | 'index' | 'name'>): string {
  return pci === '' ? `${index} ${name}` : pci
}

/** @param device as `deviceKey` names it */
export const selectLevels =
  (device: string) =>
  ({ rules: { levels, usualLevels } }: Pick<AlarmSettings, 'rules'>): DeviceLevels =>
    (Object.hasOwn(levels, device) ? levels[device] : undefined) ?? usualLevels

/** Null while the text isn't a valid number. */
export function readWhole(text: string, { min, max }: { readonly min: number; readonly max: number }): number | null {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : null
}
