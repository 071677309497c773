// /api/v1/money and /api/v1/incidents: the window's own figures for scripts.

import { z } from 'zod'
import { DAY_MS } from '../../base/time'
import { type IncidentView, MAX_INCIDENTS } from '../../contract/incidents'
import type { MoneyView } from '../../contract/money'
import { jsonObjectOf } from '../../miner/api/control'
import { isFailure } from '../../miner/api/http-errors'
import { type Answer, failure, json } from './answer'

const MAX_DAYS = 400
const MAX_IDS = 1_000
const PERIODS = { today: 1, week: 7, month: 30 } as const
const QUERY = 'the query is period=today, week or month, or from=MS and to=MS, UTC milliseconds, at most 400 days'
const BODY = 'the body is {"acknowledge": ["ID", ...]}'

export interface MoneySource {
  view(bounds: readonly number[]): MoneyView
}

/** The book of incidents. */
export interface IncidentSource {
  open(): readonly IncidentView[]
  recent(): readonly IncidentView[]
  between(from: number, to: number): readonly IncidentView[]
  /** @returns those that are no incident's */
  acknowledge(ids: readonly string[]): readonly string[]
}

/** One period per local day of this computer. @param query without its question mark @param now UTC ms */
export function moneyAnswer(money: MoneySource, query: string, now: number): Answer {
  const period = periodOf(query, now)
  if (period === null) return failure(400, QUERY)
  return json(money.view(daysOf(period)))
}

/** Without a period: what is open, and what ended in the last 24 hours. */
export function incidentsAnswer(incidents: IncidentSource, query: string, now: number): Answer {
  if (query === '') return json({ open: incidents.open(), recent: incidents.recent() })
  const period = periodOf(query, now)
  if (period === null) return failure(400, QUERY)
  const found = incidents.between(period.from, period.to)
  return json({ incidents: found.slice(0, MAX_INCIDENTS), total: found.length })
}

const bodySchema = z.object({ acknowledge: z.array(z.string().max(300)).min(1).max(MAX_IDS) })

/** @param contentType the header's value, if it was sent */
export function acknowledgeAnswer(
  incidents: IncidentSource,
  contentType: string | undefined,
  body: Uint8Array,
): Answer {
  const request = jsonObjectOf(contentType, body, ['acknowledge'])
  if (isFailure(request)) return failure(request.status, request.error)
  const parsed = bodySchema.safeParse(request.value)
  if (!parsed.success) return failure(400, BODY)
  const unknown = incidents.acknowledge(parsed.data.acknowledge).join(', ')
  if (unknown !== '') return failure(400, `no incident has the id ${unknown}; the others are acknowledged`)
  return json({ result: true })
}

interface Period {
  readonly from: number
  readonly to: number
}

function periodOf(query: string, now: number): Period | null {
  const asked = new URLSearchParams(query)
  const [name, from, to] = [asked.get('period') ?? 'today', asked.get('from'), asked.get('to')]
  const keys = [...asked.keys()]
  if (keys.some((key) => key !== 'period' && key !== 'from' && key !== 'to')) return null
  if (new Set(keys).size < keys.length) return null
  if (from === null && to === null) {
    if (name !== 'today' && name !== 'week' && name !== 'month') return null
    return { from: midnight(now, 1 - PERIODS[name]), to: now }
  }
  const [begin, end] = [timeOf(from), to === null ? now : timeOf(to)]
  if (begin === null || end === null || asked.has('period') || begin >= end) return null
  return end - begin > MAX_DAYS * DAY_MS ? null : { from: begin, to: end }
}

function timeOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Local. */
function midnight(at: number, days: number): number {
  const day = new Date(at)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() + days)
  return day.getTime()
}

function daysOf({ from, to }: Period): number[] {
  const bounds = [from]
  for (let at = midnight(from, 1); at < to; at = midnight(at, 1)) bounds.push(at)
  return [...bounds, to]
}
