// What the figures of devices have in common or are named after: rendered again only when that changes.
import { useCallback, useMemo } from 'react'
import { HOUR_MS, MINUTE_MS } from '../../../../base/time'
import type { DeviceView } from '../../../../contract/miner'
import type { MoneyView } from '../../../../contract/money'
import { type Text, useFormat } from '../../i18n/text'
import { useAnswer } from '../../state/answers/use-answer'
import { useEnvironment, useMiner } from '../../state/environment'
import { lostPart, useHourBounds, useMoney } from '../../state/money/use-money'
import { efficiencyOf, type MinerState, selectDevice, selectLargestHashrate } from '../../state/stores/program-store'

/** The prefix that all hashrates of the table share. */
export function useHashratePrefix(): number {
  const format = useFormat()
  return useMiner((state) => format.hashratePrefix(selectLargestHashrate(state)))
}

/** The hottest of a device's sensors; null if it reports none. */
export function useHottestPlace(index: number): TemperaturePlace | null {
  return useMiner((state) => {
    const device = selectDevice(index)(state)
    return device === undefined ? null : (hottestOf(device)?.place ?? null)
  })
}

export type HistorySpan = '10m' | '24h'

/** A record of less than this is too short for a chart of a day. */
const DAY_CHART_FROM_MS = HOUR_MS
const HISTORY_MS = 5 * MINUTE_MS

/** A day, once the program has recorded an hour, before a restart or after it; ten minutes until then. */
export function useHistorySpan(): HistorySpan {
  const { stores, clock } = useEnvironment()
  const ask = useCallback(async (): Promise<HistorySpan> => {
    const { firstAt, stepMs, values } = await stores.queries.history(null, 'hashrate', '24h')
    const first = values.findIndex((value) => value !== null)
    return first >= 0 && clock.now() - (firstAt + first * stepMs) >= DAY_CHART_FROM_MS ? '24h' : '10m'
  }, [stores, clock])
  return useAnswer(ask, { everyMs: HISTORY_MS }).value ?? '10m'
}

const DAY_HOURS = 24
const WATTS_PER_KW = 1_000
const WEI_PER_LAX = 1e18

/** What a device of a rig earns and costs a day, in the currency. */
export interface Rates {
  /** Of each H/s, on average. */
  readonly earned: number
  /** Of each watt. */
  readonly cost: number
  readonly currency: string
}

/** What a device lost in the last 24 hours, as a part of what it usually computes, and its margin a day; null: unknown. */
export interface DeviceMoney {
  readonly lost: number | null
  readonly margin: number | null
}

export type DevicesMoney = ReturnType<typeof useDevicesMoney>

/** What each device lost in the last 24 hours and what it leaves a day; the same object until the ledger is read again. */
export function useDevicesMoney() {
  const money = useMoney(useHourBounds(DAY_HOURS), false)
  const { miner } = useEnvironment().stores
  const isMining = useMiner(({ status }) => (status?.hashrate.m15 ?? 0) > 0)
  return useMemo(() => {
    const rates = money === null || !isMining ? null : ratesOf(money, miner.getState().status?.hashrate.m15 ?? 0)
    const lostOf = (of: Parameters<typeof lostPart>[0] | undefined): number | null =>
      money === null || of === undefined ? null : lostPart(of, money.whole)
    return {
      rates,
      of: (device: DeviceView): DeviceMoney => ({
        lost: lostOf(money?.devices.find(({ index }) => index === device.index)),
        margin: rates === null ? null : marginOf(rates, device),
      }),
      /** Of all devices, as `margin`; null: it isn't known of each. */
      lost: lostOf(money?.whole.losses),
      margin: ({ devices }: MinerState): number | null =>
        (devices?.devices ?? []).reduce<number | null>((sum, device) => {
          const margin = rates === null ? null : marginOf(rates, device)
          return sum === null || margin === null ? null : sum + margin
        }, 0),
    }
  }, [money, miner, isMining])
}

/** @param hashrate of all devices, which the forecast is about, H/s */
function ratesOf({ forecast, prices: { lax, power, currency } }: MoneyView, hashrate: number): Rates | null {
  const { value } = forecast.incomePerDay
  if (value === null || lax === null || power === null || hashrate <= 0) return null
  const income = (Number(value) / WEI_PER_LAX) * lax
  return { earned: income / hashrate, cost: (power * DAY_HOURS) / WATTS_PER_KW, currency }
}

function marginOf({ earned, cost }: Rates, { hashrate, meanPowerWatts }: DeviceView): number | null {
  if (hashrate.m15 === null || meanPowerWatts === null) return null
  return hashrate.m15 * earned - meanPowerWatts * cost
}

export const temperaturePlaces = ['core', 'hotspot', 'memory'] as const
export type TemperaturePlace = (typeof temperaturePlaces)[number]

interface HottestPlace {
  readonly place: TemperaturePlace
  readonly celsius: number
}

/** The hottest reported sensor; null if none is reported. */
export function hottestOf({ temperature }: Pick<DeviceView, 'temperature'>): HottestPlace | null {
  let hottest: HottestPlace | null = null
  for (const place of temperaturePlaces) {
    const celsius = temperature[place]
    if (celsius !== null && (hottest === null || celsius > hottest.celsius)) hottest = { place, celsius }
  }
  return hottest
}

/** °C of the hottest reported sensor; null if none is reported. */
export function hottestCelsius(reading: Pick<DeviceView, 'temperature'>): number | null {
  return hottestOf(reading)?.celsius ?? null
}

/** What `DeviceValue` reads of a device. */
export const readings = {
  now: ({ hashrate }: DeviceView) => hashrate.now,
  s60: ({ hashrate }: DeviceView) => hashrate.s60,
  m15: ({ hashrate }: DeviceView) => hashrate.m15,
  efficiency: efficiencyOf,
  hottest: hottestCelsius,
  core: ({ temperature }: DeviceView) => temperature.core,
  hotspot: ({ temperature }: DeviceView) => temperature.hotspot,
  memory: ({ temperature }: DeviceView) => temperature.memory,
  fan: ({ fanPercent }: DeviceView) => fanPercent,
  power: ({ powerWatts }: DeviceView) => powerWatts,
  coreClock: ({ clockMhz }: DeviceView) => clockMhz.core,
  memoryClock: ({ clockMhz }: DeviceView) => clockMhz.memory,
} as const

export function subtitle(device: Pick<DeviceView, 'backend' | 'pci' | 'threads'>, t: Text): string {
  const threads = device.threads === null ? '' : t('ui.gpus.threads', { count: device.threads })
  return [t(`ui.backend.${device.backend}`), device.pci, threads].filter((part) => part !== '').join(' · ')
}
