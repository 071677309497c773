// What the figures of devices have in common or are named after: rendered again only when that changes.
import { useCallback, useMemo } from 'react'
import { HOUR_MS, MINUTE_MS } from '../../../../base/time'
import type { DeviceView } from '../../../../contract/miner'
import type { MoneyView } from '../../../../contract/money'
import { useFormat } from '../../i18n/text'
import { useRegularAnswer } from '../../state/answers/use-regular-answer'
import { useEnvironment, useMiner } from '../../state/environment'
import { lostPart, useHourBounds, useMoney } from '../../state/money/use-money'
import { type MinerState, selectDevice, selectLargestHashrate } from '../../state/stores/miner-store'
import type { DeviceMoney } from './columns'
import { hottestOf, type TemperaturePlace } from './figures'

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

/** What a row's small chart shows. */
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
  return useRegularAnswer(ask, { everyMs: HISTORY_MS }).value ?? '10m'
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

export interface DevicesMoney {
  /** Null while a price or the forecast is missing: then nobody knows what is left. */
  readonly rates: Rates | null
  readonly of: (device: DeviceView) => DeviceMoney
  /** Of all devices: the part that was lost, and the margin a day. Null: it isn't known of each. */
  readonly lost: number | null
  readonly margin: (state: MinerState) => number | null
}

/** What each device lost in the last 24 hours and what it leaves a day; the same object until the ledger is read again. */
export function useDevicesMoney(): DevicesMoney {
  const money = useMoney(useHourBounds(DAY_HOURS), false)
  const { miner } = useEnvironment().stores
  const isMining = useMiner(({ status }) => (status?.hashrate.m15 ?? 0) > 0)
  return useMemo(() => {
    const rates = money === null || !isMining ? null : ratesOf(money, miner.getState().status?.hashrate.m15 ?? 0)
    const lostOf = (of: Parameters<typeof lostPart>[0] | undefined): number | null =>
      money === null || of === undefined ? null : lostPart(of, money.whole)
    return {
      rates,
      of: (device) => ({
        lost: lostOf(money?.devices.find(({ index }) => index === device.index)),
        margin: rates === null ? null : marginOf(rates, device),
      }),
      lost: lostOf(money?.whole.losses),
      margin: ({ devices }) =>
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
