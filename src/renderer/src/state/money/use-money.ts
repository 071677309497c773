// The ledger of what was mined, read again every half minute and when something is found.

import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { HOUR_MS } from '../../../../base/time'
import type { Figure, MoneyPeriod, MoneyView } from '../../../../contract/money'
import { type Answered, useAnswer } from '../answers/use-answer'
import { useApp, useEnvironment, useMiner } from '../environment'
import type { AppState } from '../stores/program-store'

const PERIOD_MS = 30_000
const HOURS_PER_DAY = 24
const WATTS_PER_KILOWATT = 1_000
/** The ledger's records are this long. */
const SLOT_MS = 900_000
const DAYS = { today: 1, '7d': 7, '30d': 30 } as const

export const spans = ['today', '7d', '30d'] as const
export type MoneySpan = (typeof spans)[number]

const UNPRICED: MoneyView['prices'] = { lax: null, power: null, currency: '' }

export function usePrices(): MoneyView['prices'] {
  return useMoney(useHourBounds(HOURS_PER_DAY), false)?.prices ?? UNPRICED
}

/** The cost of `watts` for a day; null without a price of a kWh or a reading. */
export function costPerDay(price: number | null, watts: number | null): number | null {
  return price === null || watts === null ? null : energyPerDay(watts) * price
}

/** kWh per day. */
export function energyPerDay(watts: number): number {
  return (watts * HOURS_PER_DAY) / WATTS_PER_KILOWATT
}

/** True for a reader who isn't told of money: parts that show nothing else are left out. */
export const selectHidesMoney = ({ info }: AppState): boolean => info?.link?.hides === true

/** Null until there is an answer; its parameters are those of `useMoneyAnswer`. */
export function useMoney(bounds: readonly number[], isPrompt = true): MoneyView | null {
  return useMoneyAnswer(bounds, isPrompt).value
}

/** @param bounds ascending UTC ms, the same array while equal @param isPrompt false: a found block can wait */
export function useMoneyAnswer(bounds: readonly number[], isPrompt = true): Answered<MoneyView> {
  const { stores, clock } = useEnvironment()
  const mayAsk = useApp((state) => state.info !== null && !selectHidesMoney(state))
  // A solo miner's block is worth asking at once; shares come all the time.
  const mark = useMiner(({ status }) => (isPrompt && status?.source.kind !== 'pool' ? (status?.lastProof?.at ?? 0) : 0))
  const ask = useCallback(() => stores.queries.money(bounds, mark, clock.monotonic()), [stores, clock, bounds, mark])
  return useAnswer(mayAsk ? ask : null, { everyMs: PERIOD_MS })
}

/** The end of the current slot, in UTC ms: changes every 15 minutes. */
function useSlotEnd(): number {
  const { ticker } = useEnvironment().stores
  return useSyncExternalStore(ticker.subscribe, () => (Math.floor(ticker.now() / SLOT_MS) + 1) * SLOT_MS)
}

/** Local midnights from the span's first day on, and the end of the current slot. */
export function useDayBounds(span: MoneySpan): readonly number[] {
  const end = useSlotEnd()
  return useMemo(() => dayBounds(end, DAYS[span]), [end, span])
}

/** The last `hours`. */
export function useHourBounds(hours: number): readonly number[] {
  const end = useSlotEnd()
  return useMemo(() => [end - hours * HOUR_MS, end], [end, hours])
}

/** @param end the end of the slot that is running */
function dayBounds(end: number, days: number): readonly number[] {
  const today = new Date(end - 1)
  const midnights = Array.from({ length: days }, (_, index) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - (days - 1 - index)).getTime(),
  )
  return [...midnights, end]
}

/** Three results make an income that chance doesn't decide alone. */
const ENOUGH = 3

/** The shortest span in which three blocks are expected; a pool's is the day. */
export function usualSpan(isSolo: boolean, blocksPerDay: number | null): MoneySpan {
  if (!isSolo) return 'today'
  if (blocksPerDay === null) return '30d'
  return spans.find((span) => blocksPerDay * DAYS[span] >= ENOUGH) ?? '30d'
}

/** With less of the work watched, its losses are beside too little. */
const MIN_WATCHED = 0.9

/** 0 to 1; null while either is unknown, or most of the work was done before the usual hashrate was known. */
export function lostPart(
  of: { readonly usualHashes: Figure; readonly lostHashes: Figure },
  { losses, total }: MoneyPeriod,
): number | null {
  const [usual, lost] = [of.usualHashes.value, of.lostHashes.value]
  if (usual === null || usual <= 0 || lost === null) return null
  const watched = (losses.usualHashes.value ?? 0) + losses.gainedHashes
  return watched < MIN_WATCHED * total.hashes ? null : Math.min(1, lost / usual)
}
